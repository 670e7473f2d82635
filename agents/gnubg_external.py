"""The official GNU Backgammon as a referee, over its `external` socket; never a teacher.

It is a process of its own, which the agent starts and ends. A line goes in, a line comes back, one at a time: a position in the
notation of FIBS for a move, `evaluation fibsboard` for a value (gnubg's manual, "External players"; `external.c` of gnubg 1.07).
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.points26 import must_play, points26, turned
from tablezoo.agent import ends_of
from tablezoo.kernel.board import TURN
from tablezoo.position import Game
from tablezoo.rows import numbers_left

PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/games"))
"""Debian keeps games out of most users' path."""
PATIENCE = 20.0
"""Seconds in which gnubg must begin to listen."""
MOST_PLIES = 3
OFF, BAR = 0, 25


class ExternalGnubgAgent:
    """Plays gnubg's own moves, and values positions with its cubeless money equity."""

    def __init__(self, game: Game, *, plies: str = "0") -> None:
        """Option `plies`: how far it looks ahead, 0 to 3.

        Raises:
            ValueError: gnubg is not installed or does not start, or it does not play this game.
        """
        if plies not in map(str, range(MOST_PLIES + 1)):
            raise ValueError(f"gnubg-external: plies must be 0 to {MOST_PLIES}, not {plies!r}")
        must_play(game, "gnubg-external")
        self.plies = int(plies)
        self._gnubg = Server(self.plies)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`."""
        return np.array([self._gnubg.equity(points) for points in points26(game, rows).tolist()], np.float32)

    def costs(self, game: Game, nodes: NDArray[np.uint64], rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """0 for the node that follows gnubg's move, 1 for the others; see `tablezoo.agent.Comparer`.

        Raises:
            ValueError: its move is none of the plays.
        """
        costs = np.ones(len(rows), np.float32)
        after = turned(points26(game, rows))
        for begin, end in pairwise(np.append(0, ends_of(nodes))):
            board = points26(game, nodes[begin : begin + 1])[0]
            numbers = numbers_left(int(nodes[begin, TURN]))
            move = self._gnubg.move(board.tolist(), numbers[0], numbers[-1])
            moved = moved_board(board, move)
            same = (after[begin:end] == moved).all(axis=1)
            if not same.any() and (moved > 0).any():  # who has borne off his last checker has won, and that is no node to value
                raise ValueError(f"gnubg's move {move!r} is none of the plays of {board.tolist()}")
            costs[begin:end][same] = 0
        return costs


def moved_board(board: NDArray[np.int64], move: str) -> NDArray[np.int64]:
    """A board of `points26` after a move in gnubg's notation, like `8/5 6/5*` or `25/21 6/0`; as it is if the move is empty."""
    after = board.copy()
    for step in move.split():
        start, end = (int(point) for point in step.replace("*", "").split("/"))
        after[start] -= 1
        if end == OFF:
            continue
        if after[end] == -1:
            after[end] = 0
            after[OFF] -= 1  # the opponent's bar
        after[end] += 1
    return after


class Server:
    """A gnubg that answers on a socket in a folder of its own; ended with this object, or with this process."""

    def __init__(self, plies: int) -> None:
        """Start it.

        Raises:
            ValueError: it is not installed, or does not begin to listen.
        """
        program = shutil.which("gnubg", path=PATH)
        if program is None:
            raise ValueError("gnubg-external needs GNU Backgammon: apt-get install gnubg gnubg-data, or put gnubg into the path")
        folder = Path(tempfile.mkdtemp(prefix="gnubg-"))
        settings = [f"eval plies {plies}", "eval cubeful off", "eval noise 0"]
        commands = ["set threads 1", *(f"set evaluation chequer {setting}" for setting in settings), f"external {folder / 'socket'}"]
        (folder / "commands").write_text("\n".join(commands) + "\n")
        guard = [found, "--pdeathsig", "KILL"] if (found := shutil.which("setpriv")) else []
        with (folder / "log").open("w") as log:
            self._process = subprocess.Popen(
                [*guard, program, "-t", "-q", "-r", "-c", str(folder / "commands")],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "HOME": str(folder)},
                start_new_session=True,  # Ctrl-C is for us
            )
        self._plies = plies
        self._socket = socket.socket(socket.AF_UNIX)
        self._finalizer = weakref.finalize(self, ended, self._process, self._socket, folder)
        self._connect(folder)
        self._lines = self._socket.makefile("rb")

    def _connect(self, folder: Path) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                self._socket.connect(str(folder / "socket"))
                self._socket.settimeout(None)
                return
            except OSError:
                time.sleep(0.02)
        said = " ".join((folder / "log").read_text(errors="replace").split())[-200:]
        self._finalizer()
        raise ValueError(f"gnubg-external: gnubg does not listen; it said: {said or 'nothing'}")

    def _ask(self, line: str) -> str:
        try:
            self._socket.sendall(line.encode() + b"\n")
            answer = self._lines.readline()
        except OSError:
            answer = b""
        if not answer:
            raise ValueError(f"gnubg-external: gnubg has ended (exit code {self._process.poll()})")
        said = answer.decode(errors="replace").strip()
        if said.startswith("Error"):
            raise ValueError(f"gnubg-external: gnubg does not understand {line!r}: {said}")
        return said

    def move(self, board: list[int], first: int, second: int) -> str:
        """Its move of a roll; empty if there is none."""
        return self._ask(fibs_board(board, first, second))

    def equity(self, board: list[int]) -> float:
        """Cubeless equity of the player who is about to roll."""
        return float(self._ask(f"evaluation fibsboard {fibs_board(board, 0, 0)} plies {self._plies} cube off").split()[-1])


def fibs_board(board: list[int], first: int, second: int) -> str:
    """A money game's position as FIBS writes it, without a cube."""
    return f"board:me:opponent:0:0:0:{':'.join(map(str, board))}:1:{first}:{second}:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"


def ended(process: "subprocess.Popen[bytes]", connection: socket.socket, folder: Path) -> None:
    """End gnubg and clear up after it."""
    connection.close()
    process.kill()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
