// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/temporary_folder.h"
