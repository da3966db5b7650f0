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
# Types that came later: random blocks of their own seed, and blocks whose factors are as large, small or empty as a half
# can be.
LATER_HALVES = {
    "Q2_K": [80, 82], "Q3_K": [108], "IQ1_S": [0], "IQ1_M": [], "IQ2_XXS": [0], "IQ2_XS": [0], "IQ2_S": [0],
    "IQ3_XXS": [0], "IQ3_S": [0], "IQ4_NL": [0], "IQ4_XS": [0], "TQ1_0": [52], "TQ2_0": [64], "MXFP4": [],
    "Q1_0": [0], "Q2_0": [0],
}
EXTREMES = [0x7BFF, 0x8001, 0x8000]  # largest, smallest negative, minus zero
SIZES = GGML_QUANT_SIZES | {"Q1_0": (128, 18), "Q2_0": (64, 18)}
ELEMENTS = 1024


def random_half(random: np.random.Generator) -> bytes:
    """A finite half of any magnitude, denormal ones too."""
    while True:
        half = random.integers(0, 65536, dtype=np.uint16).view(np.float16)
        if np.isfinite(half):
            return half.tobytes()


def few_bits(blocks: np.ndarray, bits: int) -> np.ndarray:
    """Q1_0 and Q2_0, which gguf-py does not know; dequantize_row_q1_0 and _q2_0 in ggml-quants.c."""
    d = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    digits = (blocks[:, 2:, None] >> np.arange(0, 8, bits, dtype=np.uint8)) & ((1 << bits) - 1)
    digits = digits.reshape(len(blocks), -1)
    quants = np.where(digits == 1, 1, -1) if bits == 1 else digits.astype(np.int8) - 1
    return d * quants.astype(np.float32)


def values_of(name: str, blocks: np.ndarray) -> np.ndarray:
    if name in ("Q1_0", "Q2_0"):
        return few_bits(blocks, int(name[1])).ravel()
    packed = np.frombuffer(blocks.tobytes(), dtype={"F16": np.float16}.get(name, np.uint8))
    return dequantize(packed.reshape(1, -1), Type[name]).astype(np.float32).ravel()


def write(folder: pathlib.Path, name: str, blocks: np.ndarray) -> None:
    raw = blocks.tobytes()
    values = values_of(name, blocks)
    assert values.size == ELEMENTS and np.isfinite(values).all(), name
    header = np.array([ELEMENTS, len(raw)], dtype=np.uint32).tobytes()
    (folder / f"{name.lower()}.bin").write_bytes(header + raw + values.tobytes())


def random_blocks(name: str, halves: list[int], random: np.random.Generator) -> np.ndarray:
    block_elements, block_bytes = SIZES[name] if name in SIZES else SIZES[Type[name]]
    blocks = random.integers(0, 256, (ELEMENTS // block_elements, block_bytes), dtype=np.uint8)
    for block in blocks:
        for place in halves:
            block[place:place + 2] = np.frombuffer(random_half(random), dtype=np.uint8)
    return blocks


def set_iq1_m_factor(block: np.ndarray, half: int) -> None:
    """The factor's nibbles are the upper ones of four u16."""
    for i in range(4):
        block[49 + 2 * i] = (block[49 + 2 * i] & 0x0F) | ((half >> 4 * i) & 15) << 4


def later_blocks(name: str, halves: list[int], random: np.random.Generator) -> np.ndarray:
    blocks = random_blocks(name, halves, random)
    for i, extreme in enumerate(EXTREMES):
        for place in halves:
            blocks[1 + i, place:place + 2] = np.frombuffer(np.uint16(extreme).tobytes(), dtype=np.uint8)
        if name == "IQ1_M":
            set_iq1_m_factor(blocks[1 + i], extreme)
    if name == "IQ1_M":
        set_iq1_m_factor(blocks[0], int(np.frombuffer(random_half(random), dtype=np.uint16)[0]))
    if name == "MXFP4":  # from the two denormal factors to the largest that gives no infinity
        blocks[:, 0] = np.resize([0, 1, 2, 127, 251], len(blocks))
    return blocks


def main() -> None:
    folder = pathlib.Path(__file__).parent / "data"
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(20260517)
    for name, halves in HALVES.items():
        blocks = random_blocks(name, halves, random)
        if name == "BF16":  # keep NaNs out: their bits are nobody's promise
            blocks[:, 1] &= 0xBF
        write(folder, name, blocks)
    random = np.random.default_rng(20261201)
    for name, halves in LATER_HALVES.items():
        write(folder, name, later_blocks(name, halves, random))


if __name__ == "__main__":
    main()
