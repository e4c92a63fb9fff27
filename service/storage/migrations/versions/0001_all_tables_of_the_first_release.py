"""All tables of the first release."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("is_operator", sa.Boolean(), nullable=False),
        sa.Column("is_house", sa.Boolean(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
    )
    op.create_table(
        "ladders",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("slug", sa.String(length=48), nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("profile", sa.String(length=48), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("rules_hash", sa.String(length=64), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("next_round_us", sa.BigInteger(), nullable=False),
        sa.Column("parameters", sa.Integer(), nullable=False),
        sa.Column("rated_through", sa.Integer(), nullable=False),
        sa.Column("as_of_us", sa.BigInteger(), nullable=False),
        sa.Column("ranks_due", sa.Boolean(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladders")),
        sa.UniqueConstraint("slug", name=op.f("uq_ladders_slug")),
    )
    op.create_table(
        "periodic_leases",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("until_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_periodic_leases")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("layer", sa.String(length=8), nullable=False),
        sa.Column("runtimes", sa.JSON(), nullable=False),
        sa.Column("speed", sa.Float(precision=53), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=False),
        sa.Column("seen_us", sa.BigInteger(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("refused_reports", sa.Integer(), nullable=False),
        sa.Column("infra_attempts", sa.Integer(), nullable=False),
        sa.Column("barred", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("canary_us", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )
    op.create_table(
        "bots",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("owner_id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name=op.f("fk_bots_owner_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
    )
    with op.batch_alter_table("bots", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bots_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "invites",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_by", sa.String(length=26), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("used_by", sa.String(length=26), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["accounts.id"], name=op.f("fk_invites_created_by_accounts")),
        sa.ForeignKeyConstraint(["used_by"], ["accounts.id"], name=op.f("fk_invites_used_by_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invites")),
        sa.UniqueConstraint("digest", name=op.f("uq_invites_digest")),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("account_id", sa.String(length=26), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_notices_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_notices_account_id"), ["account_id"], unique=False)

    op.create_table(
        "rating_parameters",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("ladder_id", sa.String(length=26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("beta", sa.Double(), nullable=False),
        sa.Column("tau", sa.Double(), nullable=False),
        sa.Column("draw_probability", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ladder_id"], ["ladders.id"], name=op.f("fk_rating_parameters_ladder_id_ladders")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_parameters")),
        sa.UniqueConstraint("ladder_id", "number", name=op.f("uq_rating_parameters_ladder_id_number")),
    )
    op.create_table(
        "streams",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("ladder_id", sa.String(length=26), nullable=False),
        sa.Column("next_sequence", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_streams_ladder_id_ladders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_streams")),
        sa.UniqueConstraint("kind", "ladder_id", name=op.f("uq_streams_kind_ladder_id")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("account_id", sa.String(length=26), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("prefix", sa.String(length=12), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=True),
        sa.Column("once", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_tokens_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_tokens_digest")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_account_id"), ["account_id"], unique=False)

    op.create_table(
        "fixtures",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("stream_id", sa.String(length=26), nullable=False),
        sa.Column("ladder_id", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.String(length=26), nullable=True),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("starts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=64), nullable=True),
        sa.Column("lease_until_us", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=True),
        sa.Column("done_us", sa.BigInteger(), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_fixtures_ladder_id_ladders")),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name=op.f("fk_fixtures_owner_id_accounts")),
        sa.ForeignKeyConstraint(["stream_id"], ["streams.id"], name=op.f("fk_fixtures_stream_id_streams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fixtures")),
        sa.UniqueConstraint("stream_id", "sequence", name=op.f("uq_fixtures_stream_id_sequence")),
    )
    with op.batch_alter_table("fixtures", schema=None) as batch_op:
        batch_op.create_index("ix_fixtures_done_us", ["done_us"], unique=False)
        batch_op.create_index("ix_fixtures_ladder_id_id", ["ladder_id", "id"], unique=False)
        batch_op.create_index(
            "ix_fixtures_ladder_id_kind_round", ["ladder_id", "kind", "round"], unique=False
        )
        batch_op.create_index("ix_fixtures_state_lease_until_us", ["state", "lease_until_us"], unique=False)
        batch_op.create_index(
            "ix_fixtures_unrated", ["ladder_id", "kind", "state", "rated", "sequence"], unique=False
        )

    op.create_table(
        "stream_days",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("stream_id", sa.String(length=26), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("revealed_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["stream_id"], ["streams.id"], name=op.f("fk_stream_days_stream_id_streams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stream_days")),
        sa.UniqueConstraint("stream_id", "day", name=op.f("uq_stream_days_stream_id_day")),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("bot_id", sa.String(length=26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("source_digest", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("entry", sa.String(length=200), nullable=False),
        sa.Column("ladders", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("build_log", sa.String(length=64), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lease_until_us", sa.BigInteger(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id_bots")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_versions_bot_id_number")),
        sa.UniqueConstraint("bot_id", "source_digest", name=op.f("uq_versions_bot_id_source_digest")),
    )
    with op.batch_alter_table("versions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_versions_bot_id"), ["bot_id"], unique=False)
        batch_op.create_index("ix_versions_status_lease_until_us", ["status", "lease_until_us"], unique=False)

    op.create_table(
        "bundles",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("version_id", sa.String(length=26), nullable=False),
        sa.Column("runtime", sa.String(length=16), nullable=False),
        sa.Column("architecture", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_bundles_version_id_versions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bundles")),
        sa.UniqueConstraint(
            "version_id", "runtime", "architecture", name=op.f("uq_bundles_version_id_runtime_architecture")
        ),
    )
    with op.batch_alter_table("bundles", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bundles_version_id"), ["version_id"], unique=False)

    op.create_table(
        "entries",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("ladder_id", sa.String(length=26), nullable=False),
        sa.Column("bot_id", sa.String(length=26), nullable=False),
        sa.Column("version_id", sa.String(length=26), nullable=False),
        sa.Column("owner_id", sa.String(length=26), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("activated_us", sa.BigInteger(), nullable=True),
        sa.Column("last_round", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(precision=53), nullable=False),
        sa.Column("sigma", sa.Float(precision=53), nullable=False),
        sa.Column("fixtures", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("neg_mu_e6", sa.BigInteger(), nullable=False),
        sa.Column("rank_low", sa.Integer(), nullable=True),
        sa.Column("rank_high", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_entries_bot_id_bots")),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_entries_ladder_id_ladders")),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name=op.f("fk_entries_owner_id_accounts")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_entries_version_id_versions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
        sa.UniqueConstraint("ladder_id", "version_id", name=op.f("uq_entries_ladder_id_version_id")),
    )
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entries_bot_id"), ["bot_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_entries_ladder_id"), ["ladder_id"], unique=False)
        batch_op.create_index(
            "ix_entries_standing", ["ladder_id", "status", "provisional", "neg_mu_e6", "id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_entries_version_id"), ["version_id"], unique=False)

    op.create_table(
        "faults",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("fixture_id", sa.String(length=26), nullable=False),
        sa.Column("version_id", sa.String(length=26), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["fixture_id"], ["fixtures.id"], name=op.f("fk_faults_fixture_id_fixtures")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_faults_version_id_versions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_faults")),
    )
    with op.batch_alter_table("faults", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_faults_fixture_id"), ["fixture_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_faults_version_id"), ["version_id"], unique=False)

    op.create_table(
        "infra_attempts",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("fixture_id", sa.String(length=26), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(length=26), nullable=False),
        sa.Column("worker", sa.String(length=64), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["fixture_id"], ["fixtures.id"], name=op.f("fk_infra_attempts_fixture_id_fixtures")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_infra_attempts_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_infra_attempts")),
        sa.UniqueConstraint(
            "fixture_id",
            "attempt",
            "version_id",
            name=op.f("uq_infra_attempts_fixture_id_attempt_version_id"),
        ),
    )
    with op.batch_alter_table("infra_attempts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_infra_attempts_version_id"), ["version_id"], unique=False)

    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("fixture_id", sa.String(length=26), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("log", sa.String(length=64), nullable=False),
        sa.Column("log_dropped", sa.Boolean(), nullable=False),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("stderr", sa.JSON(), nullable=False),
        sa.Column("used_us", sa.JSON(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["fixture_id"], ["fixtures.id"], name=op.f("fk_matches_fixture_id_fixtures")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("fixture_id", "leg", name=op.f("uq_matches_fixture_id_leg")),
    )
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_matches_fixture_id"), ["fixture_id"], unique=False)
        batch_op.create_index("ix_matches_log_dropped_id", ["log_dropped", "id"], unique=False)

    op.create_table(
        "fixture_seats",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("fixture_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(length=26), nullable=False),
        sa.Column("entry_id", sa.String(length=26), nullable=False),
        sa.Column("bundle", sa.String(length=64), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("faulted_legs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_fixture_seats_entry_id_entries")),
        sa.ForeignKeyConstraint(
            ["fixture_id"], ["fixtures.id"], name=op.f("fk_fixture_seats_fixture_id_fixtures")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_fixture_seats_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fixture_seats")),
        sa.UniqueConstraint("fixture_id", "seat", name=op.f("uq_fixture_seats_fixture_id_seat")),
    )
    with op.batch_alter_table("fixture_seats", schema=None) as batch_op:
        batch_op.create_index(
            "ix_fixture_seats_entry_id_fixture_id", ["entry_id", "fixture_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_fixture_seats_fixture_id"), ["fixture_id"], unique=False)
        batch_op.create_index(
            "ix_fixture_seats_version_id_fixture_id", ["version_id", "fixture_id"], unique=False
        )

    op.create_table(
        "rating_events",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("ladder_id", sa.String(length=26), nullable=False),
        sa.Column("entry_id", sa.String(length=26), nullable=False),
        sa.Column("fixture_id", sa.String(length=26), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=8), nullable=False),
        sa.Column("mu_before", sa.Float(precision=53), nullable=False),
        sa.Column("sigma_before", sa.Float(precision=53), nullable=False),
        sa.Column("mu", sa.Float(precision=53), nullable=False),
        sa.Column("sigma", sa.Float(precision=53), nullable=False),
        sa.Column("fixtures", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("done_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_rating_events_entry_id_entries")),
        sa.ForeignKeyConstraint(
            ["fixture_id"], ["fixtures.id"], name=op.f("fk_rating_events_fixture_id_fixtures")
        ),
        sa.ForeignKeyConstraint(
            ["ladder_id"], ["ladders.id"], name=op.f("fk_rating_events_ladder_id_ladders")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_events")),
        sa.UniqueConstraint("entry_id", "sequence", name=op.f("uq_rating_events_entry_id_sequence")),
    )
    with op.batch_alter_table("rating_events", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rating_events_fixture_id"), ["fixture_id"], unique=False)
        batch_op.create_index("ix_rating_events_ladder_id_sequence", ["ladder_id", "sequence"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("rating_events", schema=None) as batch_op:
        batch_op.drop_index("ix_rating_events_ladder_id_sequence")
        batch_op.drop_index(batch_op.f("ix_rating_events_fixture_id"))

    op.drop_table("rating_events")
    with op.batch_alter_table("fixture_seats", schema=None) as batch_op:
        batch_op.drop_index("ix_fixture_seats_version_id_fixture_id")
        batch_op.drop_index(batch_op.f("ix_fixture_seats_fixture_id"))
        batch_op.drop_index("ix_fixture_seats_entry_id_fixture_id")

    op.drop_table("fixture_seats")
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.drop_index("ix_matches_log_dropped_id")
        batch_op.drop_index(batch_op.f("ix_matches_fixture_id"))

    op.drop_table("matches")
    with op.batch_alter_table("infra_attempts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_infra_attempts_version_id"))

    op.drop_table("infra_attempts")
    with op.batch_alter_table("faults", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_faults_version_id"))
        batch_op.drop_index(batch_op.f("ix_faults_fixture_id"))

    op.drop_table("faults")
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_entries_version_id"))
        batch_op.drop_index("ix_entries_standing")
        batch_op.drop_index(batch_op.f("ix_entries_ladder_id"))
        batch_op.drop_index(batch_op.f("ix_entries_bot_id"))

    op.drop_table("entries")
    with op.batch_alter_table("bundles", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bundles_version_id"))

    op.drop_table("bundles")
    with op.batch_alter_table("versions", schema=None) as batch_op:
        batch_op.drop_index("ix_versions_status_lease_until_us")
        batch_op.drop_index(batch_op.f("ix_versions_bot_id"))

    op.drop_table("versions")
    op.drop_table("stream_days")
    with op.batch_alter_table("fixtures", schema=None) as batch_op:
        batch_op.drop_index("ix_fixtures_unrated")
        batch_op.drop_index("ix_fixtures_state_lease_until_us")
        batch_op.drop_index("ix_fixtures_ladder_id_kind_round")
        batch_op.drop_index("ix_fixtures_ladder_id_id")
        batch_op.drop_index("ix_fixtures_done_us")

    op.drop_table("fixtures")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tokens_account_id"))

    op.drop_table("tokens")
    op.drop_table("streams")
    op.drop_table("rating_parameters")
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_notices_account_id"))

    op.drop_table("notices")
    op.drop_table("invites")
    with op.batch_alter_table("bots", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bots_owner_id"))

    op.drop_table("bots")
    op.drop_table("workers")
    op.drop_table("periodic_leases")
    op.drop_table("ladders")
    op.drop_table("accounts")
