"""The dice of the games in plain Python: splitmix64 (Steele, Lea & Flood 2014)."""

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    """splitmix64's output function."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return word ^ word >> 31


class Generator:
    """splitmix64 from a game's first state, in Python integers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, n: int) -> int:
        self.state = self.state + GOLDEN & MASK
        return (mixed(self.state) >> 32) * n >> 32

    def roll(self, opening: bool) -> tuple[int, int]:
        first, second = self.below(6) + 1, self.below(6) + 1
        while opening and first == second:
            second = self.below(6) + 1
        return first, second
