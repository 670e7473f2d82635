"""The two decorators of all numba code, and the cache its machine code lives in.

Machine code is kept in one folder per state of the sources: numba notices a change in the
file of a cached function but not in the files of the functions it calls, so the folder's
name is a digest of every source file that holds kernels, and of the record of rules they read.
"""

import atexit
import contextlib
import hashlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)

F = TypeVar("F", bound=Callable[..., Any])
_njit: Any = numba.njit

PACKAGES = Path(__file__).resolve().parents[2]
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def source_digest() -> str:
    """SHA-256 over the rules and all source files that hold kernels, those of other packages of the house included."""
    digest = hashlib.sha256(numba.__version__.encode())
    for package in ("tablezoo", "agents", "experiments"):
        for path in sorted((PACKAGES / package).rglob("*.py")):
            source = path.read_bytes()
            if path.parent.name == "kernel" or path.name == "rules.py" or b"tablezoo.kernel.jit import" in source:
                digest.update(str(path.relative_to(PACKAGES)).encode() + source)
    return digest.hexdigest()[:20]


def cache_folder() -> Path:
    """Folder for machine code: below $TABLEZOO_CACHE, else the user's cache, else a temporary folder.

    Raises:
        OSError: $TABLEZOO_CACHE names something that is not a folder and cannot become one.
    """
    chosen = os.environ.get("TABLEZOO_CACHE")
    folder = Path(chosen) if chosen else platformdirs.user_cache_path("tablezoo")
    folder = folder / "kernels" / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if chosen and not Path(chosen).is_dir():
            raise OSError(f"cannot create the cache folder {chosen}: {error.strerror}; set TABLEZOO_CACHE to a folder you can write to") from None
        if not chosen:
            folder = Path(tempfile.mkdtemp(prefix="tablezoo-"))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class _Locator(UserProvidedCacheLocator):
    """Points into `FOLDER` and, unlike numba's own, also reads a folder that cannot be written."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file = source
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(FOLDER)

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> "_Locator":
        return cls(function, source)


class _Files(IndexDataCacheFile):
    """Cache files that carry a checksum: damaged machine code is never run."""

    def _dump(self, obj: object) -> bytes:
        data = cast(bytes, super()._dump(obj))
        return hashlib.sha256(data).digest() + data

    @staticmethod
    def _checked(data: bytes) -> Any:
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            raise OSError("checksum")
        return pickle.loads(data[32:])

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads = self._checked(Path(self._index_path).read_bytes())
        except (OSError, ValueError):
            return {}
        return cast(dict[Any, str], overloads) if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        return self._checked(Path(self._data_path(name)).read_bytes())


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _Cache(FunctionCache):
    """numba's function cache, for which a missing, damaged or read-only file only costs a compilation."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def _save_overload(self, sig: object, data: object) -> None:
        with contextlib.suppress(OSError):
            super()._save_overload(sig, data)


def kernel(function: F) -> F:
    """Compile a function that Python calls: releases the GIL, machine code cached between processes.

    It must be called with one combination of argument types only: two processes that compile
    different ones at once could overwrite each other's code.
    """
    dispatcher = _njit(**OPTIONS)(function)
    dispatcher._cache = _Cache(function)
    return cast(F, dispatcher)


def helper(function: F) -> F:
    """Compile a function that only kernels call; it lives inside their machine code.

    It may use arrays but not make them: without reference counts (atomic, and not always optimised away)
    plays() is a third faster.
    """
    return cast(F, _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, **OPTIONS)(function))


def inlined(function: F) -> F:
    """A helper that becomes part of each kernel that calls it, for what is called for every step tried and has long records as arguments."""
    return cast(F, _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True, **OPTIONS)(function))


def fast_helper(function: F) -> F:
    """A helper whose float sums may be reordered into vector instructions; infinities and NaN keep their meaning."""
    fastmath = {"contract", "reassoc", "nsz", "arcp"}
    return cast(F, _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, fastmath=fastmath, **OPTIONS)(function))


FOLDER = cache_folder()
