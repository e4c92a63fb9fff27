"""What Alembic runs around the revisions: our tables, on the connection `service.storage.migrate` opened."""

from alembic import context

from service.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    # One transaction around everything: an interrupted migration leaves the old tables as they were.
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
