# SPDX-License-Identifier: GPL-3.0-or-later
"""Frozen feed-forward neurons in a model of Text Generation Inference."""
from __future__ import annotations

import torch
from saturation_mask_decoder import load_saturation_masks


class SaturatedFFN(torch.nn.Module):
    """A down projection whose frozen inputs are zero. `rank` of `size`: the run of neurons that this process has."""

    def __init__(self, down: torch.nn.Module, mask, rank: int = 0, size: int = 1) -> None:
        super().__init__()
        share = mask.num_neurons // size
        self.down = down
        self.register_buffer("keep", torch.from_numpy(mask.to_dense_mask()[rank * share:(rank + 1) * share]),
                             persistent=False)

    def forward(self, h: torch.Tensor, *rest):
        return self.down(h * self.keep.to(device=h.device, dtype=h.dtype), *rest)


def apply_masks(model: torch.nn.Module, path: str = "masks.saturation.json", rank: int = 0, size: int = 1) -> None:
    for name, module in model.named_modules():
        if name.rsplit(".", 1)[-1] == "layers" and isinstance(module, torch.nn.ModuleList):
            for index, mask in load_saturation_masks(path).items():
                module[index].mlp.down_proj = SaturatedFFN(module[index].mlp.down_proj, mask, rank, size)
            return
    raise ValueError("the model has no list of decoder layers")
