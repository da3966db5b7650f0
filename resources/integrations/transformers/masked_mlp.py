# SPDX-License-Identifier: GPL-3.0-or-later
"""Frozen feed-forward neurons in a model of transformers (Llama, Mistral, Qwen, Gemma, Phi-3 and others with a gated MLP)."""
from __future__ import annotations

import sys

import torch
from saturation_mask_decoder import load_saturation_masks


def gated_mlps(model: torch.nn.Module) -> list[torch.nn.Module]:
    """The MLP of each decoder layer, in order."""
    for name, module in model.named_modules():
        if name.rsplit(".", 1)[-1] == "layers" and isinstance(module, torch.nn.ModuleList):
            mlps = [getattr(layer, "mlp", None) for layer in module]
            if mlps and all(hasattr(mlp, "down_proj") for mlp in mlps):
                return mlps
    raise ValueError("the model has no decoder layers with a gated MLP (mlp.down_proj)")


def _checked(mlps, masks):
    for layer, mask in masks.items():
        if layer >= len(mlps) or mlps[layer].down_proj.in_features != mask.num_neurons:
            raise ValueError(f"the mask of layer {layer} does not fit the model; it was made for another one")
        yield mlps[layer], mask


def apply_masks(model: torch.nn.Module, masks: dict) -> list:
    """Sets the frozen neurons' h to zero before the down projection. Returns handles; remove() undoes each."""
    handles = []
    for mlp, mask in _checked(gated_mlps(model), masks):
        keep = torch.from_numpy(mask.to_dense_mask())

        def freeze(module, arguments, keep=keep):
            h, *rest = arguments
            return (h * keep.to(device=h.device, dtype=h.dtype), *rest)

        handles.append(mlp.down_proj.register_forward_pre_hook(freeze))
    return handles


def _keep_outputs(linear: torch.nn.Linear, kept: torch.Tensor) -> None:
    linear.weight = torch.nn.Parameter(linear.weight[kept].clone(), requires_grad=False)
    if linear.bias is not None:
        linear.bias = torch.nn.Parameter(linear.bias[kept].clone(), requires_grad=False)
    linear.out_features = len(kept)


@torch.no_grad()
def remove_neurons(model: torch.nn.Module, masks: dict) -> None:
    """Cuts the frozen neurons out of the MLPs; layers then differ in width, so the model cannot be saved as before."""
    for mlp, mask in _checked(gated_mlps(model), masks):
        kept = torch.from_numpy(mask.to_dense_mask()).nonzero().flatten().to(mlp.down_proj.weight.device)
        if hasattr(mlp, "gate_up_proj"):
            _keep_outputs(mlp.gate_up_proj, torch.cat([kept, kept + mask.num_neurons]))
        else:
            _keep_outputs(mlp.gate_proj, kept)
            _keep_outputs(mlp.up_proj, kept)
        mlp.down_proj.weight = torch.nn.Parameter(mlp.down_proj.weight[:, kept].clone(), requires_grad=False)
        mlp.down_proj.in_features = len(kept)


def main() -> int:
    from transformers import AutoModelForCausalLM, AutoTokenizer
    if len(sys.argv) != 2:
        print("usage: masked_mlp.py MODEL", file=sys.stderr)
        return 2
    tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
    model = AutoModelForCausalLM.from_pretrained(sys.argv[1]).eval()
    masks = load_saturation_masks("masks.saturation.json", fallback_to_empty=False)
    if masks is None:
        return 1
    tokens = tokenizer("The ice in the ground stays frozen from year to year.", return_tensors="pt")
    with torch.no_grad():
        dense = model(**tokens).logits.float().log_softmax(-1)
        apply_masks(model, masks)
        masked = model(**tokens).logits.float().log_softmax(-1)
    divergence = (dense.exp() * (dense - masked)).sum(-1).mean()
    agreement = (dense.argmax(-1) == masked.argmax(-1)).float().mean()
    print(f"KL divergence {divergence:.6f}, same first choice {100 * agreement:.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
