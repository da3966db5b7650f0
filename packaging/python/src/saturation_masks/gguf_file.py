# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks in the keys of a GGUF: the blob as an array of u8. Versions 2 and 3, little-endian."""
from __future__ import annotations

import mmap
import os
import struct

from .bitmask import LayerFrozenBitmask
from .blob import deserialize_masks_blob, serialize_masks_blob
from .errors import MaskError
from .files import atomic_file
from .masks import BLOB_KEY, OWN_KEYS, SaturationMasks

_U8, _STRING, _ARRAY = 0, 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}  # of a value, by its type
_ALIGNMENT_KEY = "general.alignment"
_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")


class _Reader:
    """Reads one value after another and never past the end."""

    def __init__(self, data: mmap.mmap, where: str) -> None:
        self.data, self.where, self.place = data, where, 0

    def skip(self, size: int) -> int:
        """Returns the place before."""
        before = self.place
        if size > len(self.data) - before:
            raise MaskError(f"{self.where}: it ends inside its header: it is truncated or damaged")
        self.place = before + size
        return before

    def u32(self) -> int:
        return _U32.unpack_from(self.data, self.skip(4))[0]

    def u64(self) -> int:
        return _U64.unpack_from(self.data, self.skip(8))[0]

    def string(self) -> bytes:
        size = self.u64()
        begin = self.skip(size)
        return self.data[begin:begin + size]

    def skip_value(self, kind: int, depth: int = 0) -> None:
        if kind == _STRING:
            self.skip(self.u64())
        elif kind == _ARRAY and depth < 4:
            element, count = self.u32(), self.u64()
            if element in _SIZES:
                self.skip(count * _SIZES[element])
                return
            for _ in range(count):
                self.skip_value(element, depth + 1)
        elif kind in _SIZES:
            self.skip(_SIZES[kind])
        else:
            raise MaskError(f"{self.where}: a key has the unknown type {kind}; the file is damaged")


class _Gguf:
    """The keys of a GGUF as raw bytes, its tensor table, and where the data begins."""

    def __init__(self, data: mmap.mmap, where: str) -> None:
        reader = _Reader(data, where)
        self.data = data
        if data[:4] != b"GGUF":
            raise MaskError(f"{where}: it does not begin with GGUF")
        reader.skip(4)
        version = reader.u32()
        if version not in (2, 3):
            raise MaskError(f"{where}: a GGUF of version {version}; versions 2 and 3 are read")
        self.tensors, count = reader.u64(), reader.u64()
        self.values: dict[str, bytes | str | int] = {}  # of our own keys
        self.raw: list[tuple[str, int, int]] = []  # (key, begin, end) of key and value together
        for _ in range(count):
            begin = reader.place
            key = reader.string().decode("utf-8", "replace")
            kind = reader.u32()
            value = reader.place
            reader.skip_value(kind)
            self.raw.append((key, begin, reader.place))
            if key in OWN_KEYS or key == _ALIGNMENT_KEY:
                self.values[key] = self._value(kind, value, reader.place)
        self.table_begin = reader.place
        for _ in range(self.tensors):
            reader.string()
            dimensions = reader.u32()
            if dimensions > 4:
                raise MaskError(f"{where}: a tensor has {dimensions} dimensions; the file is damaged")
            reader.skip(8 * dimensions + 4 + 8)
        self.table_end = reader.place
        alignment = self.values.get(_ALIGNMENT_KEY, 32)
        if not isinstance(alignment, int) or alignment <= 0 or alignment & (alignment - 1):
            raise MaskError(f"{where}: {_ALIGNMENT_KEY} is no power of two; the file is damaged")
        self.alignment = alignment
        self.data_begin = min(len(data), self.table_end + -self.table_end % alignment)

    def _value(self, kind: int, begin: int, end: int) -> bytes | str | int | None:
        if kind == _STRING:
            return self.data[begin + 8:end].decode("utf-8", "replace")
        if kind == _ARRAY and _U32.unpack_from(self.data, begin)[0] == _U8:
            return self.data[begin + 12:end]
        return _U32.unpack_from(self.data, begin)[0] if kind == 4 else None


def _map(path: str) -> mmap.mmap:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < 24:
            raise MaskError(f"{path}: it does not begin with GGUF")
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def read_gguf(path: str) -> SaturationMasks | None:
    """None for a file without masks."""
    with _map(path) as data:
        values = _Gguf(data, path).values
    if BLOB_KEY not in values:
        return None
    blob = values[BLOB_KEY]
    if not isinstance(blob, bytes):
        raise MaskError(f"{path}: its key {BLOB_KEY} is no array of bytes")
    masks = SaturationMasks(deserialize_masks_blob(blob, path))
    masks.read_facts({key: value for key, value in values.items() if isinstance(value, str)})
    return masks


def _packed_string(text: str) -> bytes:
    encoded = text.encode("utf-8")
    return _U64.pack(len(encoded)) + encoded


def encode_masks_to_gguf(gguf_path: os.PathLike | str, masks: SaturationMasks | dict[int, LayerFrozenBitmask],
                         output_path: os.PathLike | str) -> None:
    """Writes the model with the masks in its keys; tensors stay as they are, masks that it had are replaced."""
    masks = SaturationMasks.of(masks)
    blob = serialize_masks_blob(masks.layers)
    added = [_packed_string(BLOB_KEY) + struct.pack("<IIQ", _ARRAY, _U8, len(blob)) + blob]
    added += [_packed_string(key) + _U32.pack(_STRING) + _packed_string(text)
              for key, text in masks.facts().items() if text]
    with _map(os.fspath(gguf_path)) as data:
        gguf = _Gguf(data, os.fspath(gguf_path))
        kept = [data[begin:end] for key, begin, end in gguf.raw if key not in OWN_KEYS]
        header = b"".join([struct.pack("<4sIQQ", b"GGUF", 3, gguf.tensors, len(kept) + len(added)), *kept, *added,
                           data[gguf.table_begin:gguf.table_end]])
        with atomic_file(output_path, gguf_path) as target:
            target.write(header + bytes(-len(header) % gguf.alignment))
            for begin in range(gguf.data_begin, len(data), 8 << 20):
                target.write(data[begin:begin + (8 << 20)])
