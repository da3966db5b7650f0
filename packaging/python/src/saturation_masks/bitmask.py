# SPDX-License-Identifier: GPL-3.0-or-later
"""The frozen neurons of one layer."""
from __future__ import annotations

from typing import TYPE_CHECKING, Iterable

if TYPE_CHECKING:
    import numpy


class LayerFrozenBitmask:
    """One bit a neuron: bit i % 8 of byte i // 8 is set where neuron i is frozen. The bytes are not copied."""

    __slots__ = ("layer_id", "num_neurons", "num_frozen", "_bits")

    def __init__(self, layer_id: int, num_neurons: int, frozen_mask: bytes | memoryview | None = None) -> None:
        """frozen_mask: ceil(num_neurons / 8) bytes, bits past the last neuron zero; None: nothing is frozen."""
        size = (num_neurons + 7) // 8
        bits = bytes(size) if frozen_mask is None else frozen_mask
        number = int.from_bytes(bits, "little")
        if len(bits) != size or number >> num_neurons:
            raise ValueError(f"layer {layer_id}: {len(bits)} bytes are no mask of {num_neurons} neurons")
        self.layer_id = layer_id
        self.num_neurons = num_neurons
        self.num_frozen = number.bit_count()
        self._bits = bits

    @classmethod
    def from_indices(cls, layer_id: int, num_neurons: int, frozen: Iterable[int]) -> LayerFrozenBitmask:
        bits = bytearray((num_neurons + 7) // 8)
        for neuron in frozen:
            if not 0 <= neuron < num_neurons:
                raise ValueError(f"layer {layer_id} has {num_neurons} neurons and no neuron {neuron}")
            bits[neuron // 8] |= 1 << neuron % 8
        return cls(layer_id, num_neurons, bytes(bits))

    @classmethod
    def from_dense(cls, layer_id: int, keep: numpy.ndarray) -> LayerFrozenBitmask:
        """keep: as to_dense_mask(), zero where a neuron is frozen."""
        import numpy
        frozen = numpy.asarray(keep) == 0
        return cls(layer_id, len(frozen), numpy.packbits(frozen, bitorder="little").tobytes())

    @property
    def frozen_mask(self) -> bytes:
        return bytes(self._bits)

    def is_frozen(self, neuron: int) -> bool:
        return 0 <= neuron < self.num_neurons and self._bits[neuron >> 3] >> (neuron & 7) & 1 == 1

    def pct_frozen(self) -> float:
        return 100.0 * self.num_frozen / self.num_neurons if self.num_neurons else 0.0

    def estimated_speedup(self) -> float:
        """1 / (1 - frozen share), an upper bound; infinite where everything is frozen."""
        kept = self.num_neurons - self.num_frozen
        return self.num_neurons / kept if kept else float("inf") if self.num_neurons else 1.0

    def to_sparse_indices(self) -> numpy.ndarray:
        """Frozen neurons, ascending, int64."""
        import numpy
        return numpy.flatnonzero(self._unpacked())

    def to_dense_mask(self) -> numpy.ndarray:
        """(num_neurons) float32: 0 where frozen, else 1. h * to_dense_mask() freezes the neurons."""
        import numpy
        return (1 - self._unpacked()).astype(numpy.float32)

    def _unpacked(self) -> numpy.ndarray:
        import numpy
        packed = numpy.frombuffer(self._bits, dtype=numpy.uint8)
        return numpy.unpackbits(packed, count=self.num_neurons, bitorder="little")

    def _combined(self, other: LayerFrozenBitmask, combine) -> LayerFrozenBitmask:
        if self.num_neurons != other.num_neurons:
            raise ValueError(f"masks of {self.num_neurons} and of {other.num_neurons} neurons have nothing in common")
        number = combine(int.from_bytes(self._bits, "little"), int.from_bytes(other._bits, "little"))
        return LayerFrozenBitmask(self.layer_id, self.num_neurons, number.to_bytes(len(self._bits), "little"))

    def __and__(self, other: LayerFrozenBitmask) -> LayerFrozenBitmask:
        return self._combined(other, int.__and__)

    def __or__(self, other: LayerFrozenBitmask) -> LayerFrozenBitmask:
        return self._combined(other, int.__or__)

    def __sub__(self, other: LayerFrozenBitmask) -> LayerFrozenBitmask:
        return self._combined(other, lambda mine, theirs: mine & ~theirs)

    def jaccard(self, other: LayerFrozenBitmask) -> float:
        """Frozen in both over frozen in either; 1 where nothing is frozen in either."""
        either = (self | other).num_frozen
        return (self & other).num_frozen / either if either else 1.0

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, LayerFrozenBitmask) and self.layer_id == other.layer_id
                and self.num_neurons == other.num_neurons and bytes(self._bits) == bytes(other._bits))

    __hash__ = None

    def __repr__(self) -> str:
        return f"LayerFrozenBitmask(layer_id={self.layer_id}, {self.num_frozen} of {self.num_neurons} frozen)"
