"""Writes whose outcome matters: rows somebody else may insert at the same moment, compare-and-set updates."""

from typing import Any, cast

from sqlalchemy import CursorResult, Delete, Update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from service.models.base import Base


def insert_if_absent(session: Session, model: type[Base], **values: Any) -> None:
    """Insert a row unless one with its unique key is there, be it by another transaction just now."""
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    session.execute(dialect.insert(model).values(**values).on_conflict_do_nothing())


def changed_rows(session: Session, statement: Update | Delete) -> int:
    """Execute and return how many rows it changed: 0 means that the comparison of a compare-and-set failed.

    Objects already loaded in the session are left as they are.
    """
    result = session.execute(statement, execution_options={"synchronize_session": False})
    return cast(CursorResult[Any], result).rowcount
