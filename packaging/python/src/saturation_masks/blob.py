# SPDX-License-Identifier: GPL-3.0-or-later
"""The mask blob, little-endian:

    0 "PFMB"   4 u16 version   6 u16 minor version   8 u32 layers   12 u32 zero   16 u64 bytes in all   24 u64 zero
   32 SHA-256 of the blob with these 32 bytes zero
   64 for each layer: u32 layer, u32 neurons, u32 frozen, u32 place of its mask; then the masks, ceil(neurons / 8) bytes
"""
from __future__ import annotations

import hashlib
import logging
import struct

from .bitmask import LayerFrozenBitmask
from .errors import MaskError

_HEADER = struct.Struct("<4sHHIIQQ32s")
_RECORD = struct.Struct("<IIII")
_VERSION = 1
_DIGEST = slice(32, 64)


def _digest(blob: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(blob[: _DIGEST.start])
    digest.update(bytes(32))
    digest.update(blob[_DIGEST.stop:])
    return digest.digest()


def serialize_masks_blob(masks: dict[int, LayerFrozenBitmask]) -> bytes:
    records, bits = [], []
    place = _HEADER.size + _RECORD.size * len(masks)
    for layer, mask in sorted(masks.items()):
        records.append(_RECORD.pack(layer, mask.num_neurons, mask.num_frozen, place))
        bits.append(mask.frozen_mask)
        place += len(bits[-1])
    blob = bytearray(_HEADER.pack(b"PFMB", _VERSION, 0, len(masks), 0, place, 0, bytes(32)))
    blob += b"".join(records + bits)
    blob[_DIGEST] = _digest(blob)
    return bytes(blob)


def deserialize_masks_blob(blob: bytes | memoryview, where: str = "blob") -> dict[int, LayerFrozenBitmask]:
    """The masks by layer, ascending; they share the blob's memory. Raises MaskError for anything that is not as it was
    written."""
    view = memoryview(blob)
    if len(view) < _HEADER.size or view[:4] != b"PFMB":
        raise MaskError(f"{where}: its masks are no block of masks")
    _, version, _, count, _, size, _, digest = _HEADER.unpack_from(view)
    if version > _VERSION:
        raise MaskError(f"{where}: its masks were written by a newer Permafrost; use a newer saturation-masks")
    if size != len(view):
        raise MaskError(f"{where}: its masks have {len(view)} bytes and say {size}; the file is truncated or damaged")
    if digest != _digest(view):
        raise MaskError(f"{where}: the checksum of its masks is wrong; the file is damaged, encode the masks again")
    first_mask = _HEADER.size + _RECORD.size * count
    if first_mask > size:
        raise MaskError(f"{where}: its masks have fewer bytes than layers")
    masks: dict[int, LayerFrozenBitmask] = {}
    last = -1
    for layer, neurons, frozen, place in _RECORD.iter_unpack(view[_HEADER.size:first_mask]):
        end = place + (neurons + 7) // 8
        if layer <= last or place < first_mask or end > size:
            raise MaskError(f"{where}: the mask of layer {layer} is out of place")
        last = layer
        try:
            masks[layer] = LayerFrozenBitmask(layer, neurons, view[place:end])
        except ValueError as error:
            raise MaskError(f"{where}: {error}") from error
        if masks[layer].num_frozen != frozen:
            raise MaskError(f"{where}: the mask of layer {layer} contradicts its count of frozen neurons")
    return masks


def _deserialize_masks_blob(blob: bytes | memoryview) -> dict[int, LayerFrozenBitmask]:
    """{} for a blob that is empty or damaged; the reason is logged."""
    try:
        return deserialize_masks_blob(blob)
    except MaskError as error:
        logging.getLogger(__name__).warning("%s", error)
        return {}
