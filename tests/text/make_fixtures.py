# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the ids that tests/text compares with, computed by Hugging Face's `tokenizers`.

    python tests/text/make_fixtures.py [SMOLLM2.gguf]

data/small_vocabulary.json  a byte-level BPE vocabulary of some 600 tokens, trained here, and the ids of awkward texts for
                            each pre-tokenizer
data/smollm2_ids.json       the ids of the same texts in SmolLM2's vocabulary, which is read from the given GGUF file

Needs `tokenizers`, and `gguf` for the second file, from PyPI.
"""

import json
import pathlib
import sys

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "data"
TRAINING = HERE.parent.parent / "resources" / "heldout" / "heldout.txt"

TEXTS = [
    "",
    " ",
    "\n",
    "Hello world",
    " Hello  world   again    ",
    "The frozen neuron's answer isn't what they'd said; we're sure you'll see I've won, I'm told.",
    "THE FROZEN NEURON'S ANSWER ISN'T WHAT THEY'D SAID; WE'RE SURE YOU'LL SEE I'VE WON, I'M TOLD.",
    "'s 't 're 've 'm 'll 'd 'S 'T 'RE 'VE 'M 'LL 'D 'Re 'lL ''s 'x '",
    "\u2019s don\u2019t",
    "0 1 12 123 1234 12345 1234567 3.14159 1,000,000 1e-5 0x7fff 50% $9.99",
    "a1b22c333d4444 x1 1x",
    "tabs\tand\t\ttabs\t \t mixed \t",
    "line\nline\n\nline\n\n\n  indented\n\tindented\n    \n  \n",
    "dos\r\ndos\r\n\r\ndos\r \r\n mac\rmac\r\r",
    "   leading and trailing   ",
    "...!!!???   --- *** ((())) [[{}]] <<>> //\\\\ ~~``\n\n",
    "wow!!!\n\n\nnext?\r\nyes.\n \n",
    "int main(int argc, char** argv) {\n    for (int i = 0; i < 10; ++i) {\n\t\tprintf(\"%d\\n\", i);\n    }\n"
    "    return 0; // done\n}\n",
    "def f(x):\n    return {'a': x ** 2, \"b\": [1, 22, 333]}  # comment\n\n\nprint(f(3)['a'])\n",
    "snake_case camelCase PascalCase kebab-case SCREAMING_CASE path/to/file.txt user@example.org",
    "https://example.org/a?b=1&c=%20d#e",
    "naïve café Straße Ærøskøbing İstanbul ıssız ЁЖИК ёлка Ελλάδα",
    "e\u0301 a\u0300\u0323 n\u0303o o\u0302\u0301",
    "日本語のテキスト、漢字とかな。カタカナ！",
    "中文分词没有空格，数字123和字母abc混在一起。",
    "한국어 텍스트입니다. 띄어쓰기가 있습니다",
    "العربية: مرحبًا بالعالم، ١٢٣ نصّ مُشَكَّل",
    "हिन्दी में संयुक्ताक्षर: क्षत्रिय, १२३४ विद्यालय",
    "ไทยไม่มีช่องว่าง ๑๒๓",
    "עִבְרִית נִקּוּד",
    "smile 😀 family 👨‍👩‍👧‍👦 flag 🏳️‍🌈 🇩🇪 thumb 👍🏽 heart ❤️ keycap 1️⃣",
    "math ∑∫√∞ ≠ ≤ 𝒳𝓎𝟙 x² H₂O ½ ¾ Ⅷ ① ㊿",
    "a\u00a0b\u00a0\u00a0c \u00a0 d\u3000e\u2003f\u2028g\u2029h\u0085i\u200bj\ufeffk\u180el",
    "nul\x00 bell\x07 escape\x1b[0m delete\x7f c1\x9b",
    "private \ue000\uf8ff unassigned \u0378 \U000e0001 last \U0010ffff replacement \ufffd",
    "\U00031350\U0002ebf0 new letters, new digits \U00011f50\U0001e4f0",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "pneumono" + "ultramicroscopic" * 20 + "silicovolcanoconiosis",
    "a" * 300,
    "ab" * 200,
    " " * 100 + "x" + " " * 100,
    "\n" * 40 + "\t" * 40,
    "9" * 100,
    "!" * 100,
]

# cl100k and its relatives, as in the models' own tokenizer.json files.
CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def split(numbers: str) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(CL100K % numbers), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )


def byte_level() -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)


PRETOKENIZERS = {
    "gpt-2": byte_level(),
    "smollm": pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level()]),
    "llama-bpe": split("{1,3}"),
    "qwen2": split(""),
}

CONTROL = ["<|endoftext|>", "<|im_start|>"]
USER_DEFINED = ["<tool>", "<tool>>", "    "]
# Tokens that no merge leads to: only a pre-tokenizer that takes whole pieces finds them.
UNREACHABLE = [" frozen", " neuron", " NEURON", "123", "日本語"]
SPECIAL_TEXTS = [
    "<|endoftext|>",
    "one<|endoftext|>two <|im_start|> three<|im_start|>",
    "<tool>call</tool> <tool>>x <<tool>",
    "a    b     c        d <|im_start|>    ",
    "<|im_start<|endoftext|>|>",
]


def in_alphabet(text: str) -> str:
    """`text` written in GPT-2's byte alphabet."""
    return "".join(piece for piece, _ in pre_tokenizers.ByteLevel(False, use_regex=False).pre_tokenize_str(text))


