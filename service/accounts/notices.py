"""What an owner should know: suspensions, failed versions, newest first."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.models import Account, Notice
from service.paging import PageRequest, decode_cursor, encode_cursor


class _Key(msgspec.Struct, frozen=True, array_like=True):
    notice: Annotated[str, msgspec.Meta(pattern="^[0-9a-z]{26}$")]


def notices(session: Session, account: Account, page: PageRequest) -> tuple[Sequence[Notice], str | None]:
    """Return a page of an account's notices and the next page's cursor. Raises InvalidError for a cursor that is none."""
    before = decode_cursor(page.cursor, _Key)
    wanted = select(Notice).where(Notice.account_id == account.id)
    if before:
        wanted = wanted.where(Notice.id < before.notice)
    rows = session.scalars(wanted.order_by(Notice.id.desc()).limit(page.limit + 1)).all()
    more = len(rows) > page.limit
    return rows[: page.limit], encode_cursor(_Key(rows[page.limit - 1].id)) if more else None
