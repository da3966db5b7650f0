# SPDX-License-Identifier: GPL-3.0-or-later
class MaskError(Exception):
    """Why masks cannot be read or written: what, where, and what to do."""
