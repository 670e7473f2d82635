"""Means and what they are worth."""

import numpy as np
from numpy.typing import NDArray

ERROR = 0.05
"""Chance that a confidence sequence ever leaves the mean outside."""
NARROWEST = 1_000
"""Values after which it is as narrow as can be."""


def mean_with_error(values: NDArray[np.floating]) -> tuple[float, float]:
    """Mean of independent values and its standard error; nan for a single one."""
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
    return float(values.mean()), error


def confidence_sequence(values: NDArray[np.floating]) -> tuple[float, float]:
    """Ends of an interval that may be looked at after every value: the chance that it ever leaves out the mean is `ERROR`.

    So whoever stops when it leaves out 0, at whatever moment, errs no more often than that. It holds for any independent values of
    finite variance once they are many; `experiments.duel.FIRST_LOOK` says how many are waited for.
    (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences",
    Annals of Statistics 52, 2024, theorem 2.2; ρ as they choose it for the narrowest interval at a given time.)
    """
    n = len(values)
    narrow = (np.log(1 - 2 * np.log(ERROR)) - 2 * np.log(ERROR)) / NARROWEST  # ρ²
    reach = float(np.sqrt(2 * (n * narrow + 1) / (n**2 * narrow) * np.log(np.sqrt(n * narrow + 1) / ERROR)))
    mean, spread = float(values.mean()), float(values.std())
    return mean - spread * reach, mean + spread * reach
