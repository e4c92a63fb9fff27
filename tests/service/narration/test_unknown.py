"""A game nobody has written words for is told all the same."""

from itertools import pairwise

from service.narration.narrators import narrator_for
from service.narration.reasons import match_reason_in_words, reason_in_words
from service.narration.story import Code, Player
from tests.service.narration.logs import deal_of


def test_it_is_told_in_its_own_notation_and_not_drawn() -> None:
    _, made = deal_of("short")
    narrator = narrator_for({"game": "snap", "players": 2})
    passages = narrator.tell(made)
    actions = [action for passage in passages for action in passage.actions]
    assert [action.sentence for action in actions] == [(Code(step.act.move),) for step in made]
    assert all(len({action.seat for action in passage.actions}) == 1 for passage in passages)
    assert all(one.heading != other.heading for one, other in pairwise(passages))
    assert passages[0].heading == (Player(made[0].act.seat),)
    assert narrator.draw(made, 3) is None


def test_reasons_without_words_are_shown_as_they_are() -> None:
    assert reason_in_words("snap", "snapped") == "snapped"
    assert match_reason_in_words("boredom") == "boredom"
