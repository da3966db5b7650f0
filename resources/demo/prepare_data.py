#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the texts of the demo model from two Debian packages, both in the public domain.

    apt-get install bible-kjv bible-kjv-text r-cran-janeaustenr
    python3 prepare_data.py --out build/demo-data --heldout ../heldout/heldout.txt

r-cran-janeaustenr pulls in R, which is not needed here: its data file is read directly. Without installing it:

    apt-get download r-cran-janeaustenr && dpkg -x r-cran-janeaustenr_*.deb unpacked
    python3 prepare_data.py --austen unpacked/usr/lib/R/site-library/janeaustenr --out ...

Results, UTF-8, one paragraph or one verse a line, every chapter under a heading of its own:

    train.txt       chapters separated by a line with <|endoftext|>
    validation.txt  chapters listed in VALIDATION, never trained on
    heldout.txt     chapters listed in HELDOUT, never trained on and never looked at during training
"""

import argparse
import hashlib
import pathlib
import re
import struct
import subprocess
import zlib

SEPARATOR = "\n<|endoftext|>\n"

# Chapters that are not trained on. None of them has a parallel elsewhere in the Bible that is trained on verse by verse
# (as 2 Kings 18-20 has in Isaiah 36-39, for example).
VALIDATION = {
    "Emma": [33],
    "Mansfield Park": [9],
    "Northanger Abbey": [10],
    "Persuasion": [15],
    "Pride and Prejudice": [11, 36],
    "Sense and Sensibility": [15],
    "Numbers": [22],
    "Esther": list(range(1, 11)),
    "Psalms": list(range(139, 150)),
    "Jonah": [1, 2, 3, 4],
    "James": [1, 2, 3, 4, 5],
}
HELDOUT = {
    "Emma": [9],
    "Mansfield Park": [18],
    "Northanger Abbey": [6, 14, 22],
    "Persuasion": [5],
    "Pride and Prejudice": [20],
    "Sense and Sensibility": [6],
    "Leviticus": [19],
    "Ruth": [1, 2, 3, 4],
    "Psalms": [84, 90, 91, 104],
    "Proverbs": [15, 16],
    "Isaiah": [40, 55],
    "Luke": [15],
    "Acts": [27],
    "Hebrews": [11],
    "Revelation": [21],
}

AUSTEN = ["Emma", "Mansfield Park", "Northanger Abbey", "Persuasion", "Pride and Prejudice", "Sense and Sensibility"]

BIBLE = [
    "Genesis", "Exodus", "Leviticus", "Numbers", "Deuteronomy", "Joshua", "Judges", "Ruth", "1 Samuel", "2 Samuel",
    "1 Kings", "2 Kings", "1 Chronicles", "2 Chronicles", "Ezra", "Nehemiah", "Esther", "Job", "Psalms", "Proverbs",
    "Ecclesiastes", "Song of Solomon", "Isaiah", "Jeremiah", "Lamentations", "Ezekiel", "Daniel", "Hosea", "Joel",
    "Amos", "Obadiah", "Jonah", "Micah", "Nahum", "Habakkuk", "Zephaniah", "Haggai", "Zechariah", "Malachi", "Matthew",
    "Mark", "Luke", "John", "Acts", "Romans", "1 Corinthians", "2 Corinthians", "Galatians", "Ephesians",
    "Philippians", "Colossians", "1 Thessalonians", "2 Thessalonians", "1 Timothy", "2 Timothy", "Titus", "Philemon",
    "Hebrews", "James", "1 Peter", "2 Peter", "1 John", "2 John", "3 John", "Jude", "Revelation",
]


def r_strings(serialized: bytes) -> list[str]:
    """The character vector in an R serialization (format X, version 3): type word, length, then one CHARSXP each."""
    at = serialized.index(b"\x00\x00\x00\x10")  # STRSXP without attributes
    (count,) = struct.unpack_from(">I", serialized, at + 4)
    at += 8
    strings = []
    for _ in range(count):
        flags, length = struct.unpack_from(">Ii", serialized, at)
        if flags & 0xFF != 9:
            raise SystemExit("the Austen data file is not laid out as expected (no CHARSXP where one should be)")
        at += 8
        strings.append(serialized[at : at + max(length, 0)].decode("utf-8"))
        at += max(length, 0)
    return strings


def austen_books(package: pathlib.Path) -> list[list[str]]:
    """Lines of the six novels, in the order of AUSTEN: an .rdb is a row of (length, zlib stream)."""
    data = (package / "data" / "Rdata.rdb").read_bytes()
    books, at = [], 0
    while at < len(data):
        stream = zlib.decompressobj()
        books.append(r_strings(stream.decompress(data[at + 4 :])))
        at = len(data) - len(stream.unused_data)
    return books


def paragraphs(lines: list[str]) -> str:
    """Hard-wrapped lines to one line a paragraph; italics marks, editors' brackets and rows of stars go."""
    text = []
    for block in re.split(r"\n\s*\n", "\n".join(lines)):
        block = re.sub(r"--\s*\n\s*", "--", block.strip())
        block = " ".join(block.split())
        if not block or block.startswith("[") or re.fullmatch(r"[* ]+", block):
            continue
        text.append(block.replace("_", "").replace("*", ""))
    return "\n".join(text)


