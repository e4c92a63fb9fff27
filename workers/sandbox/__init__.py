"""Isolation of strangers' programs: what it takes on this host, and proof that it holds."""