def bpe(vocabulary: dict[str, int], merges: list[tuple[str, str]], pre: str) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, ignore_merges=pre == "llama-bpe"))
    tokenizer.pre_tokenizer = PRETOKENIZERS[pre]
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def train() -> tuple[dict[str, int], list[tuple[str, str]]]:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = byte_level()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet, special_tokens=CONTROL, show_progress=False)
    tokenizer.train_from_iterator([TRAINING.read_text("utf-8")[:60000], *(TEXTS * 3)], trainer)
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = dict(model["vocab"])
    for token in [*map(in_alphabet, UNREACHABLE), *USER_DEFINED]:
        vocabulary.setdefault(token, len(vocabulary))
    merges = [tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in model["merges"]]
    return vocabulary, merges


def small_vocabulary() -> dict:
    vocabulary, merges = train()
    tokens = sorted(vocabulary, key=vocabulary.get)
    kinds = {**{t: 3 for t in CONTROL}, **{t: 4 for t in USER_DEFINED}}
    plain = {pre: bpe(vocabulary, merges, pre) for pre in PRETOKENIZERS}
    ordinary, special = bpe(vocabulary, merges, "gpt-2"), bpe(vocabulary, merges, "gpt-2")
    for tokenizer in (ordinary, special):
        tokenizer.add_tokens([AddedToken(t, normalized=False) for t in USER_DEFINED])
    special.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in CONTROL])
    return {
        "tokens": tokens,
        "types": [kinds.get(t, 1) for t in tokens],
        "merges": [" ".join(m) for m in merges],
        "cases": [
            {"text": t, **{pre: tokenizer.encode(t, add_special_tokens=False).ids for pre, tokenizer in plain.items()}}
            for t in TEXTS
        ],
        "special_cases": [
            {"text": t, "ordinary": ordinary.encode(t).ids, "special": special.encode(t).ids} for t in SPECIAL_TEXTS
        ],
    }


def smollm2(path: str) -> dict:
    import gguf

    fields = gguf.GGUFReader(path).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(m.split(" ")) for m in fields["tokenizer.ggml.merges"].contents()]
    tokenizer = bpe({t: i for i, t in enumerate(tokens)}, merges, "smollm")
    texts = TEXTS + TRAINING.read_text("utf-8")[:6000].split("\n\n")
    return {"cases": [{"text": t, "ids": tokenizer.encode(t, add_special_tokens=False).ids} for t in texts]}


def write(name: str, content: dict) -> None:
    lines = []
    for key, values in content.items():
        one_a_line = key.endswith("cases")
        items = (",\n" if one_a_line else ",").join(json.dumps(v, separators=(",", ":")) for v in values)
        lines.append(f'"{key}":[{chr(10) if one_a_line else ""}{items}]')
    (DATA / name).write_text("{" + ",\n".join(lines) + "}\n", "utf-8")


if __name__ == "__main__":
    print("tokenizers", tokenizers.__version__)
    DATA.mkdir(exist_ok=True)
    write("small_vocabulary.json", small_vocabulary())
    if len(sys.argv) > 1:
        write("smollm2_ids.json", smollm2(sys.argv[1]))
