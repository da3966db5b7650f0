# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks of frozen feed-forward neurons in model files."""
from .bitmask import LayerFrozenBitmask
from .blob import _deserialize_masks_blob, deserialize_masks_blob, serialize_masks_blob
from .errors import MaskError
from .gguf_file import encode_masks_to_gguf
from .masks import SaturationMasks
from .reading import (load_cliff_scores, load_saturation_masks, load_saturation_metadata,
                      read_saturation_masks)
from .safetensors_file import encode_masks_to_safetensors
from .sidecar import encode_masks_to_sidecar

__all__ = [
    "LayerFrozenBitmask", "MaskError", "SaturationMasks", "deserialize_masks_blob", "encode_masks_to_gguf",
    "encode_masks_to_safetensors", "encode_masks_to_sidecar", "load_cliff_scores", "load_saturation_masks",
    "load_saturation_metadata", "read_saturation_masks", "serialize_masks_blob",
]
