# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker extension of vLLM that freezes feed-forward neurons."""
from __future__ import annotations

import torch
from saturation_mask_decoder import load_saturation_masks


def _layers(model: torch.nn.Module) -> list[torch.nn.Module]:
    for name, module in model.named_modules():
        if name.rsplit(".", 1)[-1] == "layers" and isinstance(module, torch.nn.ModuleList):
            return list(module)
    raise ValueError("the model has no list of decoder layers")


class MaskExtension:
    """Its methods become methods of each worker; call them with LLM.collective_rpc."""

    def apply_masks(self, path: str) -> int:
        """Returns how many layers of this worker got a mask."""
        from vllm.distributed import get_tensor_model_parallel_rank, get_tensor_model_parallel_world_size
        masks = load_saturation_masks(path, fallback_to_empty=False)
        if masks is None:
            raise ValueError(f"{path} has no masks")
        rank, size = get_tensor_model_parallel_rank(), get_tensor_model_parallel_world_size()
        done = 0
        for index, layer in enumerate(_layers(self.model_runner.model)):
            down = getattr(getattr(layer, "mlp", None), "down_proj", None)  # none: the layer is another worker's
            if down is None or index not in masks:
                continue
            mask = masks[index]
            if down.input_size != mask.num_neurons:
                raise ValueError(f"the mask of layer {index} does not fit the model; it was made for another one")
            share = mask.num_neurons // size  # each worker has a run of neurons
            keep = torch.from_numpy(mask.to_dense_mask()[rank * share:(rank + 1) * share])

            def freeze(module, arguments, keep=keep):
                h, *rest = arguments
                return (h * keep.to(device=h.device, dtype=h.dtype), *rest)

            down.register_forward_pre_hook(freeze)
            done += 1
        return done
