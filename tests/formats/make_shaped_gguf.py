#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a sparse GGUF with the headers of a Llama 3.1 70B in Q4_K_M: make_shaped_gguf.py OUT.gguf

Every key, token, merge and tensor entry is there, the tensors' data is a hole of 42 GB that takes no room on the disk. For
measuring how long a large model takes to open and how much memory that needs:

    /usr/bin/time -v permafrost-cli inspect OUT.gguf
"""
import random
import struct
import sys

LAYERS, HIDDEN, FFN, KV_WIDTH, VOCABULARY, TOKENS, MERGES = 80, 8192, 28672, 1024, 128256, 128000, 280147
F32, Q4_K, Q6_K = 0, 12, 14
BLOCKS = {F32: (1, 4), Q4_K: (256, 144), Q6_K: (256, 210)}
U32, I32, FLOAT, STRING, ARRAY = 4, 5, 6, 8, 9


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def key(name: str, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def array(name: str, kind: int, count: int, items: bytes) -> bytes:
    return key(name, ARRAY, struct.pack("<IQ", kind, count) + items)


def byte_alphabet() -> list[str]:
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


def vocabulary() -> tuple[list[str], list[str]]:
    """Tokens that grow by merging earlier ones, short and frequent ones first, and merges that all lead to a token."""
    chance = random.Random(70)
    tokens = byte_alphabet()
    letters = list("etaoinshrdlucmfwypvbgkqjxz") + ["\u0120"] * 6
    known = set(tokens)
    merges: dict[str, None] = {}
    grown = letters[:]
    while len(tokens) < TOKENS:
        left, right = (grown[int(len(grown) * chance.random() ** 8)] for _ in range(2))
        if len(left + right) > 14 or f"{left} {right}" in merges:
            continue
        merges[f"{left} {right}"] = None
        if left + right not in known:
            known.add(left + right)
            tokens.append(left + right)
            grown.append(left + right)
    for token in tokens:
        for cut in range(1, len(token)):
            if len(merges) < MERGES and token[:cut] in known and token[cut:] in known:
                merges[f"{token[:cut]} {token[cut:]}"] = None
    special = ["<|begin_of_text|>", "<|end_of_text|>"]
    special += [f"<|reserved_special_token_{i}|>" for i in range(VOCABULARY - TOKENS - 2)]
    return tokens + special, list(merges)


def tensors() -> list[tuple[str, list[int], int]]:
    listed = [("rope_freqs.weight", [64], F32), ("token_embd.weight", [HIDDEN, VOCABULARY], Q4_K)]
    for layer in range(LAYERS):
        better = layer < 10 or layer >= 70 or layer % 3 == 2
        listed += [(f"blk.{layer}.{name}.weight", sizes, kind) for name, sizes, kind in (
            ("attn_norm", [HIDDEN], F32), ("ffn_down", [FFN, HIDDEN], Q6_K if better else Q4_K),
            ("ffn_gate", [HIDDEN, FFN], Q4_K), ("ffn_up", [HIDDEN, FFN], Q4_K), ("ffn_norm", [HIDDEN], F32),
            ("attn_k", [HIDDEN, KV_WIDTH], Q4_K), ("attn_output", [HIDDEN, HIDDEN], Q4_K),
            ("attn_q", [HIDDEN, HIDDEN], Q4_K), ("attn_v", [HIDDEN, KV_WIDTH], Q6_K if better else Q4_K))]
    return listed + [("output_norm.weight", [HIDDEN], F32), ("output.weight", [HIDDEN, VOCABULARY], Q6_K)]


def main() -> None:
    tokens, merges = vocabulary()
    u32 = lambda number: struct.pack("<I", number)
    keys = [
        key("general.architecture", STRING, text("llama")),
        key("general.name", STRING, text("Shape of Llama 3.1 70B")),
        key("general.file_type", U32, u32(15)),
        key("general.quantization_version", U32, u32(2)),
        key("llama.block_count", U32, u32(LAYERS)),
        key("llama.context_length", U32, u32(131072)),
        key("llama.embedding_length", U32, u32(HIDDEN)),
        key("llama.feed_forward_length", U32, u32(FFN)),
        key("llama.attention.head_count", U32, u32(64)),
        key("llama.attention.head_count_kv", U32, u32(8)),
        key("llama.attention.layer_norm_rms_epsilon", FLOAT, struct.pack("<f", 1e-5)),
        key("llama.rope.freq_base", FLOAT, struct.pack("<f", 500000.0)),
        key("llama.rope.dimension_count", U32, u32(128)),
        key("llama.vocab_size", U32, u32(VOCABULARY)),
        key("tokenizer.ggml.model", STRING, text("gpt2")),
        key("tokenizer.ggml.pre", STRING, text("llama-bpe")),
        array("tokenizer.ggml.tokens", STRING, len(tokens), b"".join(map(text, tokens))),
        array("tokenizer.ggml.token_type", I32, len(tokens),
              struct.pack(f"<{len(tokens)}i", *[1] * TOKENS, *[3] * (len(tokens) - TOKENS))),
        array("tokenizer.ggml.merges", STRING, len(merges), b"".join(map(text, merges))),
        key("tokenizer.ggml.bos_token_id", U32, u32(TOKENS)),
        key("tokenizer.ggml.eos_token_id", U32, u32(TOKENS + 1)),
    ]
    entries, offset = b"", 0
    for name, sizes, kind in tensors():
        elements, size = BLOCKS[kind]
        for extent in sizes:
            size *= extent
        entries += text(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, offset)
        offset = (offset + size // elements + 31) // 32 * 32
    with open(sys.argv[1], "wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, len(tensors()), len(keys)) + b"".join(keys) + entries)
        begin = (file.tell() + 31) // 32 * 32
        file.seek(begin)
        file.write(struct.pack("<64f", *[1.0] * 29 + [8.0] * 35))  # rope_freqs.weight, about as Llama 3.1 has it
        file.truncate(begin + offset)
    print(f"{len(tokens)} tokens, {len(merges)} merges, {offset / 1e9:.1f} GB of data")


if __name__ == "__main__":
    main()
