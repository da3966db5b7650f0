# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds out what kind of file it is and reads its masks."""
from __future__ import annotations

import logging
import os
from pathlib import Path

from .bitmask import LayerFrozenBitmask
from .errors import MaskError
from .gguf_file import read_gguf
from .knot_file import read_knot
from .masks import SaturationMasks
from .safetensors_file import read_safetensors
from .sidecar import ENDING, read_sidecar


def _reader_of(path: Path):
    if path.suffix == ".json":
        return read_sidecar
    with open(path, "rb") as file:
        magic = file.read(4)
    return {b"GGUF": read_gguf, b"KNOT": read_knot}.get(magic, read_safetensors)


def _read_folder(folder: Path) -> SaturationMasks | None:
    for path in sorted(folder.glob("*.safetensors")):
        if masks := read_safetensors(str(path)):
            return masks
    sidecars = list(folder.glob("*" + ENDING))
    return read_sidecar(str(sidecars[0])) if len(sidecars) == 1 else None


def read_saturation_masks(model_path: os.PathLike | str) -> SaturationMasks:
    """The masks of a .safetensors, .gguf, .rknot or .saturation.json, of a folder that has one of these, or those beside a model
    without masks of its own. Raises MaskError with the reason."""
    path = Path(model_path)
    try:
        masks = _read_folder(path) if path.is_dir() else _reader_of(path)(str(path))
        beside = path.with_suffix(ENDING)
        if masks is None and not path.is_dir() and beside.exists():
            masks = read_sidecar(str(beside))
    except OSError as error:
        raise MaskError(f"{path}: it cannot be read: {error.strerror}") from error
    if masks is None:
        raise MaskError(f"{path}: it carries no masks")
    return masks


def _read_or_log(model_path: os.PathLike | str) -> SaturationMasks | None:
    try:
        return read_saturation_masks(model_path)
    except MaskError as error:
        logging.getLogger(__name__).warning("%s", error)
        return None


def load_saturation_masks(model_path: os.PathLike | str,
                          fallback_to_empty: bool = True) -> dict[int, LayerFrozenBitmask] | None:
    """Masks by layer. Where there are none, or they are damaged: {} so that inference goes on without, or None."""
    masks = _read_or_log(model_path)
    if masks is not None:
        return masks.layers
    return {} if fallback_to_empty else None


def load_cliff_scores(model_path: os.PathLike | str) -> dict[int, float]:
    """How suddenly each layer's neurons fall silent along a sequence, 0 to 1; {} where it is not known."""
    masks = _read_or_log(model_path)
    return masks.cliff_scores if masks is not None else {}


def load_saturation_metadata(model_path: os.PathLike | str) -> dict | None:
    """What the masks are of; None without masks."""
    masks = _read_or_log(model_path)
    return masks.metadata() if masks is not None else None
