// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a text was seen before: quality that is measured on the text a mask was made from looks better than it is. A corpus
// is remembered by the smallest hashes of its 13-token sequences; which of another text's sequences fall below the largest of
// them is a fair sample, and how many of those are in the sketch estimates the share of the text that was seen.
// Broder, "On the resemblance and containment of documents", 1997.
#pragma once

#include "core/text/corpus.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace permafrost::text {

struct OverlapSketch {
    static constexpr std::size_t length = 13; ///< tokens a sequence: shorter ones recur by chance
    static constexpr std::size_t most = 1024; ///< hashes

    std::vector<std::uint64_t> smallest; ///< ascending; all there are when fewer than `most`
    bool operator==(const OverlapSketch&) const = default;
};

OverlapSketch sketch_of(const Corpus& corpus);

/// Share (0 … 1) of the corpus' distinct 13-token sequences that are in the sketched text; 0 when either has none.
double shared_share(const OverlapSketch& seen, const Corpus& corpus);

/// From this share on, figures measured on the corpus look better than they are.
inline constexpr double most_overlap = 0.01;

/// "13:" and the hashes in hexadecimal.
std::string to_string(const OverlapSketch& sketch);
/// Empty for a text that is none: another length, hashes that are cut, too many or not ascending.
std::optional<OverlapSketch> parse_overlap_sketch(const std::string& text);

} // namespace permafrost::text
