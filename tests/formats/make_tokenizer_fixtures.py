# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/formats/data/tokenizers: small tokenizers set up like those of the families, and the ids that Hugging Face's
`tokenizers` (from tokenizer.json) and Google's `sentencepiece` (from its own model) give awkward texts.

    python tests/formats/make_tokenizer_fixtures.py        (needs tokenizers, sentencepiece)

<name>/tokenizer.json, <name>/tokenizer_config.json, <name>/ids.json: {"texts": […], "ids": [[…], …]}, texts of
tests/text/make_fixtures.py and some with the tokenizer's own special tokens
sentencepiece.json: {"bpe": {"tokens", "scores", "types", "texts", "ids"}, "bpe-user": {…}}; the latter has user-defined tokens
and no space before a text, as Gemma
"""
import io
import json
import pathlib
import shutil
import sys

import sentencepiece
import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "text"))
from make_fixtures import TEXTS, TRAINING  # noqa: E402

DATA = HERE / "data" / "tokenizers"
MARK = "\u2581"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
SIZE = 900
LINES = TRAINING.read_text(encoding="utf-8")[:60000].split("\n") + [
    "naïve café 日本語 中文 한국어 العربية مرحبًا हिन्दी 😀 👍 0 1 2 3 4 5 6 7 8 9 12 345 6789 {}[]();=+-*/<>"] * 3

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
CASED = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+%s|[^\r\n\p{L}\p{N}]?"
         r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*%s|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+"
         r"|\s+(?!\S)|\s+")
GPT4O = CASED % (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "{1,3}")
TEKKEN = CASED % ("", "", "")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")


def marked_bpe(normalizer, pre_tokenizer, specials):
    """BPE over U+2581 with byte fallback, as converted from SentencePiece."""
    trained = Tokenizer(models.BPE(unk_token="<unk>"))
    trained.normalizer = normalizers.Replace(" ", MARK)
    trained.pre_tokenizer = pre_tokenizers.Split(MARK, "merged_with_next")
    trained.train_from_iterator(LINES, trainers.BpeTrainer(
        vocab_size=SIZE, special_tokens=specials + BYTES, show_progress=False))
    model = json.loads(trained.to_str())["model"]
    result = Tokenizer(models.BPE(model["vocab"], [tuple(merge) for merge in model["merges"]], unk_token="<unk>",
                                  byte_fallback=True, fuse_unk=True))
    if normalizer:
        result.normalizer = normalizer
    if pre_tokenizer:
        result.pre_tokenizer = pre_tokenizer
    result.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in specials])
    return result


def byte_bpe(pre_tokenizer, ignore_merges=False):
    result = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    result.pre_tokenizer = pre_tokenizer
    result.train_from_iterator(LINES, trainers.BpeTrainer(
        vocab_size=SIZE, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return result


def split_by(regex):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(regex), "isolated"),
                                    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def unigram(normalizer, pre_tokenizer, byte_fallback):
    trained = Tokenizer(models.Unigram())
    trained.normalizer = normalizers.Replace(" ", MARK)
    trained.pre_tokenizer = pre_tokenizers.Split(MARK, "merged_with_next")
    trained.train_from_iterator(LINES, trainers.UnigramTrainer(
        vocab_size=SIZE, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False))
    vocab = [tuple(item) for item in json.loads(trained.to_str())["model"]["vocab"]]
    if byte_fallback:
        vocab += [(token, 0.0) for token in BYTES]
    result = Tokenizer(models.Unigram(vocab, 0, byte_fallback))
    if normalizer:
        result.normalizer = normalizer
    if pre_tokenizer:
        result.pre_tokenizer = pre_tokenizer
    return result


def around(first, last, tokenizer):
    """Tokens before and after each text."""
    parts = ([first] if first else []) + ["$A"] + ([last] if last else [])
    return processors.TemplateProcessing(single=" ".join(parts), special_tokens=[
        (token, tokenizer.token_to_id(token)) for token in (first, last) if token])


def special(*texts, **options):
    return [AddedToken(text, special=True, normalized=False, **options) for text in texts]


def families():
    prepend = normalizers.Sequence([normalizers.Prepend(MARK), normalizers.Replace(" ", MARK)])
    llama_specials = ["<unk>", "<s>", "</s>"]
    yield "llama2", marked_bpe(prepend, None, llama_specials), ("<s>", None), {"bos_token": "<s>", "eos_token": "</s>"}
    mistral = marked_bpe(None, pre_tokenizers.Metaspace(MARK, "first", False), llama_specials)
    mistral.add_special_tokens(special("[INST]", "[/INST]"))
    yield "mistral", mistral, ("<s>", None), {"bos_token": {"content": "<s>"}, "eos_token": "</s>"}
    always = marked_bpe(None, pre_tokenizers.Metaspace(MARK, "always", True), llama_specials)
    yield "metaspace", always, ("<s>", "</s>"), {"bos_token": "<s>", "eos_token": "</s>", "add_eos_token": False}
    gemma = marked_bpe(normalizers.Replace(" ", MARK), pre_tokenizers.Split(" ", "merged_with_previous"),
                       ["<pad>", "<eos>", "<bos>", "<unk>"])
    gemma.add_tokens([AddedToken(text, normalized=False) for text in ("\n\n", "\n\n\n", "\t\t", "<table>", MARK * 2)])
    yield "gemma", gemma, ("<bos>", None), {"bos_token": "<bos>", "eos_token": "<eos>"}
    phi3 = marked_bpe(prepend, None, llama_specials)
    phi3.add_special_tokens(special("<|end|>", "<|user|>", rstrip=True) + special("<|mark|>", lstrip=True))
    yield "phi3", phi3, (None, None), {"bos_token": "<s>", "eos_token": "<|end|>", "add_bos_token": False}
    llama3 = byte_bpe(split_by(LLAMA3), ignore_merges=True)
    llama3.add_special_tokens(special("<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"))
    yield "llama3", llama3, ("<|begin_of_text|>", None), {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>"}
    qwen2 = byte_bpe(split_by(QWEN2))
    qwen2.normalizer = normalizers.NFC()
    qwen2.add_special_tokens(special("<|endoftext|>", "<|im_start|>", "<|im_end|>"))
    qwen2.add_tokens([AddedToken("<tool_call>", normalized=False)])
    yield "qwen2", qwen2, (None, None), {"bos_token": None, "eos_token": "<|im_end|>", "add_bos_token": False}
    smollm = byte_bpe(pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(False)]))
    smollm.add_special_tokens(special("<|im_start|>", "<|im_end|>"))
    yield "smollm", smollm, (None, None), {"bos_token": "<|im_start|>", "eos_token": "<|im_end|>"}
    yield "gpt4o", byte_bpe(split_by(GPT4O)), (None, None), {}
    yield "tekken", byte_bpe(split_by(TEKKEN), ignore_merges=True), (None, None), {}
    yield "gpt2", byte_bpe(pre_tokenizers.ByteLevel(False)), (None, None), {}
    yield "unigram", unigram(prepend, None, True), (None, None), {}
    yield "unigram-unknown", unigram(None, pre_tokenizers.Metaspace(MARK, "always", True), False), (None, None), {}


def write_family(name, tokenizer, ends, config):
    if any(ends):
        template = around(*ends, tokenizer)
        byte_level = isinstance(tokenizer.pre_tokenizer, pre_tokenizers.Sequence)
        tokenizer.post_processor = processors.Sequence(
            [processors.ByteLevel(trim_offsets=False), template]) if byte_level else template
    folder = DATA / name
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    texts = list(TEXTS)
    for token in tokenizer.get_added_tokens_decoder().values():
        texts += [f"{token.content}", f"one {token.content} \n two", f"{token.content}{token.content}x",
                  f" {token.content}  {token.content} "]
    ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
    (folder / "ids.json").write_text(json.dumps({"texts": texts, "ids": ids}, separators=(",", ":")), encoding="utf-8")
    print(f"{name:16} {tokenizer.get_vocab_size():5} tokens, {sum(map(len, ids)):6} ids")


def train_sentencepiece(user):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(line for line in LINES if line), model_writer=model, vocab_size=SIZE, model_type="bpe",
        byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False,
        add_dummy_prefix=not user, user_defined_symbols=["<user>", "\n\n"] if user else [], max_sentence_length=100000, minloglevel=2)
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def sentencepiece_fixture(user):
    pieces = train_sentencepiece(user)
    count = range(pieces.vocab_size())

    def type_of(token):
        if pieces.is_unknown(token):
            return 2
        if pieces.is_control(token):
            return 3
        if pieces.is_byte(token):
            return 6
        return 4 if pieces.id_to_piece(token) in ("<user>", "\n\n") else 1

    texts = [text for text in TEXTS if "\x00" not in text] + ["<user>", "a <user> b", "<user><user>x"]
    return {"tokens": [pieces.id_to_piece(token) for token in count],
            "scores": [pieces.get_score(token) for token in count], "types": [type_of(token) for token in count],
            "texts": texts, "ids": [pieces.encode(text) for text in texts]}


def main():
    shutil.rmtree(DATA, ignore_errors=True)
    for family in families():
        write_family(*family)
    content = {"bpe" + "-user" * user: sentencepiece_fixture(user) for user in (False, True)}
    (DATA / "sentencepiece.json").write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")
    print(f"tokenizers {tokenizers.__version__}, sentencepiece {sentencepiece.__version__}")


if __name__ == "__main__":
    main()
