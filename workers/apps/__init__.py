"""The Celery apps: play (queues build and play), reports and ledger, and beat that triggers periodic work.

`play` runs where strangers' programs run and imports nothing that reaches the database; the others are trusted.
"""
