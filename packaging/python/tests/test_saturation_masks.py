# SPDX-License-Identifier: GPL-3.0-or-later
"""Run with PERMAFROST_CLI set, files are also compared with those of the C++ program, byte by byte."""
import contextlib
import io
import json
import logging
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import saturation_mask_decoder as decoder  # noqa: E402
import saturation_mask_encoder as encoder  # noqa: E402
from saturation_masks import (MaskError, deserialize_masks_blob, fixtures, read_saturation_masks,  # noqa: E402
                              serialize_masks_blob)

try:
    import numpy
except ImportError:
    numpy = None

CLI = os.environ.get("PERMAFROST_CLI")


def setUpModule():
    logging.disable(logging.WARNING)


def random_masks(widths=(13, 64, 1, 100, 8), seed=1):
    numbers = random.Random(seed)
    return {layer: encoder.LayerFrozenBitmask.from_indices(
                layer, width, [i for i in range(width) if numbers.random() < 0.3])
            for layer, width in enumerate(widths)}


def all_facts():
    return encoder.SaturationMasks(random_masks(), 'a "model" é', "variance+gradient", "2026-05-17T14:32:45Z",
                                   {0: 0.25, 3: 1.0}, "")


def safetensors_bytes():
    header = {"b": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
              "a": {"dtype": "I64", "shape": [1], "data_offsets": [8, 16]},
              "__metadata__": {"format": "pt", "note": "ü"}}
    text = json.dumps(header, ensure_ascii=False).encode()
    return struct.pack("<Q", len(text)) + text + bytes(range(16))


class BitmaskTest(unittest.TestCase):
    def test_bits_and_counts(self):
        mask = encoder.LayerFrozenBitmask(3, 13, bytes([0b10000001, 0b00010000]))
        self.assertEqual([i for i in range(-1, 20) if mask.is_frozen(i)], [0, 7, 12])
        self.assertEqual(mask.num_frozen, 3)
        self.assertAlmostEqual(mask.pct_frozen(), 300 / 13)
        self.assertAlmostEqual(mask.estimated_speedup(), 1.3)
        for bad in (bytes(1), bytes([0, 0b00100000])):
            with self.assertRaises(ValueError):
                encoder.LayerFrozenBitmask(3, 13, bad)

    def test_sets(self):
        a = encoder.LayerFrozenBitmask.from_indices(0, 20, [1, 2, 3, 19])
        b = encoder.LayerFrozenBitmask.from_indices(0, 20, [2, 3, 4])
        self.assertEqual(a & b, encoder.LayerFrozenBitmask.from_indices(0, 20, [2, 3]))
        self.assertEqual(a | b, encoder.LayerFrozenBitmask.from_indices(0, 20, [1, 2, 3, 4, 19]))
        self.assertEqual(a - b, encoder.LayerFrozenBitmask.from_indices(0, 20, [1, 19]))
        self.assertAlmostEqual(a.jaccard(b), 2 / 5)
        empty = encoder.LayerFrozenBitmask(0, 20)
        self.assertEqual(empty.jaccard(empty), 1.0)
        with self.assertRaises(ValueError):
            a & encoder.LayerFrozenBitmask(0, 21)

    @unittest.skipIf(numpy is None, "numpy not found")
    def test_arrays(self):
        for mask in random_masks().values():
            frozen = [i for i in range(mask.num_neurons) if mask.is_frozen(i)]
            self.assertEqual(mask.to_sparse_indices().tolist(), frozen)
            keep = mask.to_dense_mask()
            self.assertEqual(keep.dtype, numpy.float32)
            self.assertEqual(numpy.flatnonzero(keep == 0).tolist(), frozen)
            self.assertEqual(encoder.LayerFrozenBitmask.from_dense(mask.layer_id, keep), mask)


