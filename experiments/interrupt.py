"""How a running experiment is stopped."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

EXIT_CODE = 130
"""Exit code after Ctrl-C, as shells have it."""


class Interrupted(Exception):
    """The user wants to stop."""


class Interrupt:
    """Ctrl-C and SIGTERM ask to stop at the next safe moment; a second Ctrl-C stops at once."""

    def __init__(self) -> None:
        self.asked = False

    def check(self) -> None:
        """Stop here if asked to.

        Raises:
            Interrupted: so it is.
        """
        if self.asked:
            raise Interrupted

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Within it, signals only ask."""

        def ask(number: int, frame: FrameType | None) -> None:
            if self.asked and number == signal.SIGINT:
                raise KeyboardInterrupt
            self.asked = True

        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
