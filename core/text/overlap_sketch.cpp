// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/overlap_sketch.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <limits>

namespace permafrost::text {
namespace {

constexpr std::size_t digits = 16;
constexpr std::string_view prefix = "13:";

// splitmix64's finaliser.
std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

void for_each_hash(const Corpus& corpus, const std::function<void(std::uint64_t)>& use) {
    for (const auto& sequence : corpus.sequences) {
        const auto& tokens = sequence.tokens;
        for (std::size_t first = 0; first + OverlapSketch::length <= tokens.size(); ++first) {
            std::uint64_t hash = 0;
            for (std::size_t i = 0; i < OverlapSketch::length; ++i)
                hash = mixed(hash + 0x9e3779b97f4a7c15u + static_cast<std::uint32_t>(tokens[first + i]));
            use(hash);
        }
    }
}

std::vector<std::uint64_t> distinct_up_to(const Corpus& corpus, std::uint64_t limit) {
    std::vector<std::uint64_t> hashes;
    for_each_hash(corpus, [&](std::uint64_t hash) {
        if (hash <= limit) hashes.push_back(hash);
    });
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    return hashes;
}

} // namespace

OverlapSketch sketch_of(const Corpus& corpus) {
    auto hashes = distinct_up_to(corpus, std::numeric_limits<std::uint64_t>::max());
    hashes.resize(std::min(hashes.size(), OverlapSketch::most));
    hashes.shrink_to_fit();
    return {std::move(hashes)};
}

double shared_share(const OverlapSketch& seen, const Corpus& corpus) {
    if (seen.smallest.empty()) return 0;
    const bool all = seen.smallest.size() < OverlapSketch::most;
    const auto sample =
        distinct_up_to(corpus, all ? std::numeric_limits<std::uint64_t>::max() : seen.smallest.back());
    if (sample.empty()) return 0;
    const auto found = std::count_if(sample.begin(), sample.end(), [&](std::uint64_t hash) {
        return std::binary_search(seen.smallest.begin(), seen.smallest.end(), hash);
    });
    return static_cast<double>(found) / static_cast<double>(sample.size());
}

std::string to_string(const OverlapSketch& sketch) {
    std::string text(prefix);
    for (const auto hash : sketch.smallest) {
        char buffer[digits + 1];
        std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(hash));
        text += buffer;
    }
    return text;
}

std::optional<OverlapSketch> parse_overlap_sketch(const std::string& text) {
    const std::string_view all(text);
    if (!all.starts_with(prefix)) return std::nullopt;
    const auto hex = all.substr(prefix.size());
    if (hex.size() % digits != 0 || hex.size() / digits > OverlapSketch::most) return std::nullopt;
    OverlapSketch sketch;
    for (std::size_t at = 0; at < hex.size(); at += digits) {
        std::uint64_t hash = 0;
        const auto* begin = hex.data() + at;
        const auto [end, wrong] = std::from_chars(begin, begin + digits, hash, 16);
        const bool ascending = sketch.smallest.empty() || sketch.smallest.back() < hash;
        if (wrong != std::errc{} || end != begin + digits || !ascending) return std::nullopt;
        sketch.smallest.push_back(hash);
    }
    return sketch;
}

} // namespace permafrost::text
