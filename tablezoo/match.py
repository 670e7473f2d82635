"""Matches: games of one kind to a number of points, and who begins each."""

from dataclasses import dataclass

from tablezoo.position import Game, Position


@dataclass(frozen=True)
class Match:
    """The state of a match between two players, 0 and 1; immutable.

    There is no doubling cube: a game counts its points.
    """

    game: Game
    length: int
    """Points to win."""
    score: tuple[int, int] = (0, 0)
    """Points of player 0 and of player 1."""
    starter: int | None = None
    """Who begins the next game; None if the game's opening rule has to find him."""

    def __post_init__(self) -> None:
        """Check length, score and starter.

        Raises:
            ValueError: one of them is impossible.
        """
        if self.length < 1:
            raise ValueError(f"a match goes to 1 point or more, not to {self.length}")
        if len(self.score) != 2 or min(self.score) < 0 or min(self.score) >= self.length:
            raise ValueError(f"score {self.score} is impossible in a match to {self.length}")
        if self.starter not in (None, 0, 1):
            raise ValueError(f"starter must be None, 0 or 1, not {self.starter}")

    @property
    def winner(self) -> int | None:
        """Who has won the match, or None while it goes on."""
        return next((player for player in (0, 1) if self.score[player] >= self.length), None)

    def start(self, starter: int | None = None) -> Position:
        """First roll of the next game, of the player who begins.

        Args:
            starter: 0 or 1, who won the roll-off or the lot; only where `self.starter` is None.

        Raises:
            ValueError: the match is over, or starter is missing or not to be chosen.
        """
        if self.winner is not None:
            raise ValueError(f"the match is over: player {self.winner} has won by {max(self.score)} to {min(self.score)}")
        if self.starter is not None:
            if starter is not None:
                raise ValueError(f"player {self.starter} begins: leave it out")
            return Position(self.game, self.game.notation.start(self.game, roll_off=False), self.starter)
        if starter not in (0, 1):
            raise ValueError("say who won the opening: start(0) or start(1)")
        return Position(self.game, self.game.start_row, starter)

    def after(self, end: Position) -> "Match":
        """The match after a game that ended in this position.

        Raises:
            ValueError: the game is not over, or of another kind.
        """
        if end.game != self.game or end.outcome is None:
            raise ValueError(f"expected the end of a game of {self.game.name}, not {end!r}")
        last = 1 - end.player
        winner, points = (last, end.outcome) if end.outcome > 0 else (1 - last, -end.outcome)
        score = tuple(self.score[player] + points * (player == winner) for player in (0, 1))
        later = winner if points and self.game.options["next_starter"] == "winner" else None  # nobody has won a draw
        return Match(self.game, self.length, (score[0], score[1]), later)
