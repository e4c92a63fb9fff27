"""The ledger: what becomes of fixtures and builds. The only room that changes their state.

Imports engine, models, storage, fixtures and ratings; runs in the two ledger processes, which hold the database.
"""
