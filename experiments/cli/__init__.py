"""The command line. Heavy modules are imported by the command that needs them."""

import sys

from cyclopts import CycloptsError

from experiments.cli import agents, games, runs  # noqa: F401 - their commands
from experiments.cli.app import app

__all__ = ["app", "main"]

USER_ERROR = 2


def main() -> None:
    """Run a command; a user's mistake ends in one line on standard error and exit code 2."""
    try:
        result = app(sys.argv[1:], exit_on_error=False, print_error=False, result_action="return_value")
    except (CycloptsError, ValueError, OSError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        print(f"tablezoo: {message}", file=sys.stderr)
        sys.exit(USER_ERROR)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(result if isinstance(result, int) else 0)
