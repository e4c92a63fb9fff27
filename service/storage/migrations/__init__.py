"""Alembic's environment and revisions; run by `service.storage.migrate`, never by hand."""
