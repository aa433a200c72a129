"""CUDA as one thread of this machine: what CuPy does with our kernels, done by g++ and ctypes."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

SHIM = """
#include <algorithm>
#include <cstring>
using std::max; using std::min;
#define __device__
#define __global__
#define __shared__
struct Three { unsigned x; };
static const Three threadIdx{0}, blockIdx{0}, blockDim{1}, gridDim{1};
struct uint4 { unsigned x, y, z, w; };
static void __syncthreads() {}
static int __popc(unsigned word) { return __builtin_popcount(word); }
static int __ffs(unsigned word) { return __builtin_ffs(word); }
static unsigned __vcmpeq4(unsigned a, unsigned b) {
    unsigned result = 0;
    for (int n = 0; n < 32; n += 8) if ((a >> n & 255) == (b >> n & 255)) result |= 255u << n;
    return result;
}
template <class T> static T atomicAdd(T *place, int more) { return (*place += more) - more; }
template <class T> static T __shfl_down_sync(unsigned, T, int) { return 0; }
"""


class DeviceArray(np.ndarray[Any, Any]):
    """An array that says it is elsewhere."""

    def get(self, **_stream: object) -> np.ndarray[Any, Any]:
        return np.array(self)


def _array(values: Any) -> DeviceArray:
    return np.ascontiguousarray(values).view(DeviceArray)


def _passed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    kinds: dict[type, Any] = {np.uint32: ctypes.c_uint32, np.int32: ctypes.c_int32}
    return kinds.get(type(value), ctypes.c_void_p)(int(value))


class OneThreadCuda:
    """As much of the module `cupy` as is used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.cuda = SimpleNamespace(
            Stream=lambda **_kind: None,
            memory=SimpleNamespace(OutOfMemoryError=MemoryError),
            runtime=SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=OSError),
        )

    def zeros(self, size: int, kind: type) -> DeviceArray:
        return _array(np.zeros(size, kind))

    def asarray(self, values: Any) -> DeviceArray:
        return _array(values)

    def RawModule(self, code: str) -> OneThreadCuda:  # noqa: N802 - as CuPy calls it
        source, library = self._folder / "kernels.cc", self._folder / "kernels.so"
        source.write_text(SHIM + code)
        subprocess.run(
            ["g++", "-O2", "-w", "-shared", "-fPIC", str(source), "-o", str(library)],  # noqa: S607
            check=True,
        )
        self._library = ctypes.CDLL(str(library))
        return self

    def get_function(self, name: str) -> Any:
        def run(_grid: tuple[int], _block: tuple[int], arguments: tuple[Any, ...]) -> None:
            self._library[name](*map(_passed, arguments))

        return run
