# SPDX-License-Identifier: GPL-3.0-or-later
"""An independent forward pass of the llama architecture: plain numpy in f32 over weights that gguf-py decodes.

Prints or stores the natural log-probabilities of every next token at every position, to compare with
`next_token_log_probabilities()`.

usage: llama_oracle.py MODEL.gguf IDS.i32 OUT.f32     (raw little-endian arrays; needs numpy and gguf)
"""
import sys

import gguf
import numpy as np


def field(reader, key, default=None):
    entry = reader.fields.get(key)
    return default if entry is None else entry.contents()


def rms_norm(x, weight, epsilon):
    return x / np.sqrt((x.astype(np.float64) ** 2).mean(-1, keepdims=True) + epsilon).astype(np.float32) * weight


def rotate(x, base, size, factors):
    """x: (tokens, heads, head size); pairs are neighbours, as in GGUF files of the llama family."""
    positions = np.arange(x.shape[0])[:, None]
    angles = positions * base ** (-np.arange(0, size, 2) / size) / factors
    cos, sin = np.cos(angles)[:, None, :], np.sin(angles)[:, None, :]
    out = x.copy()
    even, odd = x[..., 0:size:2], x[..., 1:size:2]
    out[..., 0:size:2] = even * cos - odd * sin
    out[..., 1:size:2] = even * sin + odd * cos
    return out


def log_probabilities(path, ids):
    reader = gguf.GGUFReader(path)
    views = {t.name: t for t in reader.tensors}

    def weight(name):
        view = views[name]
        data = gguf.quants.dequantize(view.data, view.tensor_type)
        return np.ascontiguousarray(data.reshape([int(n) for n in reversed(view.shape)]), np.float32)

    layers = field(reader, "llama.block_count")
    heads = field(reader, "llama.attention.head_count")
    kv_heads = field(reader, "llama.attention.head_count_kv", heads)
    hidden = field(reader, "llama.embedding_length")
    head = field(reader, "llama.attention.key_length", hidden // heads)
    size = field(reader, "llama.rope.dimension_count", head)
    epsilon = field(reader, "llama.attention.layer_norm_rms_epsilon")
    base = field(reader, "llama.rope.freq_base", 10000.0)
    factors = weight("rope_freqs.weight") if "rope_freqs.weight" in views else np.ones(size // 2)

    embedding = weight("token_embd.weight")
    x = embedding[ids]
    tokens = len(ids)
    hidden_from_future = np.triu(np.full((tokens, tokens), -np.inf, np.float32), 1)
    for layer in range(layers):
        def of(name):
            return weight(f"blk.{layer}.{name}.weight")

        normed = rms_norm(x, of("attn_norm"), epsilon)
        q = rotate((normed @ of("attn_q").T).reshape(tokens, heads, head), base, size, factors)
        k = rotate((normed @ of("attn_k").T).reshape(tokens, kv_heads, head), base, size, factors)
        v = (normed @ of("attn_v").T).reshape(tokens, kv_heads, head)
        joined = np.empty((tokens, heads, head), np.float32)
        for h in range(heads):
            group = h // (heads // kv_heads)
            scores = q[:, h] @ k[:, group].T / np.sqrt(head) + hidden_from_future
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            joined[:, h] = scores / scores.sum(-1, keepdims=True) @ v[:, group]
        x = x + (joined.reshape(tokens, heads * head) @ of("attn_output").T).astype(np.float32)
        normed = rms_norm(x, of("ffn_norm"), epsilon)
        gate, up = normed @ of("ffn_gate").T, normed @ of("ffn_up").T
        x = x + (gate / (1 + np.exp(-gate)) * up @ of("ffn_down").T).astype(np.float32)
    x = rms_norm(x, weight("output_norm.weight"), epsilon)
    logits = (x @ (weight("output.weight") if "output.weight" in views else embedding).T).astype(np.float64)
    logits -= logits.max(-1, keepdims=True)
    return (logits - np.log(np.exp(logits).sum(-1, keepdims=True))).astype(np.float32)


if __name__ == "__main__":
    model, ids_path, out = sys.argv[1:4]
    log_probabilities(model, np.fromfile(ids_path, "<i4")).tofile(out)