class BlobTest(unittest.TestCase):
    def test_round_trip_and_size(self):
        masks = random_masks()
        blob = serialize_masks_blob(masks)
        self.assertEqual(len(blob), 64 + sum(16 + (m.num_neurons + 7) // 8 for m in masks.values()))
        self.assertEqual(deserialize_masks_blob(blob), masks)
        self.assertEqual(deserialize_masks_blob(serialize_masks_blob({})), {})

    def test_every_change_of_a_byte_is_seen(self):
        blob = serialize_masks_blob(random_masks())
        for place in range(len(blob)):
            damaged = bytearray(blob)
            damaged[place] ^= 0x10
            with self.assertRaises(MaskError):
                deserialize_masks_blob(damaged)
            self.assertEqual(decoder._deserialize_masks_blob(bytes(damaged)), {})
        for size in range(len(blob)):
            self.assertEqual(decoder._deserialize_masks_blob(blob[:size]), {})

    def test_a_true_checksum_does_not_excuse_nonsense(self):
        import hashlib
        numbers = random.Random(5)
        blob = serialize_masks_blob(random_masks())
        for _ in range(2000):
            damaged = bytearray(blob)
            for _ in range(numbers.randint(1, 3)):
                damaged[numbers.randrange(len(damaged))] = numbers.randrange(256)
            damaged[32:64] = bytes(32)
            damaged[32:64] = hashlib.sha256(damaged).digest()
            try:
                for mask in deserialize_masks_blob(damaged).values():
                    mask.is_frozen(mask.num_neurons - 1)
            except MaskError:
                pass


class FileTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.model = self.folder / "model.safetensors"
        self.model.write_bytes(safetensors_bytes())

    def test_safetensors_keep_their_tensors(self):
        target = self.folder / "masked.safetensors"
        encoder.encode_masks_to_safetensors(self.model, all_facts(), target)
        self.assertEqual(read_saturation_masks(target), all_facts())
        self.assertEqual(decoder.load_saturation_masks(target), random_masks())
        self.assertEqual(decoder.load_cliff_scores(target), {0: 0.25, 3: 1.0})
        metadata = decoder.load_saturation_metadata(target)
        self.assertEqual((metadata["method"], metadata["layers"]), ("variance+gradient", 5))
        self.assertTrue(target.read_bytes().endswith(bytes(range(16))))
        again = self.folder / "again.safetensors"
        encoder.encode_masks_to_safetensors(target, all_facts(), again)
        self.assertEqual(again.read_bytes(), target.read_bytes())

    def test_sidecars_and_folders(self):
        encoder.encode_masks_to_sidecar(all_facts(), self.folder / "model.saturation.json")
        for path in (self.folder / "model.saturation.json", self.model, self.folder):
            self.assertEqual(read_saturation_masks(path), all_facts())

    def test_what_is_missing_or_damaged_falls_back(self):
        target = self.folder / "masked.safetensors"
        encoder.encode_masks_to_safetensors(self.model, random_masks(), target)
        whole = target.read_bytes()
        broken = whole.replace(b"UEZNQ", b"UEZNR")  # base64 of PFMB
        self.assertNotEqual(broken, whole)
        for name, content in (("none", safetensors_bytes()), ("cut", whole[:60]), ("empty", b""), ("text", b"hello"),
                              ("broken", broken), ("long", struct.pack("<Q", 1 << 60) + b"{}"),
                              ("gguf", b"GGUF" + bytes(40)), ("knot", b"KNOT" + bytes(40))):
            path = self.folder / (name + ".bin")
            path.write_bytes(content)
            self.assertEqual(decoder.load_saturation_masks(path), {}, name)
            self.assertIsNone(decoder.load_saturation_masks(path, fallback_to_empty=False), name)
            self.assertEqual(decoder.load_cliff_scores(path), {}, name)
            self.assertIsNone(decoder.load_saturation_metadata(path), name)
        self.assertEqual(decoder.load_saturation_masks(self.folder / "missing.gguf"), {})

    def test_the_model_is_never_overwritten(self):
        before = self.model.read_bytes()
        with self.assertRaises(MaskError):
            encoder.encode_masks_to_safetensors(self.model, random_masks(), self.model)
        self.assertEqual(self.model.read_bytes(), before)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["model.safetensors"])

    def test_the_commands(self):
        target = str(self.folder / "masked.safetensors")
        beside = str(self.folder / "model.saturation.json")
        encoder.encode_masks_to_sidecar(all_facts(), beside)
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(
                encoder.main(["--model", str(self.model), "--masks", beside, "--output", target]), 0)
            self.assertEqual(decoder.main(["--model", target, "--layer-summary", "--show-metadata"]), 0)
            self.assertEqual(decoder.main(["--model", str(self.model)]), 0)  # the file beside it
            self.assertEqual(decoder.main(["--model", str(self.folder / "none")]), 1)
        self.assertIn("5 layers, 58 of 186 neurons frozen (31.18 %)", output.getvalue())


class FixturesTest(unittest.TestCase):
    def test_generated_fixtures_are_the_expected_ones(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), \
                contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(fixtures.main(["generate", folder, "--models", "phi-3-mini"]), 0)
            self.assertEqual(fixtures.main(["verify", folder, "--models", "phi-3-mini"]), 0)
            self.assertEqual(fixtures.main(["verify", folder]), 1)  # the others are missing
            masks = read_saturation_masks(Path(folder) / "phi-3-mini.saturation.json")
            neuron = next(i for i in range(8192) if not masks[3].is_frozen(i))
            masks.layers[3] |= encoder.LayerFrozenBitmask.from_indices(3, 8192, [neuron])
            encoder.encode_masks_to_sidecar(masks, Path(folder) / "phi-3-mini.saturation.json")
            self.assertEqual(fixtures.main(["verify", folder, "--models", "phi-3-mini"]), 1)

    def test_real_masks_are_read(self):
        real = Path(__file__).resolve().parents[1] / "fixtures"
        for name, layers, neurons in (("smollm2-135m", 30, 1536), ("gemma-3-270m", 18, 2048)):
            masks = read_saturation_masks(real / f"{name}.saturation.json")
            self.assertEqual([m.num_neurons for m in masks.layers.values()], [neurons] * layers)
            self.assertTrue(masks.num_frozen() > 0 and masks.cliff_scores and masks.corpus_sketch)


@unittest.skipUnless(CLI, "PERMAFROST_CLI is not set")
class CliTest(unittest.TestCase):
    """The same files as the C++ program."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = Path(cls.scratch.name)
        cls.cli("profile", "demo", "-o", "demo.frost", "--num-prompts", "2", "--context", "48", "--quiet")
        cls.cli("mask", "demo.frost", "--rule", "impact:0.2", "--no-guard", "--output-dir", "masks")
        (cls.rknot,) = (cls.folder / "masks").glob("*.rknot")
        cls.cli("convert", "demo", "demo.gguf")

    @classmethod
    def cli(cls, *arguments):
        subprocess.run([CLI, *map(str, arguments)], cwd=cls.folder, check=True, capture_output=True)

    def test_gguf_is_the_same_to_the_byte(self):
        self.cli("encode", "demo.gguf", "--masks", self.rknot, "-o", "theirs.gguf")
        masks = read_saturation_masks(self.rknot)
        self.assertGreater(masks.num_frozen(), 100)
        self.assertTrue(masks.corpus_sketch and masks.cliff_scores)
        encoder.encode_masks_to_gguf(self.folder / "demo.gguf", masks, self.folder / "ours.gguf")
        self.assertEqual((self.folder / "ours.gguf").read_bytes(), (self.folder / "theirs.gguf").read_bytes())
        self.assertEqual(read_saturation_masks(self.folder / "theirs.gguf"), masks)
        # Masks in place of masks.
        encoder.encode_masks_to_gguf(self.folder / "theirs.gguf", masks, self.folder / "again.gguf")
        self.assertEqual((self.folder / "again.gguf").read_bytes(), (self.folder / "theirs.gguf").read_bytes())

    def test_sidecars_are_read_by_both(self):
        self.cli("encode", "demo", "--masks", self.rknot, "-o", "theirs.saturation.json")
        masks = read_saturation_masks(self.folder / "theirs.saturation.json")
        self.assertEqual(masks, read_saturation_masks(self.rknot))
        encoder.encode_masks_to_sidecar(masks, self.folder / "ours.saturation.json")
        self.cli("encode", "demo.gguf", "--masks", "ours.saturation.json", "-o", "from-ours.gguf")
        self.assertEqual(read_saturation_masks(self.folder / "from-ours.gguf"), masks)

    def test_safetensors_are_the_same_to_the_byte(self):
        model = os.environ.get("PERMAFROST_TEST_MODEL")  # a folder of transformers
        if not model:
            self.skipTest("PERMAFROST_TEST_MODEL is not set")
        config = json.loads((Path(model) / "config.json").read_text())
        masks = encoder.SaturationMasks(random_masks([config["intermediate_size"]] * config["num_hidden_layers"]),
                                        "a model", "any", "2026-05-17", {0: 0.5}, "")
        encoder.encode_masks_to_sidecar(masks, self.folder / "random.saturation.json")
        self.cli("encode", model, "--masks", "random.saturation.json", "-o", "theirs.safetensors")
        encoder.encode_masks_to_safetensors(Path(model) / "model.safetensors", masks, self.folder / "ours.safetensors")
        self.assertEqual((self.folder / "ours.safetensors").read_bytes(),
                         (self.folder / "theirs.safetensors").read_bytes())

    def test_a_gguf_cut_anywhere_is_refused(self):
        self.cli("encode", "demo.gguf", "--masks", self.rknot, "-o", "whole.gguf")
        content = (self.folder / "whole.gguf").read_bytes()
        numbers = random.Random(2)
        header = content.index(b"token_embd")
        for _ in range(50):
            (self.folder / "cut.gguf").write_bytes(content[:numbers.randrange(header)])
            self.assertEqual(decoder.load_saturation_masks(self.folder / "cut.gguf"), {})


if __name__ == "__main__":
    unittest.main()
