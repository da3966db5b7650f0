# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks to test readers with, of the shapes of four models. The masks are random, not measured: each model's average share is the
one that the seeds' table expects, and layers freeze more the deeper they lie.

    python -m saturation_masks.fixtures generate FOLDER
    python -m saturation_masks.fixtures verify FOLDER
"""
from __future__ import annotations

import argparse
import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

from .bitmask import LayerFrozenBitmask
from .blob import serialize_masks_blob
from .errors import MaskError
from .masks import SaturationMasks
from .reading import read_saturation_masks
from .sidecar import ENDING, encode_masks_to_sidecar


@dataclass(frozen=True)
class Shape:
    """layers, neurons a layer; the method and the average share of frozen neurons in the seeds' table of expected statistics."""

    layers: int
    neurons: int
    method: str
    pct_frozen: float
    blob_sha256: str


SHAPES = {
    "phi-3-mini": Shape(32, 8192, "variance_gradient", 12.5,
                        "277fd0621e4152ec86c501e58cfb29c71df6e620632dc75693653224d13447e1"),
    "qwen2.5-7b": Shape(28, 18944, "variance_gradient", 10.2,
                        "b2042641b874703f6b1c26ed917ad731389916201e223d6a5c4bf53d82d62028"),
    "gemma-9b": Shape(42, 14336, "statistical", 8.1,
                        "8a995649f0ef9c8cdd4dec75818b79e8903afbe6e87380b878ec266357d18103"),
    "llama-70b": Shape(80, 28672, "variance_gradient", 6.3,
                        "6de1c43b9eb01272b96ea226a0245b84d93d976be5d8f7fd8e911d830d095cc8"),
}


def _layer(name: str, layer: int, shape: Shape) -> LayerFrozenBitmask:
    depth = layer / (shape.layers - 1)
    frozen = round(shape.neurons * shape.pct_frozen / 100 * (0.5 + depth))
    stream = hashlib.shake_256(f"{name} layer {layer}".encode()).digest(8 * shape.neurons)
    keys = [stream[8 * i:8 * i + 8] for i in range(shape.neurons)]
    order = sorted(range(shape.neurons), key=keys.__getitem__)
    return LayerFrozenBitmask.from_indices(layer, shape.neurons, order[:frozen])


def make(name: str) -> SaturationMasks:
    """The same on every machine."""
    shape = SHAPES[name]
    layers = {layer: _layer(name, layer, shape) for layer in range(shape.layers)}
    return SaturationMasks(layers, f"random masks of the shape of {name}", shape.method)


def generate(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        encode_masks_to_sidecar(make(name), folder / (name + ENDING))


def verify(folder: Path, names: list[str]) -> list[str]:
    """Prints a row a fixture and returns what is wrong."""
    wrong = []
    print(f"{'fixture':<12} {'layers':>6} {'neurons':>8} {'method':<18} {'expected %':>10} {'frozen %':>9} {'blob':>9}")
    for name in names:
        shape = SHAPES[name]
        try:
            masks = read_saturation_masks(folder / (name + ENDING))
        except MaskError as error:
            wrong.append(str(error))
            continue
        blob = serialize_masks_blob(masks.layers)
        print(f"{name:<12} {len(masks):>6} {shape.neurons:>8} {masks.method:<18} {shape.pct_frozen:>10.1f} "
              f"{masks.pct_frozen():>9.2f} {len(blob):>9}")
        if [(mask.layer_id, mask.num_neurons) for mask in masks.layers.values()] != [
                (layer, shape.neurons) for layer in range(shape.layers)]:
            wrong.append(f"{name}: its layers are not {shape.layers} of {shape.neurons} neurons")
        if masks.method != shape.method or round(masks.pct_frozen(), 1) != shape.pct_frozen:
            wrong.append(f"{name}: method or average share is not the expected one")
        if hashlib.sha256(blob).hexdigest() != shape.blob_sha256:
            wrong.append(f"{name}: its masks are not those that `generate` makes; generate them again")
    return wrong


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m saturation_masks.fixtures",
                                     description="Random masks of the shapes of known models.")
    parser.add_argument("action", choices=["generate", "verify"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", nargs="+", choices=list(SHAPES), default=list(SHAPES))
    options = parser.parse_args(arguments)
    if options.action == "generate":
        generate(options.folder, options.models)
    wrong = verify(options.folder, options.models)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
