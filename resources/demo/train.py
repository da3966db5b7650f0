#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the demo model on the texts that prepare_data.py writes and exports it to GGUF.

    python3 train.py --data build/demo-data --work build/demo-run --steps 1500 --gguf demo.gguf
    python3 train.py --data build/demo-data --work build/demo-run --export-only --gguf demo.gguf

Needs torch, numpy, gguf and tokenizers from PyPI; runs on one CPU thread. The result depends on the data, the seed, the
number of steps and the torch build only; `--minutes` first times some steps and then chooses their number.

The model is a Llama: RMSNorm, rotary positions on interleaved pairs (2i, 2i + 1), grouped-query attention, SwiGLU
h = silu(gate) * up, output tied to the embedding. With `--sparsity` the loss has one more term,

    sparsity * ramp(step) * sum over layers and neurons of  mean over tokens of |h_n| * ||column n of W_down||,

an L1 norm of what each neuron adds to the residual stream. Neurons that do not pay for themselves fade to zero, as real
models' dead neurons do; nothing is set to zero by hand.
"""

import argparse
import json
import math
import pathlib
import time

import gguf
import numpy as np
import tokenizers
import torch
import torch.nn.functional as F
from torch import nn

VOCABULARY, HIDDEN, LAYERS, HEADS, KV_HEADS, HEAD, INTERMEDIATE, CONTEXT = 1024, 128, 10, 4, 2, 32, 512, 256
EPSILON, ROPE_BASE = 1e-5, 10000.0
END = "<|endoftext|>"
SEPARATOR = f"\n{END}\n"


# ---- text to tokens --------------------------------------------------------------------------------------------------


def train_tokenizer(texts: list[str]) -> tokenizers.Tokenizer:
    """Byte-level BPE over GPT-2's byte alphabet; ByteLevel cuts with GPT-2's regular expression."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[END],
        initial_alphabet=sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def load_tokens(data: pathlib.Path, work: pathlib.Path):
    """(tokenizer, training ids, validation ids); END follows each training chapter, none is put into the validation."""
    chapters = (data / "train.txt").read_text("utf-8").split(SEPARATOR)
    saved = work / "tokenizer.json"
    if not saved.exists():
        train_tokenizer(chapters).save(str(saved))
    tokenizer = tokenizers.Tokenizer.from_file(str(saved))
    end = tokenizer.token_to_id(END)
    train = [i for encoded in tokenizer.encode_batch(chapters) for i in encoded.ids + [end]]
    validation = tokenizer.encode((data / "validation.txt").read_text("utf-8")).ids
    return tokenizer, torch.tensor(train), torch.tensor(validation)


# ---- model -----------------------------------------------------------------------------------------------------------


def rotary_table() -> torch.Tensor:
    """(context, head / 2) complex rotations."""
    frequency = ROPE_BASE ** (-torch.arange(0, HEAD, 2, dtype=torch.float32) / HEAD)
    angle = torch.outer(torch.arange(CONTEXT, dtype=torch.float32), frequency)
    return torch.polar(torch.ones_like(angle), angle)


