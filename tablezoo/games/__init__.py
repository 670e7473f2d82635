"""The zoo as data: one `Spec` a game, in one module a family."""

from tablezoo.games.founding import BACKGAMMON, OFANFELLING, SIMPLE_BACKGAMMON, TAKHTEH, WIDDERSHINS
from tablezoo.games.spec import Spec

ZOO: tuple[Spec, ...] = (BACKGAMMON, SIMPLE_BACKGAMMON, TAKHTEH, OFANFELLING, WIDDERSHINS)

__all__ = ["ZOO", "Spec"]
