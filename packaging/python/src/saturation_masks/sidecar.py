# SPDX-License-Identifier: GPL-3.0-or-later
"""NAME.saturation.json: the masks beside a model whose file stays as it is."""
from __future__ import annotations

import base64
import binascii
import json
import os

from .bitmask import LayerFrozenBitmask
from .blob import deserialize_masks_blob, serialize_masks_blob
from .errors import MaskError
from .files import atomic_file
from .masks import SaturationMasks, cliff_scores_in

ENDING = ".saturation.json"
_FORMAT, _VERSION = "permafrost-saturation", 1


def read_sidecar(path: str) -> SaturationMasks:
    try:
        with open(path, encoding="utf-8") as file:
            fields = json.load(file)
    except (ValueError, RecursionError) as error:
        raise MaskError(f"{path}: it is damaged: {error}") from error
    if not isinstance(fields, dict) or fields.get("format") != _FORMAT:
        raise MaskError(f"{path}: it is no file of masks")
    version = fields.get("version")
    if not isinstance(version, int) or version > _VERSION:
        raise MaskError(f"{path}: it was written by a newer Permafrost; use a newer saturation-masks")
    try:
        blob = base64.b64decode(fields.get("masks", ""), validate=True)
    except (binascii.Error, TypeError, ValueError) as error:
        raise MaskError(f"{path}: its masks are no base64; the file is damaged, encode the masks again") from error
    text = lambda key: fields[key] if isinstance(fields.get(key), str) else ""
    return SaturationMasks(deserialize_masks_blob(blob, path), text("model_name"), text("profile_method"),
                           text("profile_date"), cliff_scores_in(json.dumps(fields.get("cliff_scores", {}))),
                           text("corpus_sketch"))


def encode_masks_to_sidecar(masks: SaturationMasks | dict[int, LayerFrozenBitmask],
                            output_path: os.PathLike | str) -> None:
    masks = SaturationMasks.of(masks)
    fields = {"format": _FORMAT, "version": _VERSION, "model_name": masks.model_name,
              "profile_method": masks.method, "profile_date": masks.timestamp,
              "cliff_scores": {str(layer): score for layer, score in sorted(masks.cliff_scores.items())},
              "layers": [{"layer": layer, "neurons": mask.num_neurons, "frozen": mask.num_frozen,
                          "pct_frozen": mask.pct_frozen()} for layer, mask in sorted(masks.items())]}
    if masks.corpus_sketch:
        fields["corpus_sketch"] = masks.corpus_sketch
    fields["masks"] = base64.b64encode(serialize_masks_blob(masks.layers)).decode("ascii")
    with atomic_file(output_path) as file:
        file.write((json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8"))
