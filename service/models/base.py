"""What all tables share."""

from typing import Annotated, Any, ClassVar

from sqlalchemy import JSON, BigInteger, Dialect, ForeignKey, MetaData, String, Text, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, mapped_column

from service.ids import new_id
from service.storage.clock import now_us

Id = Annotated[str, mapped_column(String(26), primary_key=True, default=new_id)]
Digest = Annotated[str, mapped_column(String(64))]
TimeUs = Annotated[int, mapped_column(BigInteger)]
CreatedUs = Annotated[int, mapped_column(BigInteger, default=now_us())]


class AnyText(TypeDecorator[str]):
    """Text of any length and content: what a bot printed may be quoted in it.

    PostgreSQL stores no NUL character, so it is written as `\\x00`, or a bot could make its own fault unrecordable.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Make a value storable on every database."""
        return value.replace("\x00", "\\x00") if value else value


LongText = Annotated[str, mapped_column(AnyText)]


def reference(target: str, **kw: Any) -> Any:
    """A foreign key column holding another table's id."""
    return mapped_column(String(26), ForeignKey(target), **kw)


class Base(DeclarativeBase):
    """Declarative base with stable constraint names, which migrations need."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        dict[str, Any]: JSON,
        list[str]: JSON,
        list[int]: JSON,
        list[str | None]: JSON,
    }
