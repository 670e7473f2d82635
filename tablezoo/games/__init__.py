"""The zoo as data: one `Spec` a game, in one module a family."""

from tablezoo.games.backgammon_family import HYPERGAMMON, IRISH, LONGGAMMON, NACKGAMMON, PORTES, TAVLA
from tablezoo.games.founding import BACKGAMMON, OFANFELLING, SIMPLE_BACKGAMMON, TAKHTEH, WIDDERSHINS
from tablezoo.games.modern import NANNON
from tablezoo.games.pinning import MAHBOUSEH, PLAKOTO, TAPA
from tablezoo.games.running import FEVGA, JACQUET, LONG_NARDE, MOULTEZIM, TAWLA_31
from tablezoo.games.spec import Spec

FOUNDING = (BACKGAMMON, SIMPLE_BACKGAMMON, TAKHTEH, OFANFELLING, WIDDERSHINS)
FAMILY = (TAVLA, PORTES, NACKGAMMON, HYPERGAMMON, LONGGAMMON, IRISH)
PINNING = (PLAKOTO, TAPA, MAHBOUSEH)
RUNNING = (FEVGA, MOULTEZIM, LONG_NARDE, TAWLA_31, JACQUET)
ZOO: tuple[Spec, ...] = (*FOUNDING, *FAMILY, *PINNING, *RUNNING, NANNON)

__all__ = ["ZOO", "Spec"]
