"""Every game, option and reason there is has words a reader can understand."""

from pathlib import Path

import msgspec
import pytest

import service
from engine.games import game_from_profile, profiles
from engine.log import DealOverLine, read_log
from engine.parlett.options import Options as ParlettOptions
from engine.profile import Profile
from engine.spite.options import Options as SpiteOptions
from engine.spite.options import SkipBoOptions, StarturnOptions
from engine.tricks.options import FortyFiveOptions, SpoilFiveOptions
from service.narration.cards import face_of, suit_name
from service.narration.games import GAMES, words_for
from service.narration.options import known_options, options_in_words
from service.narration.reasons import reason_in_words
from tests.service.narration.logs import played

DOCUMENTS = Path(service.__file__).parent / "documents"
OPTIONS: dict[str, type[msgspec.Struct]] = {
    "spite-and-malice": SpiteOptions,
    "skip-bo": SkipBoOptions,
    "starturn": StarturnOptions,
    "parlett": ParlettOptions,
    "spoil-five": SpoilFiveOptions,
    "forty-five": FortyFiveOptions,
}


def every_profile(function: object) -> object:
    """Run a test for each profile."""
    return pytest.mark.parametrize("profile", profiles().values(), ids=lambda profile: profile.name)(function)


def test_every_game_has_a_title_a_brief_and_a_page_that_is_there() -> None:
    assert set(GAMES) == {profile.game for profile in profiles().values()} == set(OPTIONS)
    for words in GAMES.values():
        assert words.title
        assert len(words.brief) > 100
        assert (DOCUMENTS / f"{words.document}.md").is_file()


@pytest.mark.parametrize("game", OPTIONS)
def test_every_option_has_words(game: str) -> None:
    assert known_options(game) == set(OPTIONS[game].__struct_fields__)


@pytest.mark.parametrize("game", OPTIONS)
def test_an_options_every_value_reads_differently(game: str) -> None:
    for field in msgspec.structs.fields(OPTIONS[game]):
        kind = msgspec.inspect.type_info(field.type)
        if isinstance(kind, msgspec.inspect.LiteralType):
            values: list[object] = list(kind.values)
        elif isinstance(kind, msgspec.inspect.BoolType):
            values = [False, True]
        else:
            values = [1, 2, 3]
        said = {options_in_words({"game": game, "options": {field.name: value}})[0] for value in values}
        assert len(said) == len(values), field.name
        assert not any("_" in words for words in said), field.name


def test_an_option_or_game_nobody_has_written_words_for_is_shown_as_it_stands() -> None:
    assert options_in_words({"game": "snap", "options": {"hands": 3}}) == ["hands: 3"]
    assert words_for("snap").title == "snap"


@every_profile
def test_every_reason_a_deal_ends_for_has_words(profile: Profile) -> None:
    game = game_from_profile(profile.name, profile.players[-1])
    for line in read_log(played(game)):
        if isinstance(line, DealOverLine):
            assert reason_in_words(game.name, line.reason) != line.reason


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("5D", "five of diamonds"),
        ("10C", "ten of clubs"),
        ("AH", "ace of hearts"),
        ("KS", "king of spades"),
        ("10", "ten"),
        ("K", "king"),
        ("*", "wild card"),
        ("13", "13"),
    ],
)
def test_a_card_is_called_what_people_call_it(text: str, name: str) -> None:
    face = face_of(text)
    assert face.name == name
    assert face.rank + face.suit == text
    assert face.is_red == (face.suit in ("D", "H") and face.suit != "")


def test_suits_have_names() -> None:
    assert [suit_name(suit) for suit in "CDHS"] == ["clubs", "diamonds", "hearts", "spades"]