def austen(package: pathlib.Path) -> list[tuple[str, int, str]]:
    """(novel, chapter, text); chapters are counted through the volumes of a novel."""
    chapters = []
    for title, lines in zip(AUSTEN, austen_books(package), strict=True):
        number, body = 0, []
        for line in lines + ["FINIS"]:
            head = re.fullmatch(r"(CHAPTER|Chapter|VOLUME) [IVXL\d]+", line.strip())
            # The edition's note on the text follows Northanger Abbey without an end mark.
            end = line.strip() in ("FINIS", "Finis", "THE END") or "NOTE ON THE TEXT" in line.upper()
            if head or end:
                if number and any(s.strip() for s in body):
                    chapters.append((title, number, paragraphs(body)))
                body = []
                if end:
                    break
                number += not line.startswith("VOLUME")
            else:
                body.append(line)
    return chapters


def bible(program: str) -> list[tuple[str, int, str]]:
    """(book, chapter, text), a verse a line."""
    out = subprocess.run([program, "-f", "Gen1:1-Rev22:21"], capture_output=True, text=True, check=True).stdout
    chapters: list[tuple[str, int, list[str]]] = []
    names: dict[str, str] = {}
    for line in out.splitlines():
        match = re.match(r"(\d?[A-Za-z]+)(\d+):(\d+) (.*)", line)
        if not match:
            continue
        short, chapter, _, verse = match.groups()
        name = names.setdefault(short, BIBLE[len(names)] if short not in names else "")
        if not chapters or chapters[-1][:2] != (name, int(chapter)):
            chapters.append((name, int(chapter), []))
        chapters[-1][2].append(" ".join(verse.split()))
    if len(names) != len(BIBLE):
        raise SystemExit(f"expected {len(BIBLE)} books of the Bible, the program printed {len(names)}")
    return [(name, chapter, "\n".join(verses)) for name, chapter, verses in chapters]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--austen", type=pathlib.Path, default="/usr/lib/R/site-library/janeaustenr")
    arguments.add_argument("--bible", default="bible", help="the bible program (default: from PATH)")
    arguments.add_argument("--out", type=pathlib.Path, required=True, help="folder for train.txt and validation.txt")
    arguments.add_argument("--heldout", type=pathlib.Path, help="where the held-out text goes (default: OUT)")
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    parts: dict[str, list[str]] = {"train": [], "validation": [], "heldout": []}
    used = set()
    for title, number, text in austen(options.austen) + bible(options.bible):
        part = "train"
        for name, listed in (("validation", VALIDATION), ("heldout", HELDOUT)):
            if number in listed.get(title, []):
                part = name
                used.add((name, title, number))
        joint = ", Chapter " if title in AUSTEN else " "
        parts[part].append(f"{title}{joint}{number}\n\n{text}\n")
    wanted = {("validation", t, n) for t in VALIDATION for n in VALIDATION[t]}
    wanted |= {("heldout", t, n) for t in HELDOUT for n in HELDOUT[t]}
    if used != wanted:
        raise SystemExit(f"chapters that should be set aside were not found: {sorted(wanted - used)}")

    for name, texts in parts.items():
        path = options.heldout if name == "heldout" and options.heldout else options.out / f"{name}.txt"
        content = (SEPARATOR if name == "train" else "\n").join(texts).encode("utf-8")
        path.write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        print(f"{name}: {len(texts)} chapters, {len(content)} bytes, sha256 {digest}")


if __name__ == "__main__":
    main()
