"""Bots: reading uploads, versions and their life, what is shown of them. Imports models, storage and blobs."""
