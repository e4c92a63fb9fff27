"""What keeps the installation running: workers that were heard of, and who runs the periodic work."""

from typing import Any

from sqlalchemy import Boolean, Float, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base, CreatedUs, LongText, TimeUs


class Worker(Base):
    """A play worker and when it was last heard of."""

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    slots: Mapped[int]
    layer: Mapped[str] = mapped_column(String(8))
    runtimes: Mapped[dict[str, Any]]
    speed: Mapped[float] = mapped_column(Float(53))
    started_us: Mapped[CreatedUs]
    seen_us: Mapped[TimeUs]
    stopped: Mapped[bool] = mapped_column(Boolean, default=False)
    refused_reports: Mapped[int] = mapped_column(Integer, default=0)
    """Reports that did not replay."""
    infra_attempts: Mapped[int] = mapped_column(Integer, default=0)
    barred: Mapped[bool] = mapped_column(Boolean, default=False)
    """Gets no more work, because of `reason`."""
    reason: Mapped[LongText] = mapped_column(default="")
    canary_us: Mapped[TimeUs | None]
    """When it last played the canary fixture correctly."""


class PeriodicLease(Base):
    """Who runs a piece of periodic work, and until when."""

    __tablename__ = "periodic_leases"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    holder: Mapped[str] = mapped_column(String(64))
    until_us: Mapped[TimeUs]
