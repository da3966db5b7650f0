# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/model/data: token ids and, for each model of oracle_models.h, the log-probabilities that
llama_oracle.py computes at the last 15 of 70 positions (raw little-endian f32, position by vocabulary).

usage: make_fixtures.py PATH/TO/tst_model_oracle     (needs numpy and gguf)
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from llama_oracle import log_probabilities

TOKENS, POSITIONS, VOCABULARY = 70, 15, 272
data = pathlib.Path(__file__).parent / "data"
data.mkdir(exist_ok=True)
ids = np.random.default_rng(2024).integers(0, VOCABULARY, TOKENS).astype("<i4")
ids.tofile(data / "ids.i32")
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], "--write-models", folder], check=True)
    for model in sorted(pathlib.Path(folder).glob("*.gguf")):
        expected = log_probabilities(model, ids)[-POSITIONS:]
        expected.astype("<f4").tofile(data / f"{model.stem}.f32")
        print(model.name, expected.shape, f"{expected.min():.2f} … {expected.max():.2f}")
