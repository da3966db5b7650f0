# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts masks of frozen feed-forward neurons into model files. The masks are made by `permafrost-cli profile` and `mask`."""
from __future__ import annotations

import argparse
import sys

from saturation_masks import (LayerFrozenBitmask, MaskError, SaturationMasks, encode_masks_to_gguf,
                              encode_masks_to_safetensors, encode_masks_to_sidecar, read_saturation_masks)

__all__ = ["LayerFrozenBitmask", "SaturationMasks", "encode_masks_to_gguf", "encode_masks_to_safetensors",
           "encode_masks_to_sidecar"]


def _encode(model: str, masks: SaturationMasks, output: str) -> None:
    if output.endswith(".gguf"):
        encode_masks_to_gguf(model, masks, output)
    elif output.endswith(".safetensors"):
        encode_masks_to_safetensors(model, masks, output)
    elif output.endswith(".saturation.json"):
        encode_masks_to_sidecar(masks, output)
    else:
        raise MaskError(f"{output}: choose a name that ends in .gguf, .safetensors or .saturation.json")
    if read_saturation_masks(output).layers != masks.layers:
        raise MaskError(f"{output}: the masks that were read back differ from those that were written")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="saturation-mask-encoder", description="Puts masks into a model file.")
    parser.add_argument("--model", required=True, help=".safetensors or .gguf")
    parser.add_argument("--masks", required=True, help="a file with masks, as saturation-mask-decoder reads it")
    parser.add_argument("--output", required=True, help=".safetensors, .gguf or .saturation.json to write")
    options = parser.parse_args(arguments)
    try:
        masks = read_saturation_masks(options.masks)
        _encode(options.model, masks, options.output)
    except (MaskError, OSError) as error:
        print(f"saturation-mask-encoder: {error}", file=sys.stderr)
        return 1
    print(f"Wrote {options.output} with the masks of {len(masks)} layers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
