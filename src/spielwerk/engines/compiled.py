"""How kernels are compiled: Numba, without the GIL, cached in the user's cache folder.

Kernels are module-level functions (a closure over a kernel would be compiled anew in every process)
and use explicit integer types throughout (int64 mixed with uint64 silently gives float64). What
compiling takes, and what makes it longer, is in `docs/engines.md`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_name
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic
from platformdirs import user_cache_path

from spielwerk.engines.tables import written_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Function = TypeVar("Function", bound="Callable[..., Any]")
Array = TypeVar("Array")
Numbers = TypeVar("Numbers", bound="NDArray[Any]")


class KernelPlace(UserProvidedCacheLocator):
    """The folder in which a kernel is cached: it stands for the sources, wherever they lie.

    Numba would look at the path and the date of the file, so that a second checkout, or one of
    another branch and back, would have to compile again what is compiled.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(_cache_folder(Path(file).parent))

    def get_source_stamp(self) -> str:
        """Nothing beside the folder."""
        return ""

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> KernelPlace:
        """The place, also if nothing can be written there."""
        return cls(function, file)


class KernelPlan(CompileResultCacheImpl):
    """What Numba wants to know about our cache."""

    _locator_classes = [KernelPlace]  # noqa: RUF012 - declared so by Numba


class KernelCache(FunctionCache):
    """A cache that can be full, or closed to us; the kernel then stays in memory alone."""

    _impl_class = KernelPlan

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The kernel for these types; None if it is not there."""
        with suppress(OSError):
            return super().load_overload(signature, context)  # type: ignore[no-untyped-call]

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the kernel, if that is possible."""
        try:
            super().save_overload(signature, compiled)  # type: ignore[no-untyped-call]
        except OSError as error:
            _unkept.append(error)


_unkept: list[OSError] = []


class Kernel(CPUDispatcher):
    """A compiled function to which a number that is written out is like any other of its type.

    Numba would compile it apart for each of them, and a kernel that calls itself then crashes when
    it comes from the cache.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call with arguments of these types is compiled to."""
        plain: Any = types.unliteral
        named = {name: plain(kind) for name, kind in dict(kws).items()}
        return super().get_call_template(tuple(map(plain, args)), named)


class KernelPart(Kernel):
    """One that has no way in from Python, where a call would crash.

    Tests want one nevertheless; for them it is compiled once more, in every process.
    """

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns."""
        facade = self.__dict__.get("facade") or numba.njit(error_model="numpy")(self.py_func)
        self.facade = facade
        return facade(*arguments)


def kernel(function: Function) -> Function:
    """Compile the function on its first call, or load it from the cache."""
    return cast("Function", _compiled(function, Kernel))


def inlined(function: Function) -> Function:
    """The same for small functions that only kernels call, in their innermost loops."""
    flags = {"forceinline": True, "no_cpython_wrapper": True}
    return cast("Function", _compiled(function, KernelPart, **flags))


def _compiled(function: Callable[..., Any], kind: type[Kernel], **flags: bool) -> Any:
    """Nothing ever takes the address of a function, and to prepare for that takes time."""
    options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, **flags}
    made: Any = numba.njit(error_model="numpy", **options)(function)
    made.__class__ = kind
    cached: Any = KernelCache
    made._cache = cached(function)  # noqa: SLF001 - as `cache=True` does with one of Numba's
    _kernels.append(made)
    return made


_kernels: list[Kernel] = []


def compiled_share() -> float:
    """How much is compiled or loaded of the kernels that are imported; few are never needed."""
    return sum(bool(one.overloads) for one in list(_kernels)) / max(1, len(_kernels))


@cache
def _cache_folder(package: Path) -> Path:
    """A folder for this state of the package's sources, of the rules of its game, and of this file,
    for this compiler, and for this kind of processor: homes are shared by machines.

    Kernels from elsewhere, as tests have them, may call any of ours, so all our sources count.
    """
    compiler = (numba.__version__, sys.implementation.cache_tag, get_host_cpu_name())
    digest = hashlib.sha256(repr(compiler).encode())
    rules = [folder / "rules.py" for folder in package.parents if (folder / "rules.py").exists()]
    house = Path(__file__).parents[1]
    ours = [Path(__file__)] if house in package.parents else sorted(house.rglob("*.py"))
    for path in (*sorted(package.glob("*.py")), *rules, *ours):
        digest.update(path.read_bytes())
    return _cache_root() / "kernels" / f"{package.name}-{digest.hexdigest()[:12]}"


def _cache_root() -> Path:
    root = os.environ.get("SPIELWERK_CACHE")
    return Path(root) if root else user_cache_path("spielwerk")


def is_compiled(source: str) -> bool:
    """Whether all kernels are in the cache that the engine in this source file needs."""
    return _mark(source).exists()


def note_compiled(source: str) -> None:
    """Remember that they are: what is there might also be what an interrupted process has left."""
    with suppress(OSError):  # then they will be loaded once more before that is believed
        if not _unkept:
            _mark(source).parent.mkdir(parents=True, exist_ok=True)
            _mark(source).touch()


def cache_problem() -> str:
    """Why a kernel that this process has compiled could not be kept; empty if all could."""
    if not _unkept:
        return ""
    why = _unkept[0].strerror or str(_unkept[0])
    return f"cannot write to {_cache_root()}: {why}; name another folder with SPIELWERK_CACHE"


def kept_array(source: str, name: str, compute: Callable[[], Numbers]) -> Numbers:
    """What was computed once by this source file, from the disk, where processes share it."""
    path = _cache_folder(Path(source).parent) / f"{name}.npy"
    with suppress(OSError, ValueError):
        return cast("Numbers", np.load(path, mmap_mode="r"))
    array = compute()
    with suppress(OSError), written_whole(path) as file:
        np.save(file, array)
    return array


def _mark(source: str) -> Path:
    return _cache_folder(Path(source).parent) / f"{Path(source).stem}.complete"


def _without_owner(_typing: Any, array: Any) -> Any:
    """Say to the compiler how `borrowed` is typed and generated."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        view.meminfo = view.meminfo.type(None)
        view.parent = view.parent.type(None)
        return view._getvalue()  # noqa: SLF001

    return array(array), generate


borrowed = cast("Callable[[Array], Array]", intrinsic(_without_owner))
"""In a kernel: the same array without its owner, who must outlive it.

Otherwise every inlined function with a loop counts references to all arrays it is given, one by
one and atomically, which took three quarters of the time of a search.
"""


def _loaded_byte(_typing: Any, _address: Any) -> Any:
    """Say to the compiler how `byte_at` is typed and generated."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))

    return types.int8(types.int64), generate


byte_at = cast("Callable[[int], int]", intrinsic(_loaded_byte))
"""In a kernel: the signed byte at an address, of an array that must outlive it.

A kernel takes few arrays, and the files of solved positions are many.
"""


@inlined
def popcount(word: np.uint64) -> np.uint64:
    """How many bits are set; compilers know this sum and make one instruction of it."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    low = word & np.uint64(0x3333333333333333)
    word = low + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@inlined
def lowest_bit(word: np.uint64) -> np.uint64:
    """The number of the lowest bit set."""
    return popcount((word & (~word + np.uint64(1))) - np.uint64(1))


@inlined
def copy_row(source: Array, target: Array) -> None:
    """Write a row over the beginning of another.

    An assignment of slices would do the same, and bring code along that compares shapes and writes
    an error: to compile that takes two seconds.
    """
    for place in range(len(source)):  # type: ignore[arg-type]
        target[place] = source[place]  # type: ignore[index]
