# SPDX-License-Identifier: GPL-3.0-or-later
"""The masks of a model."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Iterator

from .bitmask import LayerFrozenBitmask

# Keys beside the blob, in GGUF metadata and in "__metadata__" of safetensors.
BLOB_KEY = "permafrost.masks"
MODEL_KEY = "permafrost.masks.model_name"
METHOD_KEY = "permafrost.masks.method"
DATE_KEY = "permafrost.masks.date"
CLIFF_KEY = "permafrost.masks.cliff_scores"
SKETCH_KEY = "permafrost.corpus_sketch"
OWN_KEYS = (BLOB_KEY, MODEL_KEY, METHOD_KEY, DATE_KEY, CLIFF_KEY, SKETCH_KEY)


@dataclass
class SaturationMasks:
    """Masks by layer, and what they are of."""

    layers: dict[int, LayerFrozenBitmask] = field(default_factory=dict)
    model_name: str = ""
    method: str = ""
    timestamp: str = ""
    cliff_scores: dict[int, float] = field(default_factory=dict)
    corpus_sketch: str = ""  # of the text that they were made from, as Permafrost writes it

    @classmethod
    def of(cls, masks: SaturationMasks | dict[int, LayerFrozenBitmask]) -> SaturationMasks:
        return masks if isinstance(masks, SaturationMasks) else cls(dict(masks))

    def __getitem__(self, layer: int) -> LayerFrozenBitmask:
        return self.layers[layer]

    def __iter__(self) -> Iterator[int]:
        return iter(self.layers)

    def __len__(self) -> int:
        return len(self.layers)

    def items(self):
        return self.layers.items()

    def num_neurons(self) -> int:
        return sum(mask.num_neurons for mask in self.layers.values())

    def num_frozen(self) -> int:
        return sum(mask.num_frozen for mask in self.layers.values())

    def pct_frozen(self) -> float:
        neurons = self.num_neurons()
        return 100.0 * self.num_frozen() / neurons if neurons else 0.0

    def metadata(self) -> dict:
        return {"model_name": self.model_name, "method": self.method, "timestamp": self.timestamp,
                "layers": len(self.layers), "neurons": self.num_neurons(), "frozen": self.num_frozen(),
                "pct_frozen": self.pct_frozen()}

    def facts(self) -> dict[str, str]:
        """The texts beside the blob, by key in order; an empty one is not there."""
        cliffs = {str(layer): score for layer, score in sorted(self.cliff_scores.items())}
        texts = {SKETCH_KEY: self.corpus_sketch, DATE_KEY: self.timestamp, METHOD_KEY: self.method,
                 MODEL_KEY: self.model_name,
                 CLIFF_KEY: json.dumps(cliffs, separators=(",", ":")) if cliffs else ""}
        return dict(sorted(texts.items()))

    def read_facts(self, texts: dict[str, str]) -> None:
        self.model_name = self.model_name or texts.get(MODEL_KEY, "")
        self.method = self.method or texts.get(METHOD_KEY, "")
        self.timestamp = self.timestamp or texts.get(DATE_KEY, "")
        self.corpus_sketch = texts.get(SKETCH_KEY, "")
        self.cliff_scores = cliff_scores_in(texts.get(CLIFF_KEY, ""))


def cliff_scores_in(text: str) -> dict[int, float]:
    """{"layer": score}; what is no layer or no score from 0 to 1 is left out."""
    try:
        scores = json.loads(text) if text else {}
    except ValueError:
        return {}
    if not isinstance(scores, dict):
        return {}
    return {int(layer): float(score) for layer, score in scores.items()
            if layer.isdecimal() and isinstance(score, (int, float)) and 0 <= score <= 1}
