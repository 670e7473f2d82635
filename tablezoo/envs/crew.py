"""Threads that do a piece of work together with the caller's, over and over, and stay awake between pieces that follow each other soon."""

import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeAlias

import numpy as np

from tablezoo.kernel.bits import U
from tablezoo.kernel.sharing import LINE, Shift

Work: TypeAlias = Callable[[Shift, int], bool]
"""Has a kernel do what the thread of that number takes of a shift (`tablezoo.kernel.sharing`), and returns what it says about the end."""
Reports: TypeAlias = SimpleQueue[BaseException | None]
Box: TypeAlias = SimpleQueue[tuple[Work, Shift, int, Reports] | None]
"""Where a thread finds what to do; None ends it."""


class Crew:
    """So many threads, the caller's among them. They are hired when there is work, and end with the crew or the program."""

    def __init__(self, hands: int) -> None:
        self._hands = hands
        self._bell = np.zeros(1, np.uint64)
        self._boxes: list[Box] = []
        self._threads: list[threading.Thread] = []

    def run(self, work: Work, others: Work | None = None) -> None:
        """Have work done. Whoever is late finds nothing left of it.

        Args:
            work: of thread 0, the caller's.
            others: of the other threads, who keep it until there is more, with all that it refers to; the same if left out.

        Raises:
            BaseException: what it raised in any thread; by then none of them is at it any more.
        """
        shift = Shift(self._bell, self._bell[0] + U(1), np.zeros((self._hands + 1) * LINE, np.uint64))
        reports: Reports = SimpleQueue()
        self._hire()
        for hand, box in enumerate(self._boxes, 1):
            box.put((others or work, shift, hand, reports))
        failures: list[BaseException] = []
        done = False
        try:
            done = work(shift, 0)
        finally:
            if not done:  # somebody sleeps over his items, or has failed
                failures = [failure for _ in self._boxes if (failure := reports.get()) is not None]
        for failure in failures:
            raise failure

    def dismiss(self) -> None:
        """End the threads. More work hires others."""
        _dismiss(self._boxes, self._threads)

    def _hire(self) -> None:
        """See that there are threads: a fork leaves them behind."""
        if len(self._threads) == self._hands - 1 and all(thread.is_alive() for thread in self._threads):
            return
        self._boxes = [SimpleQueue() for _ in range(1, self._hands)]
        self._threads = [threading.Thread(target=_serve, args=(box,), daemon=True) for box in self._boxes]
        weakref.finalize(self, _dismiss, self._boxes, self._threads)
        for thread in self._threads:
            thread.start()


def _serve(box: Box) -> None:
    """What a thread does."""
    while _work(box):
        pass


def _work(box: Box) -> bool:
    """Do what comes next, in a frame of its own: nothing of it is left while the thread sleeps."""
    order = box.get()
    if order is None:
        return False
    work, shift, hand, reports = order
    try:
        work(shift, hand)
        reports.put(None)
    except BaseException as failure:
        reports.put(failure)
    return True


def _dismiss(boxes: list[Box], threads: list[threading.Thread]) -> None:
    for box in boxes:
        box.put(None)
    for thread in threads:
        if thread.is_alive() and thread is not threading.current_thread():
            thread.join()
