"""Telling owners what became of their bots."""

from sqlalchemy.orm import Session

from service.models import Bot, Notice


def notify_owner(session: Session, bot_id: str, what: str) -> None:
    """Leave the owner of a bot a notice that begins with the bot's name."""
    bot = session.get_one(Bot, bot_id)
    session.add(Notice(account_id=bot.owner_id, text=f"{bot.name}: {what}"))
