"""Means and what they are worth."""

import numpy as np
from numpy.typing import NDArray


def mean_with_error(values: NDArray[np.floating]) -> tuple[float, float]:
    """Mean of independent values and its standard error; nan for a single one."""
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
    return float(values.mean()), error
