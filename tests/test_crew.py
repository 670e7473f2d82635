"""Threads that share a loop: each item is done once, failures reach the caller, and nobody is left at it or awake for nothing."""

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tablezoo.envs.crew import Crew
from tablezoo.envs.vector import TablesVectorEnv
from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.sharing import Shift, begun, done, ended, raised, taken

HANDS = [1, 2, 3, 5]
every_crew = pytest.mark.parametrize("hands", HANDS)

Words = NDArray[np.uint64]


@kernel
def count_items(found: Words, failing: int, shift: Shift, hand: int) -> bool:
    """Add one for each item, and fail at one of them."""
    number, items = U(hand), U(found.size)
    begun(shift, number)
    first, last = taken(shift, number, items)
    while first < last:
        for i in range(first, last):
            if np.int64(i) == failing:
                raise OverflowError("no room")
            found[i] += ONE
        done(shift, last - first)
        first, last = taken(shift, number, items)
    return ended(shift, number, items)


@kernel
def raise_often(word: Words, times: int, shift: Shift, hand: int) -> bool:
    """Add one to a single word, from all threads at once; an item for each thread."""
    begun(shift, U(hand))
    for _ in range(times):
        raised(word, ZERO, ONE)
    done(shift, ONE)
    return ended(shift, U(hand), shift.tally.size // U(8) - ONE)


def crew_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.daemon}


@every_crew
@pytest.mark.parametrize("items", [1, 15, 16, 17, 100, 1000, 4099])
def test_every_item_is_done_once_by_whomever(hands: int, items: int) -> None:
    crew, found = Crew(hands), np.zeros(items, np.uint64)
    for times in range(1, 200):
        crew.run(lambda shift, hand: count_items(found, -1, shift, hand))
        assert (found == times).all()
    crew.dismiss()


def test_no_addition_is_lost_between_threads() -> None:
    crew, word = Crew(3), np.zeros(1, np.uint64)
    crew.run(lambda shift, hand: raise_often(word, 300_000, shift, hand))
    assert word[0] == 900_000
    crew.dismiss()


@every_crew
def test_a_failure_in_any_thread_reaches_the_caller_and_the_crew_goes_on(hands: int) -> None:
    crew, items = Crew(hands), 400
    for failing in (0, 199, 399):
        found = np.zeros(items, np.uint64)
        with pytest.raises(OverflowError, match="no room"):
            crew.run(lambda shift, hand, found=found, failing=failing: count_items(found, failing, shift, hand))
        left = found.copy()
        assert found[failing] == 0
        other = np.zeros(items, np.uint64)
        crew.run(lambda shift, hand, other=other: count_items(other, -1, shift, hand))
        assert (other == 1).all()
        assert (found == left).all(), "somebody was still at it"
    crew.dismiss()


@every_crew
def test_a_failure_before_the_work_begins_reaches_the_caller_too(hands: int) -> None:
    def refuse(shift: Shift, hand: int) -> bool:
        raise ValueError(f"hand {hand}")

    crew = Crew(hands)
    for _ in range(3):
        with pytest.raises(ValueError, match="hand 0"):
            crew.run(refuse)
    crew.dismiss()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="states of threads are read from /proc")
def test_threads_without_work_sleep() -> None:
    crew, found = Crew(3), np.zeros(100, np.uint64)
    before = set(os.listdir("/proc/self/task"))
    crew.run(lambda shift, hand: count_items(found, -1, shift, hand))
    own = set(os.listdir("/proc/self/task")) - before
    assert len(own) == 2
    deadline = time.monotonic() + 30
    while any(state_of(thread) != "S" for thread in own):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    switches = [switches_of(thread) for thread in own]
    time.sleep(0.2)
    assert [switches_of(thread) for thread in own] == switches, "nor do they wake up for nothing"
    crew.dismiss()


def state_of(thread: str) -> str:
    """One letter: R runs, S sleeps."""
    return Path(f"/proc/self/task/{thread}/stat").read_text().rpartition(")")[2].split()[0]


def switches_of(thread: str) -> list[str]:
    """How often it left a processor."""
    return [line for line in Path(f"/proc/self/task/{thread}/status").read_text().splitlines() if "ctxt_switches" in line]


def test_threads_end_with_their_crew() -> None:
    before, found = crew_threads(), np.zeros(100, np.uint64)
    crew = Crew(4)
    crew.run(lambda shift, hand: count_items(found, -1, shift, hand))
    assert len(crew_threads() - before) == 3
    del crew
    gc.collect()
    assert crew_threads() <= before
    dismissed = Crew(4)
    for _ in range(2):
        dismissed.run(lambda shift, hand: count_items(found, -1, shift, hand))
        assert len(crew_threads() - before) == 3
        dismissed.dismiss()
        assert crew_threads() <= before


def test_what_a_step_returned_goes_when_the_caller_lets_it_go() -> None:
    envs = TablesVectorEnv(256, threads=3)
    envs.reset(seed=1)
    for _ in range(50):
        observations, _, _, _, infos = envs.step(envs.sample_actions())
        held = [weakref.ref(array) for array in (observations.base, infos["action_mask"])]
        assert all(reference() is not None for reference in held)
        del observations, infos
        assert all(reference() is None for reference in held)
    envs.close()


def played(seed: int, threads: int, steps: int = 60) -> tuple[list[Any], ...]:
    """Observations, rewards and masks of random games."""
    envs = TablesVectorEnv(200, "hypergammon", threads=threads, action_mode="plays", autoreset_mode="SAME_STEP")
    observations, infos = envs.reset(seed=seed)
    shown, paid, masks = [observations], [], [infos["action_mask"]]
    for _ in range(steps):
        observations, rewards, _, _, infos = envs.step(envs.sample_actions())
        shown.append(observations)
        paid.append(rewards)
        masks.append(infos["action_mask"])
    envs.close()
    return shown, paid, masks


def test_environments_in_threads_of_the_callers_own_do_not_disturb_each_other() -> None:
    alone = [played(seed, 1) for seed in range(6)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(played, range(6), [2, 3] * 3))
    for one, other in zip(alone, together, strict=True):
        for part, same in zip(one, other, strict=True):
            assert all((a == b).all() for a, b in zip(part, same, strict=True))
    assert any(rewards.any() for rewards in alone[0][1])


def run_program(program: str) -> str:
    """The output of a process, which must end by itself and well."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


BEGIN = """
import os, threading
import numpy as np
from tablezoo.envs.vector import TablesVectorEnv
envs = TablesVectorEnv(300, threads=3)
envs.reset(seed=1)
for _ in range(20):
    envs.step(envs.sample_actions())
"""


def test_a_program_ends_though_nothing_was_closed() -> None:
    assert run_program(BEGIN + "print('end')") == "end\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_plays_on_with_threads_of_its_own() -> None:
    program = BEGIN + (
        "child = os.fork()\n"
        "for _ in range(20):\n"
        "    observations = envs.step(envs.sample_actions())[0]\n"
        "if child:\n"
        "    os.waitpid(child, 0)\n"
        "print(float(np.float64(observations).sum()), threading.active_count(), flush=True)\n"
    )
    first, second = run_program(program).splitlines()
    assert first == second
    assert first.endswith(" 3")
