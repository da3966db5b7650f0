// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"

#include <cstring>
#include <memory>
#include <string_view>

namespace permafrost::test {

/// Parses bytes as if they were a file, by one of the readers. They are copied to a block of exactly their
/// size, so that a sanitizer sees every read past the end.
template <class Reader>
Result<formats::ModelFilePtr> read_from_memory(Reader read, std::string_view bytes) {
    const auto copy = std::shared_ptr<std::byte[]>(new std::byte[bytes.size()]);
    if (!bytes.empty()) std::memcpy(copy.get(), bytes.data(), bytes.size());
    return read(ByteSpan(copy.get(), bytes.size()), "test file", copy);
}

} // namespace permafrost::test
