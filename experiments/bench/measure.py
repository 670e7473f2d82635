"""How speed is measured: rates are per CPU second of one thread, the median of several runs, and only of right answers."""

import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

RUNS = 7


@dataclass(frozen=True)
class Result:
    """A measured figure."""

    name: str
    value: float
    unit: str
    least: float | None = None
    """What it should be at least."""
    most: float | None = None

    @property
    def bar(self) -> str:
        """What it should be, in words."""
        return f"at least {self.least:,.9g}" if self.least is not None else f"at most {self.most:,.9g}" if self.most is not None else ""

    @property
    def good(self) -> bool:
        """Whether it is that."""
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)


def machine() -> str:
    """What it was measured on."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            name = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    versions = ", ".join(f"{package} {version(package)}" for package in ("numba", "llvmlite", "numpy"))
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {versions}"


def load() -> float:
    """How many processes have wanted a core in the last minute, on average; NaN where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Median CPU seconds of some work."""
    return statistics.median(timed(work) for _ in range(runs))


def wall(work: Callable[[], object]) -> float:
    """Seconds that some work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def times(work: Callable[[], object], other: Callable[[], object], clock: Callable[[Callable[[], object]], float] = timed, runs: int = RUNS) -> float:
    """How many times as long some work takes as another, in turn: the median of the ratios."""
    return statistics.median(clock(work) / clock(other) for _ in range(runs))


def require(name: str, got: object, expected: object) -> None:
    """Refuse to time a wrong answer.

    Raises:
        RuntimeError: it is one.
    """
    if got != expected:
        raise RuntimeError(f"{name}: got {got}, expected {expected}; nothing was timed")
