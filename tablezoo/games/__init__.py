"""The zoo as data: one `Spec` a game, in one module a family."""

from tablezoo.games.founding import BACKGAMMON, SIMPLE_BACKGAMMON, TAKHTEH
from tablezoo.games.spec import Spec

ZOO: tuple[Spec, ...] = (BACKGAMMON, SIMPLE_BACKGAMMON, TAKHTEH)

__all__ = ["ZOO", "Spec"]
