"""tablezoo: the zoo of tables games."""

from tablezoo.envs import registration as _registration  # noqa: F401 - importing it registers the environments
from tablezoo.match import Match
from tablezoo.position import Game, Play, Position, game, games

__version__ = "0.1.0"

__all__ = ["Game", "Match", "Play", "Position", "game", "games"]
