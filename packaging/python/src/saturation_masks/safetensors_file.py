# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks in "__metadata__" of a .safetensors: the blob in base64."""
from __future__ import annotations

import base64
import binascii
import json
import os
import struct
from typing import BinaryIO

from .bitmask import LayerFrozenBitmask
from .blob import deserialize_masks_blob, serialize_masks_blob
from .errors import MaskError
from .files import atomic_file, copy_rest
from .masks import BLOB_KEY, SaturationMasks

_LONGEST_HEADER = 100_000_000  # the format's own limit


def _read_header(file: BinaryIO, where: str) -> dict:
    """Leaves the file at the first byte of the data."""
    size = os.fstat(file.fileno()).st_size
    start = file.read(8)
    length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
    if not 2 <= length <= min(_LONGEST_HEADER, size - 8):
        raise MaskError(f"{where}: it does not begin with a safetensors header")
    try:
        header = json.loads(file.read(length))
    except (ValueError, RecursionError) as error:
        raise MaskError(f"{where}: its header is damaged: {error}") from error
    if not isinstance(header, dict) or not isinstance(header.get("__metadata__", {}), dict):
        raise MaskError(f"{where}: it does not begin with a safetensors header")
    return header


def read_safetensors(path: str) -> SaturationMasks | None:
    """None for a file without masks."""
    with open(path, "rb") as file:
        metadata = _read_header(file, path).get("__metadata__", {})
    texts = {key: value for key, value in metadata.items() if isinstance(value, str)}
    if BLOB_KEY not in texts:
        return None
    try:
        blob = base64.b64decode(texts[BLOB_KEY], validate=True)
    except (binascii.Error, ValueError) as error:
        raise MaskError(f"{path}: its masks are no base64; the file is damaged, encode the masks again") from error
    masks = SaturationMasks(deserialize_masks_blob(blob, path))
    masks.read_facts(texts)
    return masks


def _changed_header(header: dict, changes: dict[str, str]) -> bytes:
    metadata = header.pop("__metadata__", {})
    for key, text in sorted(changes.items()):
        if text:
            metadata[key] = text
        else:
            metadata.pop(key, None)
    text = json.dumps({"__metadata__": metadata} | header, separators=(",", ":"), ensure_ascii=False)
    encoded = text.encode("utf-8")
    return encoded + b" " * (-len(encoded) % 8)


def encode_masks_to_safetensors(model_path: os.PathLike | str,
                                masks: SaturationMasks | dict[int, LayerFrozenBitmask],
                                output_path: os.PathLike | str) -> None:
    """Writes the model with the masks in it; the tensors' bytes stay as they are, masks that it had are replaced."""
    masks = SaturationMasks.of(masks)
    changes = masks.facts() | {BLOB_KEY: base64.b64encode(serialize_masks_blob(masks.layers)).decode("ascii")}
    with open(model_path, "rb") as source:
        header = _changed_header(_read_header(source, os.fspath(model_path)), changes)
        if len(header) > _LONGEST_HEADER:
            raise MaskError(f"{output_path}: its header would be larger than the format allows")
        with atomic_file(output_path, model_path) as target:
            target.write(struct.pack("<Q", len(header)) + header)
            copy_rest(source, target)
