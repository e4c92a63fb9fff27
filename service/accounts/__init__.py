"""Accounts: registration, passwords, tokens, invites, notices. Imports models and storage."""
