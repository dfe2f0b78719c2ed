"""An array on a card, shared with PyTorch, JAX, CuPy and Numba without copying."""

from functools import cached_property
from typing import Any

import numpy as np
from cuda.core.utils import StridedMemoryView

from ludex.kernel.cuda import cuda

OWN_STREAM = (None, 0, 1)  # the default stream by its names in DLPack; batches run on it
CARD = 2  # DLPack's number of CUDA


class DeviceArray:
    """An array in the memory of a card; `torch.from_dlpack(array)` and others share it.

    It is valid until the next step of its batch, which writes into the same memory.
    """

    def __init__(self, data: Any) -> None:
        self.data = data  # of numba-cuda, which owns the memory
        self.shape, self.dtype = tuple(data.shape), np.dtype(data.dtype)
        self.__cuda_array_interface__ = data.__cuda_array_interface__

    @cached_property
    def flat(self) -> "DeviceArray":
        """The same memory as an array of one axis."""
        return DeviceArray(self.data.reshape(-1))

    def __dlpack__(self, *, stream: int | None = None, **options: Any) -> Any:
        if stream not in OWN_STREAM:
            cuda.default_stream().synchronize()
        shared = StridedMemoryView.from_cuda_array_interface(self, stream_ptr=-1)
        return shared.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CARD, int(cuda.get_current_device().id)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array: np.ndarray = self.data.copy_to_host()
        return array.astype(dtype or self.dtype, copy=False)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __repr__(self) -> str:
        return f"<DeviceArray of {self.dtype}, shape {self.shape}, on a card>"
