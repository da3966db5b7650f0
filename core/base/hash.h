// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <array>
#include <memory>
#include <string>

namespace permafrost {

/// SHA-256 of data that comes in pieces.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(ByteSpan bytes);
    /// Either of these, once.
    std::array<std::byte, 32> finish_bytes();
    /// 64 lower-case hexadecimal digits.
    std::string finish();

  private:
    struct Context;
    std::unique_ptr<Context> context_;
};

std::string sha256_hex(ByteSpan bytes);

} // namespace permafrost
