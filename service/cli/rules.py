"""`malice rules`: what can be played, and how it can be changed."""

from typing import Any

import click

from service.cli.text import fail, print_json, print_table, say


@click.command()
@click.argument("profile", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def rules(profile: str | None, as_json: bool) -> None:
    """List the rule sets there are; with PROFILE, say how it can be changed.

    An option's default stands first. On a command line an option is `--option NAME=VALUE`, in a file of ladders it
    stands under `[ladder.options]`.

    \b
    Examples:
      malice rules
      malice rules spoil-five
      malice play greedy greedy --rules short --option packs=2
    """
    from engine.games import profiles
    from service.cli.local.rulebook import RulebookError, find_profile

    if profile is None:
        found = [_document(one.name) for one in profiles().values()]
        if as_json:
            print_json(found)
        else:
            _list(found)
        return
    try:
        document = _document(find_profile(profile).name)
    except RulebookError as error:
        fail(str(error))
    if as_json:
        print_json(document)
    else:
        _show(document)


def _document(name: str) -> dict[str, Any]:
    """Return a profile with all that may be asked about it."""
    from service.cli.local.rulebook import SETTLED_BY, TARGETS, choices, find_profile
    from service.narration.games import words_for
    from service.narration.option_help import option_help

    profile = find_profile(name)
    settled = {option for on in profile.options for option in SETTLED_BY.get(on, ())}
    free = [choice for choice in choices(profile.game) if choice.name not in settled]
    return {
        "profile": profile.name,
        "title": profile.title,
        "game": profile.game,
        "players": list(profile.players),
        "target": TARGETS[profile.game],
        "changes": dict(profile.options),
        "options": {choice.name: list(choice.values) for choice in free},
        "limits": {choice.name: choice.limits for choice in free if choice.limits},
        "help": {choice.name: option_help(profile.game, choice.name) for choice in free},
        "page": f"docs/{words_for(profile.game).document}.md",
    }


def _list(documents: list[dict[str, Any]]) -> None:
    rows = [
        (one["profile"], one["title"], _numbers(one["players"]), _settings(one["changes"]))
        for one in documents
    ]
    print_table(("profile", "what it is", "players", "options"), rows, folding=("what it is", "options"))
    say("`malice rules PROFILE` says how one can be changed.")


def _show(document: dict[str, Any]) -> None:
    players = _numbers(document["players"])
    say(f"{document['profile']}: {document['title']}")
    say(f"{document['game']}, {players} players, usually to {document['target']} points")
    say(f"the rules in full: {document['page']}")
    rows = [
        (
            name,
            _shown(values, document["limits"].get(name)),
            _setting(document["changes"][name]) if name in document["changes"] else "",
            document["help"][name],
        )
        for name, values in document["options"].items()
    ]
    print_table(
        ("option", "default, or", "here", "what it is about"),
        rows,
        folding=("default, or", "what it is about"),
    )


def _shown(values: list[str], limits: tuple[int, int] | None) -> str:
    if limits:
        return f"{values[0]}, or {limits[0]} to {limits[1]}"
    return f"{values[0]}, or {' | '.join(values[1:])}"


def _settings(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_setting(value)}" for name, value in options.items())


def _setting(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _numbers(players: list[int]) -> str:
    """`2`, `2 to 4`, or `2, 4, 6` where there are gaps."""
    first, last = players[0], players[-1]
    if players == list(range(first, last + 1)):
        return str(first) if first == last else f"{first} to {last}"
    return ", ".join(map(str, players))
