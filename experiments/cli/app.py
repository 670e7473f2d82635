"""What all commands share."""

from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from rich.console import Console

    from tablezoo.kernel.nodes import Roll
    from tablezoo.position import Game

app = App(name="tablezoo", help="The zoo of tables games: play, train, measure.", version=lambda: version("tablezoo"))

Json = Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON object.")]
Options = Annotated[tuple[str, ...], Parameter(name=("--option", "-o"), help="Reading of a rule, like forced_use=greedy; may be repeated.", negative=())]


def screen() -> "Console":
    """The terminal."""
    from rich.console import Console

    return Console(highlight=False, markup=False)


def print_json(**fields: Any) -> None:
    """Print one JSON object."""
    from experiments.store import dumps

    print(dumps(fields))


def game_of(name: str, options: tuple[str, ...]) -> "Game":
    """A game with readings of its rules as `Options` has them.

    Raises:
        ValueError: unknown game, option or reading.
    """
    import tablezoo

    readings: dict[str, str | bool] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise ValueError(f"cannot read option {option!r}: expected name=reading, like forced_use=greedy")
        readings[key] = {"true": True, "false": False}.get(value.lower(), value)
    return tablezoo.game(name, **readings)


def roll_of(text: str) -> "Roll":
    """A roll from its digits.

    Raises:
        ValueError: it is none.
    """
    if len(text) not in (1, 2, 3) or not text.isdecimal():
        raise ValueError(f"cannot read roll {text!r}: expected two digits from 1 to 6, like 31, or as many as dice are thrown")
    return tuple(map(int, text))
