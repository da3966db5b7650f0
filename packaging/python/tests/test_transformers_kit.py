# SPDX-License-Identifier: GPL-3.0-or-later
"""The transformers kit on a tiny Llama, whose folder PERMAFROST_TEST_MODEL names. Needs torch and transformers."""
import os
import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
MODEL = os.environ.get("PERMAFROST_TEST_MODEL")
KIT = Path(__file__).resolve().parents[3] / "resources/integrations/transformers"
sys.path.insert(0, str(KIT))

try:
    import torch
    import transformers
except ImportError:
    torch = transformers = None

from saturation_masks import LayerFrozenBitmask  # noqa: E402


@unittest.skipIf(transformers is None or not MODEL, "torch or transformers not found, or PERMAFROST_TEST_MODEL not set")
class TransformersKitTest(unittest.TestCase):
    def setUp(self):
        self.model = transformers.AutoModelForCausalLM.from_pretrained(MODEL).float().eval()
        numbers = random.Random(4)
        layers = self.model.config.num_hidden_layers
        width = self.model.config.intermediate_size
        self.masks = {layer: LayerFrozenBitmask.from_indices(
            layer, width, [i for i in range(width) if numbers.random() < 0.1 * (layer + 1)]) for layer in range(layers)}
        self.tokens = torch.tensor([[numbers.randrange(self.model.config.vocab_size) for _ in range(20)]])

    def logits(self):
        with torch.no_grad():
            return self.model(self.tokens).logits

    def test_masking_is_zeroing_up_rows_and_removing_is_masking(self):
        from masked_mlp import apply_masks, remove_neurons
        dense = self.logits()
        handles = apply_masks(self.model, self.masks)
        masked = self.logits()
        self.assertGreater((masked - dense).abs().max().item(), 1e-3)
        for handle in handles:
            handle.remove()
        self.assertTrue(torch.equal(self.logits(), dense))
        rows = []
        with torch.no_grad():
            for layer, mask in self.masks.items():  # an independent way: h = act(gate) * up with up's rows zero
                up = self.model.model.layers[layer].mlp.up_proj.weight
                frozen = mask.to_sparse_indices()
                rows.append((up, frozen, up[frozen].clone()))
                up[frozen] = 0
        self.assertTrue(torch.allclose(self.logits(), masked, atol=1e-5))
        with torch.no_grad():
            for up, frozen, values in rows:
                up[frozen] = values
        remove_neurons(self.model, self.masks)
        self.assertTrue(torch.allclose(self.logits(), masked, atol=1e-5))
        for layer, mask in self.masks.items():
            self.assertEqual(self.model.model.layers[layer].mlp.down_proj.weight.shape[1],
                             mask.num_neurons - mask.num_frozen)

    def test_masks_of_another_model_are_refused(self):
        from masked_mlp import apply_masks
        with self.assertRaises(ValueError):
            apply_masks(self.model, {0: LayerFrozenBitmask(0, 7)})
        with self.assertRaises(ValueError):
            apply_masks(self.model, {99: LayerFrozenBitmask(99, self.model.config.intermediate_size)})


if __name__ == "__main__":
    unittest.main()
