# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear whole or not at all."""
from __future__ import annotations

import contextlib
import os
import tempfile
from typing import BinaryIO, Iterator

from .errors import MaskError

_PIECE = 8 << 20


@contextlib.contextmanager
def atomic_file(target: os.PathLike | str, *inputs: os.PathLike | str) -> Iterator[BinaryIO]:
    """A file that replaces `target` at the end of a block that does not raise. It may be none of `inputs`."""
    target = os.fspath(target)
    for path in inputs:
        if os.path.exists(target) and os.path.samefile(path, target):
            raise MaskError(f"{target} is the model itself; choose another name")
    handle, scratch = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(target)), prefix=".saturation-masks-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(scratch, 0o666 & ~umask)
        os.replace(scratch, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise


def copy_rest(source: BinaryIO, target: BinaryIO) -> None:
    while piece := source.read(_PIECE):
        target.write(piece)
