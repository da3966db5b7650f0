# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/model/data/families: for each family of models a tiny one with random weights as GGUF and as the folder that
transformers saves in f16, and the log-probabilities that transformers computes from the same weights in f32 at the last 15
of 70 positions.

Weights are random numbers rounded to f16, so that the GGUF (F16 matrices, F32 vectors) and the f32 model are the same.
Names and layout of tensors are written down here a second time, after conversion/*.py of llama.cpp.

usage: make_family_fixtures.py     (needs numpy, torch, transformers, gguf)
"""
import math
import pathlib
import shutil

import gguf
import numpy as np
import torch
import transformers
from transformers.models.llama.modeling_llama import LlamaMLP

TOKENS, POSITIONS, VOCABULARY = 70, 15, 96
data = pathlib.Path(__file__).parent / "data" / "families"
ids = np.random.default_rng(7).integers(0, VOCABULARY, TOKENS).astype("<i4")

SIZES = dict(vocab_size=VOCABULARY, hidden_size=32, num_attention_heads=4, num_key_value_heads=2, num_hidden_layers=2,
             intermediate_size=48, max_position_embeddings=256, rms_norm_eps=1e-6, attn_implementation="eager",
             pad_token_id=0, bos_token_id=1, eos_token_id=2)

NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "self_attn.qkv_proj": "attn_qkv", "self_attn.q_norm": "attn_q_norm",
         "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
         "mlp.gate_up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm",
         "post_attention_layernorm": "ffn_norm"}
GEMMA_NAMES = NAMES | {"post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
                       "post_feedforward_layernorm": "post_ffw_norm"}


def randomise(model, seed):
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in model.named_parameters():
            noise = torch.randn(value.shape, generator=random)
            if value.ndim == 2:
                noise *= 1.6 / math.sqrt(value.shape[1]) if "embed" not in name else (
                    0.25 if model.config.tie_word_embeddings else 1.0)
            elif "norm" in name:
                noise = noise * 0.3 + (0.0 if "gemma" in type(model).__name__.lower() else 1.0)
            else:
                noise *= 0.4
            value.copy_(noise.half().float())


def permuted(weight, heads):
    """The rows of each head from halves to neighbouring pairs (llama.cpp's conversion/llama.py)."""
    rows = weight.shape[0] // heads
    return weight.reshape(heads, 2, rows // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


def write_gguf(path, arch, model, keys, permute=False, names=NAMES, gemma=False, extra=None):
    config = model.config
    writer = gguf.GGUFWriter(str(path), arch)
    writer.add_name(path.stem)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_embedding_length(config.hidden_size)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    if "feed_forward_length" not in keys:
        writer.add_feed_forward_length(config.intermediate_size)
    for key, value in keys.items():
        key = f"{arch}.{key}"
        if isinstance(value, list):
            writer.add_array(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        else:
            writer.add_float32(key, value)
    tensors = dict(extra or {})
    for name, value in model.state_dict().items():
        value = value.float().numpy()
        if name == "model.embed_tokens.weight":
            tensors["token_embd.weight"] = value
        elif name == "model.norm.weight":
            tensors["output_norm.weight"] = value + gemma
        elif name == "lm_head.weight":
            if not config.tie_word_embeddings:
                tensors["output.weight"] = value
        elif name.startswith("model.layers."):
            layer, inner = name.removeprefix("model.layers.").split(".", 1)
            inner, kind = inner.rsplit(".", 1)
            if permute and inner.endswith(("q_proj", "k_proj")):
                value = permuted(value, config.num_attention_heads if "q_" in inner else config.num_key_value_heads)
            tensors[f"blk.{layer}.{names[inner]}.{kind}"] = value + (gemma and inner.endswith("norm"))
        else:
            raise ValueError(name)
    for name, value in tensors.items():
        writer.add_tensor(name, value.astype(np.float16 if value.ndim == 2 else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def llama(rope=None, **options):
    config = transformers.LlamaConfig(**(SIZES | options), rope_scaling=rope, tie_word_embeddings=False)
    return transformers.LlamaForCausalLM(config)


def uneven_llama():
    """Layers of different width with biases: what physical removal writes (architecture deci)."""
    model = llama(mlp_bias=True)
    for layer, width in zip(model.model.layers, (20, 40)):
        config = transformers.LlamaConfig(**(SIZES | dict(intermediate_size=width)), mlp_bias=True)
        layer.mlp = LlamaMLP(config)
    return model


def llama3_factors(scaling, base, size):
    """After conversion/llama.py of llama.cpp."""
    factors = []
    for frequency in 1 / base ** (np.arange(0, size, 2) / size):
        wavelength = 2 * math.pi / frequency
        low = scaling["original_max_position_embeddings"] / scaling["low_freq_factor"]
        high = scaling["original_max_position_embeddings"] / scaling["high_freq_factor"]
        if wavelength < high:
            factors.append(1)
        elif wavelength > low:
            factors.append(scaling["factor"])
        else:
            smooth = (scaling["original_max_position_embeddings"] / wavelength - scaling["low_freq_factor"]) / (
                scaling["high_freq_factor"] - scaling["low_freq_factor"])
            factors.append(1 / ((1 - smooth) / scaling["factor"] + smooth))
    return np.array(factors, np.float32)


def phi3(original, partial=1.0):
    random = np.random.default_rng(5)
    count = int(8 * partial) // 2
    scaling = dict(type="longrope", short_factor=[float(x) for x in np.float32(random.uniform(1, 1.5, count))],
                   long_factor=[float(x) for x in np.float32(random.uniform(2, 8, count))])
    config = transformers.Phi3Config(**SIZES, original_max_position_embeddings=original, rope_scaling=scaling,
                                     rope_theta=10000.0, partial_rotary_factor=partial, sliding_window=None,
                                     tie_word_embeddings=False)
    magnitude = math.sqrt(1 + math.log(256 / original) / math.log(original))
    keys = {"rope.dimension_count": int(8 * partial), "rope.freq_base": 10000.0, "attention.sliding_window": 0,
            "rope.scaling.original_context_length": original, "rope.scaling.attn_factor": magnitude}
    extra = {"rope_factors_short.weight": np.array(scaling["short_factor"], np.float32),
             "rope_factors_long.weight": np.array(scaling["long_factor"], np.float32)}
    return transformers.Phi3ForCausalLM(config), keys, extra


def families():
    rope = {"rope.dimension_count": 8, "rope.freq_base": 10000.0}
    yield "llama", "llama", llama(), rope, dict(permute=True)
    yield "llama-biases", "llama", llama(attention_bias=True, mlp_bias=True), rope, dict(permute=True)
    scaling = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                   original_max_position_embeddings=32)
    factors = {"rope_freqs.weight": llama3_factors(scaling, 500000.0, 8)}
    yield ("llama-3.1", "llama", llama(scaling, rope_theta=500000.0), rope | {"rope.freq_base": 500000.0},
           dict(permute=True, extra=factors))
    config = transformers.MistralConfig(**SIZES, sliding_window=20, rope_theta=10000.0, tie_word_embeddings=False)
    yield ("mistral-window", "llama", transformers.MistralForCausalLM(config),
           rope | {"attention.sliding_window": 20}, dict(permute=True))
    yield ("deci", "deci", uneven_llama(), rope | {"feed_forward_length": [20, 40]}, dict(permute=True))
    for name, original, partial in (("phi3-short", 128, 1.0), ("phi3-long", 48, 1.0), ("phi3-partial", 48, 0.75)):
        model, keys, extra = phi3(original, partial)
        yield name, "phi3", model, keys, dict(extra=extra)
    config = transformers.Qwen2Config(**SIZES, rope_theta=1000000.0, tie_word_embeddings=True)
    yield "qwen2", "qwen2", transformers.Qwen2ForCausalLM(config), {"rope.freq_base": 1000000.0}, {}
    config = transformers.Qwen3Config(**SIZES, head_dim=12, rope_theta=1000000.0, tie_word_embeddings=False)
    yield ("qwen3", "qwen3", transformers.Qwen3ForCausalLM(config),
           {"rope.freq_base": 1000000.0, "attention.key_length": 12, "attention.value_length": 12}, {})
    gemma_style = dict(gemma=True, names=GEMMA_NAMES)
    own_head = {"attention.key_length": 12, "attention.value_length": 12}
    config = transformers.GemmaConfig(**SIZES, head_dim=12)
    yield "gemma", "gemma", transformers.GemmaForCausalLM(config), own_head, dict(gemma=True)
    config = transformers.Gemma2Config(**(SIZES | dict(num_hidden_layers=3)), head_dim=12, query_pre_attn_scalar=12,
                                       sliding_window=20, attn_logit_softcapping=1.5, final_logit_softcapping=4.0)
    yield ("gemma2", "gemma2", transformers.Gemma2ForCausalLM(config),
           own_head | {"attention.sliding_window": 20, "attn_logit_softcapping": 1.5, "final_logit_softcapping": 4.0},
           gemma_style)
    layers = ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"]
    config = transformers.Gemma3TextConfig(
        **(SIZES | dict(num_hidden_layers=4)), head_dim=12, query_pre_attn_scalar=12, sliding_window=20,
        layer_types=layers, rope_parameters={
            "full_attention": dict(rope_type="linear", factor=8.0, rope_theta=1000000.0),
            "sliding_attention": dict(rope_type="default", rope_theta=10000.0)})
    yield ("gemma3", "gemma3", transformers.Gemma3ForCausalLM(config),
           own_head | {"attention.sliding_window": 20, "attention.sliding_window_pattern": 3,
                       "rope.freq_base": 1000000.0, "rope.scaling.type": "linear", "rope.scaling.factor": 8.0},
           gemma_style)


SHARDED = "qwen3"  # saved as several .safetensors with an index
NO_FOLDER = "deci"  # no class of transformers has layers of different width

data.mkdir(parents=True, exist_ok=True)
ids.tofile(data / "ids.i32")
for seed, (name, arch, model, keys, options) in enumerate(families()):
    model = model.float().eval()
    randomise(model, seed)
    write_gguf(data / f"{name}.gguf", arch, model, keys, **options)
    with torch.no_grad():
        logits = model(torch.tensor(ids[None].astype(np.int64)), use_cache=False).logits[0].double()
    expected = torch.log_softmax(logits, -1)[-POSITIONS:].numpy()
    expected.astype("<f4").tofile(data / f"{name}.f32")
    print(f"{name:16} {(data / f'{name}.gguf').stat().st_size:7} bytes, {expected.min():.2f} … {expected.max():.2f}")
    if name == NO_FOLDER:
        continue
    folder = data / name
    shutil.rmtree(folder, ignore_errors=True)
    model.half().save_pretrained(folder, max_shard_size="16KB" if name == SHARDED else "1GB")
    (folder / "generation_config.json").unlink(missing_ok=True)
