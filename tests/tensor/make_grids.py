#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes core/tensor/grid_codes.h from the grids that gguf-py carries (gguf/quants.py, which has them from
ggml-common.h of llama.cpp). Needs: pip install gguf numpy. Equal runs give equal files."""
import pathlib

import numpy as np
from gguf import quants

HEADER = """// SPDX-License-Identifier: GPL-3.0-or-later
//
// The grids of ggml's IQ1, IQ2 and IQ3 types: facts of the file format, taken from ggml-common.h of llama.cpp by
// tests/tensor/make_grids.py. A code is one entry of a grid; its digits, lowest first, choose the values of 8 (two bits
// each) or 4 (four bits each) neighbouring elements from the type's short list of values, see decode_grid_blocks.cpp.
#pragma once

#include <cstdint>

namespace permafrost::tensor {

// clang-format off
"""
FOOTER = """// clang-format on

} // namespace permafrost::tensor
"""


def codes_of(kind) -> np.ndarray:
    """16 bits an entry: 8 digits of two bits or 4 of four."""
    packed = np.frombuffer(bytes.fromhex(b"".join([kind.grid_hex]).decode()), dtype=np.uint8)
    codes = packed.view("<u2")
    entries, values = kind.grid_shape
    assert codes.size == entries
    kind.init_grid()
    bits = 16 // values
    digits = (codes[:, None] >> (bits * np.arange(values))) & ((1 << bits) - 1)
    assert np.array_equal(np.array(kind.grid_map)[digits], kind.grid.reshape(entries, values))
    return codes


def main() -> None:
    text = HEADER
    for name in ("IQ1_S", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S"):
        kind = getattr(quants, name)
        codes = codes_of(kind)
        text += f"inline constexpr std::uint16_t {name.lower()}_codes[{codes.size}] = {{\n"
        for begin in range(0, codes.size, 16):
            text += "    " + " ".join(f"0x{code:04x}," for code in codes[begin:begin + 16]) + "\n"
        text += "};\n"
        print(name, kind.grid_map)
    target = pathlib.Path(__file__).parents[2] / "core/tensor/grid_codes.h"
    target.write_text(text + FOOTER)


if __name__ == "__main__":
    main()
