"""Sides of a ladder, and matches of a fixed number of deals."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    # A default, because SQLite adds no column without one to a table that has rows, and to make the table anew would
    # take the rows of all that refer to it along.
    op.add_column("ladders", sa.Column("sides", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("ladders", sa.Column("deals", sa.Integer(), nullable=True))
    # Until now everybody played for himself.
    op.execute("UPDATE ladders SET sides = players")
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column("ladders", "sides", server_default=None)


def downgrade() -> None:
    op.drop_column("ladders", "deals")
    op.drop_column("ladders", "sides")
