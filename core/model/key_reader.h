// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace permafrost::model {

/// Reads keys "<architecture>.…" of one file, checks their ranges and keeps the first thing that is wrong.
class KeyReader {
  public:
    KeyReader(const formats::Metadata& metadata, const std::string& architecture)
        : metadata_(metadata), prefix_(architecture + ".") {}

    /// A whole number from `least` to `most`; without `otherwise` the key must be there.
    std::uint32_t count(const std::string& key, std::uint64_t most,
                        std::optional<std::uint32_t> otherwise = {}, std::uint32_t least = 1);
    /// A positive number; without `otherwise` the key must be there.
    double number(const std::string& key, std::optional<double> otherwise = {});
    /// A scalar for all layers, or one number a layer.
    std::vector<std::uint32_t> per_layer(const std::string& key, std::uint32_t layers, std::uint64_t most,
                                         std::optional<std::vector<std::uint32_t>> otherwise = {},
                                         std::uint32_t least = 1);
    bool has(const std::string& key) const { return metadata_.find(prefix_ + key) != nullptr; }
    /// One truth value a layer (numbers count as true unless zero); empty when the key is no list.
    std::vector<bool> flags(const std::string& key, std::uint32_t layers);
    const std::string* string(const std::string& key) const { return metadata_.string(prefix_ + key); }

    void fail(std::string what) {
        if (error_.empty()) error_ = std::move(what);
    }
    const std::string& error() const { return error_; }

  private:
    const formats::Metadata& metadata_;
    std::string prefix_;
    std::string error_;
};

} // namespace permafrost::model
