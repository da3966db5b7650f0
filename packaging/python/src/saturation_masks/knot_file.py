# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks in the JSON header of a .rknot: "KNOT", u16 major, u16 minor, u64 length, the header."""
from __future__ import annotations

import json
import os
import struct

from .bitmask import LayerFrozenBitmask
from .errors import MaskError
from .masks import SaturationMasks

_START = struct.Struct("<4sHHQ")


def maps_in(maps: dict, where: str) -> SaturationMasks:
    """Of a SaturationMaps as serde_json writes it."""
    layers: dict[int, LayerFrozenBitmask] = {}
    try:
        for mask in maps["ffn_frozen_per_layer"].values():
            layer = mask["layer_id"]
            if layer in layers:
                raise ValueError(f"layer {layer} has two masks")
            layers[layer] = LayerFrozenBitmask(layer, mask["num_neurons"], bytes(mask["frozen_mask"]))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise MaskError(f"{where}: its saturation_maps cannot be read ({error}); the file is damaged") from error
    return SaturationMasks(dict(sorted(layers.items())), maps.get("model_name") or "",
                           maps.get("profile_method") or "", maps.get("profile_date") or "")


def read_knot(path: str) -> SaturationMasks | None:
    """None for a file without masks."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        start = file.read(_START.size)
        if len(start) < _START.size or not start.startswith(b"KNOT"):
            raise MaskError(f"{path}: it does not begin with KNOT")
        _, major, minor, length = _START.unpack(start)
        if major != 1:
            raise MaskError(f"{path}: a .rknot of version {major}.{minor}; versions 1.x are read")
        if length > size - _START.size:
            raise MaskError(f"{path}: it ends inside its header: it is truncated or damaged")
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError) as error:
            raise MaskError(f"{path}: its header is damaged: {error}") from error
    maps = header.get("saturation_maps") if isinstance(header, dict) else None
    if maps is None:
        return None
    masks = maps_in(maps, path)
    masks.read_facts({entry[0]: entry[2] for entry in header.get("metadata", [])
                      if isinstance(entry, list) and len(entry) == 3 and isinstance(entry[2], str)})
    return masks