def rotate(x: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """x: (batch, token, head count, head); pair (2i, 2i + 1) turns by angle i."""
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], HEAD // 2, 2))
    return torch.view_as_real(pairs * table[: x.shape[1], None]).flatten(-2)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn_norm = nn.Parameter(torch.ones(HIDDEN))
        self.attn_q = nn.Linear(HIDDEN, HEADS * HEAD, bias=False)
        self.attn_k = nn.Linear(HIDDEN, KV_HEADS * HEAD, bias=False)
        self.attn_v = nn.Linear(HIDDEN, KV_HEADS * HEAD, bias=False)
        self.attn_output = nn.Linear(HEADS * HEAD, HIDDEN, bias=False)
        self.ffn_norm = nn.Parameter(torch.ones(HIDDEN))
        self.ffn_gate = nn.Linear(HIDDEN, INTERMEDIATE, bias=False)
        self.ffn_up = nn.Linear(HIDDEN, INTERMEDIATE, bias=False)
        self.ffn_down = nn.Linear(INTERMEDIATE, HIDDEN, bias=False)

    def forward(self, x: torch.Tensor, table: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """x: (batch, token, hidden). Also returns h: (batch, token, intermediate)."""
        batch, length, _ = x.shape
        y = F.rms_norm(x, (HIDDEN,), self.attn_norm, EPSILON)
        q = rotate(self.attn_q(y).view(batch, length, HEADS, HEAD), table).transpose(1, 2)
        k = rotate(self.attn_k(y).view(batch, length, KV_HEADS, HEAD), table).transpose(1, 2)
        v = self.attn_v(y).view(batch, length, KV_HEADS, HEAD).transpose(1, 2)
        k = k.repeat_interleave(HEADS // KV_HEADS, 1)
        v = v.repeat_interleave(HEADS // KV_HEADS, 1)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.attn_output(a.transpose(1, 2).reshape(batch, length, HEADS * HEAD))
        y = F.rms_norm(x, (HIDDEN,), self.ffn_norm, EPSILON)
        h = F.silu(self.ffn_gate(y)) * self.ffn_up(y)
        return x + self.ffn_down(h), h


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.token_embd = nn.Embedding(VOCABULARY, HIDDEN)
        self.blk = nn.ModuleList(Block() for _ in range(LAYERS))
        self.output_norm = nn.Parameter(torch.ones(HIDDEN))
        self.register_buffer("table", rotary_table(), persistent=False)
        nn.init.normal_(self.token_embd.weight, std=0.05)
        for block in self.blk:
            for name, weight in block.named_parameters():
                if weight.dim() == 2:
                    last = "attn_output" in name or "ffn_down" in name
                    nn.init.normal_(weight, std=weight.shape[1] ** -0.5 / (math.sqrt(2 * LAYERS) if last else 1.0))

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """ids: (batch, token) to logits (batch, token, vocabulary) and each layer's h."""
        x, hs = self.token_embd(ids), []
        for block in self.blk:
            x, h = block(x, self.table)
            hs.append(h)
        return F.rms_norm(x, (HIDDEN,), self.output_norm, EPSILON) @ self.token_embd.weight.T, hs


# ---- training --------------------------------------------------------------------------------------------------------


def sparsity_term(model: Llama, hs: list[torch.Tensor]) -> torch.Tensor:
    return sum(
        (h.abs().mean((0, 1)) * block.ffn_down.weight.norm(dim=0)).sum() for h, block in zip(hs, model.blk, strict=True)
    )


def first_stage(steps: int) -> int:
    """Steps before the cool-down: two thirds."""
    return steps * 2 // 3


def cooled(step: int, steps: int) -> float:
    """0 through the first stage, then linearly to 1 at the end."""
    return max(0, step - first_stage(steps)) / (steps - first_stage(steps))


def learning_rate(step: int, steps: int, peak: float) -> float:
    """Linear warm-up, the first part of a cosine that would take 2.2 first stages, then linearly to 3 % of the peak."""
    horizon = first_stage(steps) * 11 // 5
    warmup = min(100, horizon // 10 + 1)
    if step < warmup:
        return peak * (step + 1) / warmup
    turn = math.pi * (min(step, first_stage(steps)) - warmup) / max(1, horizon - warmup)
    cosine = 0.03 + 0.97 * 0.5 * (1 + math.cos(turn))
    return peak * (cosine + (0.03 - cosine) * cooled(step, steps))


def sparsity_ramp(step: int, steps: int) -> float:
    """0 at first, so that features form, then linearly to 1 at 88 % of the first stage; 0.3 in the cool-down.

    At full strength neurons go on fading for as long as training lasts; in the cool-down few more do, and those that
    still pay come back.
    """
    if step >= first_stage(steps):
        return 0.3
    horizon = first_stage(steps) * 11 // 5
    return min(1.0, max(0.0, (step / horizon - 0.1) / 0.3))


def train(options, model: Llama, ids: torch.Tensor, validation: torch.Tensor) -> dict:
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": options.weight_decay}, {"params": vectors, "weight_decay": 0.0}],
        lr=options.learning_rate,
        betas=(0.9, 0.98),
        fused=True,
    )
    checkpoint = options.work / "checkpoint.pt"
    first, seconds = 0, 0.0
    if options.resume:
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first, seconds = state["step"], state["seconds"]

    def run_step(step: int, steps: int) -> tuple[float, float]:
        draw = torch.Generator().manual_seed(options.seed * 1_000_003 + step)
        starts = torch.randint(0, len(ids) - CONTEXT - 1, (options.batch, 1), generator=draw)
        windows = ids[starts + torch.arange(CONTEXT + 1)]
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, steps, options.learning_rate)
        logits, hs = model(windows[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, VOCABULARY), windows[:, 1:].reshape(-1))
        penalty = sparsity_term(model, hs)
        optimizer.zero_grad(set_to_none=True)
        (loss + options.sparsity * sparsity_ramp(step, steps) * penalty).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.item(), penalty.item()

    if options.minutes and not options.resume:
        state = {k: v.clone() for k, v in model.state_dict().items()}
        began = time.monotonic()
        for step in range(10):
            run_step(step, 10_000)
        options.steps = int(options.minutes * 60 / (time.monotonic() - began) * 10)
        model.load_state_dict(state)
        optimizer.state.clear()
    print(f"{options.steps} steps of {options.batch} x {CONTEXT} tokens, {len(ids)} training tokens", flush=True)

    began, recent = time.monotonic() - seconds, []
    for step in range(first, options.steps):
        recent.append(run_step(step, options.steps))
        done = step + 1
        if done % 50 == 0 or done == options.steps:
            loss, penalty = np.mean(recent[-50:], axis=0)
            seconds = time.monotonic() - began
            print(f"step {done} loss {loss:.4f} penalty {penalty:.3f} {seconds:.0f} s", flush=True)
        if done % 125 == 0 or done == options.steps:
            part = evaluate(model, validation[: 24 * CONTEXT])
            print(f"  validation loss {part['loss']:.4f} frozen {part['frozen_share']:.4f} "
                  f"{part['frozen_by_layer']}", flush=True)
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": done,
                     "seconds": time.monotonic() - began}
            torch.save(state, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").replace(checkpoint)
    return {"steps": options.steps, "seconds": round(time.monotonic() - began),
            "train_loss_last_50_steps": float(np.mean([r[0] for r in recent[-50:]])) if recent else None}


# ---- measuring -------------------------------------------------------------------------------------------------------


@torch.no_grad()
def evaluate(model: Llama, ids: torch.Tensor, masks: list[torch.Tensor] | None = None) -> dict:
    """Loss over consecutive windows without overlap, and what each neuron's h did over all their tokens.

    `perplexity_second_half` scores what llama-perplexity scores: in each window the tokens after its middle. A neuron
    counts as frozen where the population variance of h is below 0.01 and |mean of h| below 0.001; as quiet too where
    |h| < 0.1 for more than 80 % of the tokens. `masks` (one bool per neuron) sets those neurons' h to zero.
    """
    hooks = []
    if masks:
        for block, mask in zip(model.blk, masks, strict=True):
            hooks.append(block.ffn_down.register_forward_pre_hook(lambda _, args, mask=mask: (args[0] * ~mask,)))
    windows = ids[: len(ids) // CONTEXT * CONTEXT].view(-1, CONTEXT)
    sums = torch.zeros(3, LAYERS, INTERMEDIATE, dtype=torch.float64)
    losses = []
    for part in windows.split(16):
        logits, hs = model(part)
        losses.append(F.cross_entropy(logits[:, :-1].transpose(1, 2), part[:, 1:], reduction="none"))
        for layer, h in enumerate(hs):
            h = h.double().view(-1, INTERMEDIATE)
            sums[:, layer] += torch.stack([h.sum(0), (h * h).sum(0), (h.abs() < 0.1).double().sum(0)])
    for hook in hooks:
        hook.remove()
    loss = torch.cat(losses)
    mean, square, low = sums / windows.numel()
    variance = square - mean * mean
    frozen = (variance < 0.01) & (mean.abs() < 0.001)
    quiet = frozen & (low > 0.8)
    return {
        "tokens": windows.numel(),
        "loss": loss.mean().item(),
        "perplexity": math.exp(loss.mean().item()),
        "perplexity_second_half": math.exp(loss[:, CONTEXT // 2 :].mean().item()),
        "frozen_share": frozen.float().mean().item(),
        "frozen_by_layer": frozen.sum(1).tolist(),
        "frozen_and_quiet_share": quiet.float().mean().item(),
        "frozen_and_quiet_by_layer": quiet.sum(1).tolist(),
        "low_variance_share": (variance < 0.01).float().mean().item(),
        "low_activity_share": (low > 0.8).float().mean().item(),
        "variance_deciles": [float(f"{v:.3g}") for v in np.quantile(variance.numpy(), np.linspace(0, 1, 11))],
        "frozen": frozen,
    }


# ---- export ----------------------------------------------------------------------------------------------------------


def export(model: Llama, tokenizer: tokenizers.Tokenizer, path: pathlib.Path) -> None:
    """Matrices as Q8_0, norms as F32. Q and K rows already stand in the order llama.cpp's `llama` wants."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("Permafrost demo")
    writer.add_author("The Permafrost authors")
    writer.add_license("CC0-1.0")
    writer.add_description(
        "A small language model trained from scratch on the King James Bible and Jane Austen's novels (public domain), "
        "to try out and test Permafrost. By the Permafrost authors, given to the public domain (CC0-1.0)."
    )
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(HIDDEN)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INTERMEDIATE)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_dimension_count(HEAD)
    writer.add_rope_freq_base(ROPE_BASE)
    writer.add_vocab_size(VOCABULARY)

    saved = json.loads(tokenizer.to_str())["model"]
    tokens = sorted(saved["vocab"], key=saved["vocab"].get)
    assert len(tokens) == VOCABULARY
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.CONTROL if t == END else gguf.TokenType.NORMAL for t in tokens])
    writer.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in saved["merges"]])
    writer.add_bos_token_id(tokens.index(END))
    writer.add_eos_token_id(tokens.index(END))
    writer.add_add_bos_token(False)

    for name, parameter in model.named_parameters():
        values = parameter.detach().numpy()
        if values.ndim == 1:
            writer.add_tensor(f"{name}.weight", values)
        else:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def load_exported(path: pathlib.Path) -> Llama:
    """The model with the weights as they are after rounding to Q8_0."""
    model = Llama()
    tensors = {t.name: t for t in gguf.GGUFReader(path).tensors}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            tensor = tensors[name if parameter.dim() == 2 else f"{name}.weight"]
            parameter.copy_(torch.from_numpy(gguf.quants.dequantize(tensor.data, tensor.tensor_type).copy()))
    return model


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=pathlib.Path, required=True, help="folder that prepare_data.py wrote")
    arguments.add_argument("--work", type=pathlib.Path, required=True, help="folder for the tokenizer and checkpoints")
    arguments.add_argument("--gguf", type=pathlib.Path, help="the exported model")
    arguments.add_argument("--heldout", type=pathlib.Path, help="also measure this text, after training only")
    arguments.add_argument("--steps", type=int, default=1500)
    arguments.add_argument("--minutes", type=float, help="instead of --steps: as many as this machine does in that time")
    arguments.add_argument("--seed", type=int, default=20240229)
    arguments.add_argument("--batch", type=int, default=4, help="windows of 256 tokens a step")
    arguments.add_argument("--learning-rate", type=float, default=3e-3)
    arguments.add_argument("--weight-decay", type=float, default=0.1)
    arguments.add_argument("--sparsity", type=float, default=1.5e-3)
    arguments.add_argument("--resume", action="store_true", help="go on from the last checkpoint, with the same settings")
    arguments.add_argument("--export-only", action="store_true", help="take the last checkpoint, train nothing")
    options = arguments.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    options.work.mkdir(parents=True, exist_ok=True)
    tokenizer, ids, validation = load_tokens(options.data, options.work)
    model = Llama()
    results = {"parameters": sum(p.numel() for p in model.parameters()), "training_tokens": len(ids)}
    if options.export_only:
        state = torch.load(options.work / "checkpoint.pt", weights_only=True)
        model.load_state_dict(state["model"])
        results |= {"steps": state["step"], "seconds": round(state["seconds"])}
    else:
        results |= train(options, model, ids, validation)
    if options.gguf:
        export(model, tokenizer, options.gguf)
        model = load_exported(options.gguf)
        results["bytes"] = options.gguf.stat().st_size
    texts = {"training_sample": ids[: 200 * CONTEXT], "validation": validation}
    if options.heldout:
        texts["heldout"] = torch.tensor(tokenizer.encode(options.heldout.read_text("utf-8")).ids)
    for name, text in texts.items():
        measured = evaluate(model, text)
        frozen = measured.pop("frozen")
        if name == "validation":
            validation_frozen = frozen
        results[name] = measured
    # The price of removing them: the neurons found on the validation text are set to zero on each text.
    for name in list(texts)[1:]:
        masked = evaluate(model, texts[name], list(validation_frozen))
        results[name]["perplexity_frozen_zeroed"] = masked["perplexity"]
    text = json.dumps(results, indent=1)
    (options.work / "results.json").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
