#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/tensor/data/<type>.bin: random blocks of each type and what gguf-py makes of them.

Layout: u32 elements, u32 bytes of blocks, the blocks, the elements as f32; little-endian.
Needs: pip install gguf numpy. Equal runs give equal files.
"""
import pathlib

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf.constants import GGML_QUANT_SIZES
from gguf.quants import dequantize

# Where a block keeps its half-precision factors; all other bytes may be anything.
HALVES = {
    "F16": [0], "BF16": [], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0],
    "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}
ELEMENTS = 1024


def random_half(random: np.random.Generator) -> bytes:
    """A finite half of any magnitude, denormal ones too."""
    while True:
        half = random.integers(0, 65536, dtype=np.uint16).view(np.float16)
        if np.isfinite(half):
            return half.tobytes()


def main() -> None:
    folder = pathlib.Path(__file__).parent / "data"
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(20260517)
    for name, halves in HALVES.items():
        block_elements, block_bytes = GGML_QUANT_SIZES[Type[name]]
        blocks = random.integers(0, 256, (ELEMENTS // block_elements, block_bytes), dtype=np.uint8)
        for block in blocks:
            for place in halves:
                block[place:place + 2] = np.frombuffer(random_half(random), dtype=np.uint8)
        if name == "BF16":  # keep NaNs out: their bits are nobody's promise
            blocks[:, 1] &= 0xBF
        raw = blocks.tobytes()
        packed = np.frombuffer(raw, dtype={"F16": np.float16}.get(name, np.uint8))
        values = dequantize(packed.reshape(1, -1), Type[name]).astype(np.float32).ravel()
        assert values.size == ELEMENTS and np.isfinite(values).all(), name
        header = np.array([ELEMENTS, len(raw)], dtype=np.uint32).tobytes()
        (folder / f"{name.lower()}.bin").write_bytes(header + raw + values.tobytes())


if __name__ == "__main__":
    main()
