# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads masks of frozen feed-forward neurons, and shows what a file has."""
from __future__ import annotations

import argparse
import sys

from saturation_masks import (LayerFrozenBitmask, MaskError, SaturationMasks, _deserialize_masks_blob,
                              load_cliff_scores, load_saturation_masks, load_saturation_metadata,
                              read_saturation_masks)

__all__ = ["LayerFrozenBitmask", "SaturationMasks", "_deserialize_masks_blob", "load_cliff_scores",
           "load_saturation_masks", "load_saturation_metadata"]


def _print_layers(masks: SaturationMasks) -> None:
    print(f"\n{'layer':<6} {'neurons':>8} {'frozen':>8} {'%':>6} {'speed-up':>9}  cliff score")
    for layer, mask in masks.items():
        score = masks.cliff_scores.get(layer)
        print(f"{layer:<6} {mask.num_neurons:>8} {mask.num_frozen:>8} {mask.pct_frozen():>6.1f} "
              f"{mask.estimated_speedup():>8.3f}x  {'' if score is None else f'{score:.3f}'}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="saturation-mask-decoder", description="Shows the masks in a file.")
    parser.add_argument("--model", required=True, help=".safetensors, .gguf, .rknot, .saturation.json or a folder")
    parser.add_argument("--layer-summary", action="store_true", help="a line for each layer")
    parser.add_argument("--show-metadata", action="store_true", help="model, method and time")
    options = parser.parse_args(arguments)
    try:
        masks = read_saturation_masks(options.model)
    except MaskError as error:
        print(f"saturation-mask-decoder: {error}", file=sys.stderr)
        return 1
    print(f"{len(masks)} layers, {masks.num_frozen()} of {masks.num_neurons()} neurons frozen "
          f"({masks.pct_frozen():.2f} %)")
    if options.show_metadata:
        print(f"model: {masks.model_name}\nmethod: {masks.method}\ntimestamp: {masks.timestamp}")
    if options.layer_summary:
        _print_layers(masks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
