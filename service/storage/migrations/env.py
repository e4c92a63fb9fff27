"""What Alembic runs around the revisions: our tables, on the connection `service.storage.migrate` opened."""

from typing import Any, Literal

from alembic import context
from sqlalchemy import TypeDecorator

from service.models import Base


def render_item(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """Write a type of ours into a new revision as what the database sees of it: revisions outlive our code."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    render_item=render_item,
    # One transaction around everything: an interrupted migration leaves the old tables as they were.
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
