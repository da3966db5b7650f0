// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_result.h"

#include <algorithm>
#include <tuple>

namespace permafrost::widgets {
namespace {

double share_of_memory(const BenchmarkRow& row) {
    return row.stream_gbps > 0 ? row.gbps() / row.stream_gbps : 0;
}
double share_of_products(const BenchmarkRow& row) {
    return row.gemm_gflops > 0 ? row.speed.gflops() / row.gemm_gflops : 0;
}

bool is_dense(const BenchmarkRow& row) {
    return row.way == BenchmarkWay::TwoProducts || row.way == BenchmarkWay::Fused;
}

/// The mask itself when such a row has it, else the newest one's mask.
template <class Predicate>
std::string this_or_newest(const std::vector<BenchmarkRow>& rows, const std::string& mask, Predicate counts) {
    std::string newest;
    for (const auto& row : rows) {
        if (!row.is_of_a_mask() || !counts(row)) continue;
        if (row.mask == mask) return mask;
        newest = row.mask;
    }
    return newest;
}

/// Dense, masks, shares, widths; each group by share, the wider first, and by way.
auto place_of(const BenchmarkRow& row) {
    const int group = is_dense(row) ? 0 : row.is_of_a_mask() ? 1 : row.way == BenchmarkWay::Width ? 3 : 2;
    return std::tuple(group, row.way == BenchmarkWay::Width ? -row.percent : row.percent,
                      static_cast<int>(row.way));
}

} // namespace

double BenchmarkRow::share_of_limit() const {
    return std::max(share_of_memory(*this), share_of_products(*this));
}

bool BenchmarkRow::is_bound_by_memory() const { return share_of_memory(*this) >= share_of_products(*this); }

bool BenchmarkRow::same_subject(const BenchmarkRow& other) const {
    return conditions == other.conditions && way == other.way && percent == other.percent &&
           mask == other.mask;
}

void BenchmarkResults::add(const std::vector<BenchmarkRow>& news) {
    for (const auto& row : news) {
        std::erase_if(rows, [&](const BenchmarkRow& old) { return old.same_subject(row); });
        rows.push_back(row);
    }
}

std::vector<BenchmarkRow> BenchmarkResults::shown(const BenchmarkConditions& conditions,
                                                  const std::string& mask) const {
    const auto of_mask =
        this_or_newest(rows, mask, [&](const BenchmarkRow& row) { return row.conditions == conditions; });
    std::vector<BenchmarkRow> result;
    for (const auto& row : rows)
        if (row.conditions == conditions && (!row.is_of_a_mask() || row.mask == of_mask))
            result.push_back(row);
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return place_of(a) < place_of(b); });
    return result;
}

std::optional<MeasuredSpeed> measured_speed(const BenchmarkResults& results, const std::string& mask) {
    const auto of_mask =
        this_or_newest(results.rows, mask, [](const BenchmarkRow& row) { return !row.conditions.f32; });
    if (of_mask.empty()) return std::nullopt;
    const auto rank = [](const BenchmarkRow& row) {
        return std::tuple(row.conditions.tokens == 1, row.conditions.threads, row.speed.speedup);
    };
    const BenchmarkRow* best = nullptr;
    for (const auto& row : results.rows)
        if (!row.conditions.f32 && row.mask == of_mask && (!best || rank(row) > rank(*best))) best = &row;
    if (!best) return std::nullopt;
    MeasuredSpeed measured{*best, std::nullopt, of_mask != mask};
    if (best->conditions.tokens == 1 && results.ffn_share < 1)
        measured.model_speedup = speed::whole_model_speedup(results.ffn_share, best->speed.speedup);
    return measured;
}

} // namespace permafrost::widgets
