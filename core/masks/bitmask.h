// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace permafrost::masks {

/// One bit a neuron: bit i is neuron i, least significant bit of a byte first (the seeds' bit order). Bits
/// past the last neuron are zero.
class Bitmask {
  public:
    Bitmask() = default;
    explicit Bitmask(std::size_t size) : size_(size), bytes_((size + 7) / 8, 0) {}
    /// Takes ceil(size / 8) bytes; stray bits past the end are cleared.
    Bitmask(std::size_t size, std::vector<std::uint8_t> bytes) : size_(size), bytes_(std::move(bytes)) {
        bytes_.resize((size + 7) / 8, 0);
        if (size % 8 != 0) bytes_.back() &= static_cast<std::uint8_t>((1u << (size % 8)) - 1u);
    }

    std::size_t size() const { return size_; }
    bool test(std::size_t i) const { return (bytes_[i / 8] >> (i % 8)) & 1u; }
    void set(std::size_t i, bool on = true) {
        const auto bit = static_cast<std::uint8_t>(1u << (i % 8));
        if (on)
            bytes_[i / 8] |= bit;
        else
            bytes_[i / 8] &= static_cast<std::uint8_t>(~bit);
    }
    std::size_t count() const {
        std::size_t bits = 0;
        for (auto byte : bytes_) bits += static_cast<std::size_t>(std::popcount(byte));
        return bits;
    }
    std::span<const std::uint8_t> bytes() const { return bytes_; }
    std::span<std::uint8_t> bytes() { return bytes_; }

    bool operator==(const Bitmask&) const = default;

  private:
    std::size_t size_ = 0;
    std::vector<std::uint8_t> bytes_;
};

/// Frozen in either, in both, in `a` but not in `b`. Neurons past the end of the shorter mask are not frozen in it.
Bitmask united(const Bitmask& a, const Bitmask& b);
Bitmask intersected(const Bitmask& a, const Bitmask& b);
Bitmask subtracted(const Bitmask& a, const Bitmask& b);
/// |a and b| / |a or b|, the Jaccard index: 1 for equal masks, also for two without a frozen neuron.
double jaccard(const Bitmask& a, const Bitmask& b);

} // namespace permafrost::masks
