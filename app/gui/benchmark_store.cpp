// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/benchmark_store.h"

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/base/processor.h"
#include "core/formats/json_fields.h"
#include "core/formats/strict_json.h"

#include <QDir>
#include <QStandardPaths>

#include <array>
#include <cmath>
#include <mutex>
#include <thread>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;
using formats::number_in;
using formats::text_in;
using nlohmann::json;
using nlohmann::ordered_json;
using widgets::BenchmarkResults;
using widgets::BenchmarkRow;
using widgets::BenchmarkWay;

constexpr const char* format_name = "permafrost.timings";
constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;
constexpr std::size_t most_rows = 2000;
constexpr std::array way_names{"two_products", "fused", "masked", "compacted", "width"};

std::string path_of(const BenchmarkSubject& subject) {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/speed"_s;
    QDir().mkpath(folder);
    const auto name = sha256_hex(
        bytes_of(subject.model_sha256 + subject.processor + ":" + std::to_string(subject.processors)));
    return folder.toStdString() + "/" + name.substr(0, 32) + ".json";
}

ordered_json row_json(const BenchmarkRow& row) {
    const auto& speed = row.speed;
    return {{"weights", row.conditions.f32 ? "f32" : "own"},
            {"tokens", row.conditions.tokens},
            {"threads", row.conditions.threads},
            {"way", way_names.at(static_cast<std::size_t>(row.way))},
            {"percent", row.percent},
            {"mask_sha256", row.mask},
            {"frozen_share", row.frozen_share},
            {"ideal", row.ideal},
            {"seconds", speed.seconds},
            {"fastest", speed.fastest},
            {"slowest", speed.slowest},
            {"bytes", speed.bytes},
            {"operations", speed.operations},
            {"speedup", speed.speedup},
            {"least_speedup", speed.least_speedup},
            {"most_speedup", speed.most_speedup},
            {"stream_gbps", row.stream_gbps},
            {"gemm_gflops", row.gemm_gflops},
            {"measured_at", row.measured_at}};
}

/// Nothing when a number is missing or makes no sense.
std::optional<BenchmarkRow> read_row(const json& entry) {
    const auto way = std::find(way_names.begin(), way_names.end(), text_in(entry, "way"));
    if (way == way_names.end()) return std::nullopt;
    bool sound = true;
    const auto number = [&](const char* key, double least, double most) {
        const double value = number_in(entry, key);
        sound = sound && value >= least && value <= most; // false as well when it is no number
        return sound ? value : 0;
    };
    constexpr double small = 1e-12, large = 1e18;
    BenchmarkRow row;
    row.conditions = {text_in(entry, "weights") == "f32",
                      static_cast<std::size_t>(number("tokens", 1, 1 << 20)),
                      static_cast<std::size_t>(number("threads", 1, 1 << 16))};
    row.way = static_cast<BenchmarkWay>(way - way_names.begin());
    row.percent = static_cast<int>(number("percent", 0, 100));
    row.mask = text_in(entry, "mask_sha256");
    row.frozen_share = number("frozen_share", 0, 1);
    row.ideal = number("ideal", 1, large);
    row.speed = {number("seconds", small, large),       number("fastest", small, large),
                 number("slowest", small, large),       number("bytes", 0, large),
                 number("operations", 0, large),        number("speedup", small, large),
                 number("least_speedup", small, large), number("most_speedup", small, large)};
    row.stream_gbps = number("stream_gbps", 0, large);
    row.gemm_gflops = number("gemm_gflops", 0, large);
    row.measured_at = static_cast<std::int64_t>(number("measured_at", 0, 1e11));
    return sound ? std::optional(row) : std::nullopt;
}

} // namespace

BenchmarkSubject subject_of(const std::string& model_sha256) {
    return {model_sha256, processor_name(), std::max<std::size_t>(1, std::thread::hardware_concurrency())};
}

BenchmarkResults read_timings(const BenchmarkSubject& subject) {
    BenchmarkResults results{subject.processor, subject.processors, 1, {}};
    const auto path = path_of(subject);
    const auto text = read_text_file(path, largest_file);
    if (!text.ok()) return results;
    const auto file = formats::parse_strictly(text.value(), path);
    if (!file.ok() || text_in(file.value(), "format") != format_name ||
        text_in(file.value(), "model_sha256") != subject.model_sha256)
        return results;
    const double share = number_in(file.value(), "ffn_share");
    results.ffn_share = share > 0 && share <= 1 ? share : 1;
    const auto rows = file->find("rows");
    if (rows == file->end() || !rows->is_array()) return results;
    for (const auto& entry : *rows)
        if (const auto row = read_row(entry)) results.rows.push_back(*row);
    return results;
}

Result<BenchmarkResults> keep_timings(const BenchmarkSubject& subject, double ffn_share,
                                      const std::vector<BenchmarkRow>& news) {
    static std::mutex windows_of_this_process;
    const std::lock_guard lock(windows_of_this_process);
    auto all = read_timings(subject);
    all.ffn_share = ffn_share;
    all.add(news);
    if (all.rows.size() > most_rows)
        all.rows.erase(all.rows.begin(), all.rows.end() - static_cast<std::ptrdiff_t>(most_rows));
    auto rows = ordered_json::array();
    for (const auto& row : all.rows) rows.push_back(row_json(row));
    const ordered_json file{{"format", format_name},
                            {"version", 1},
                            {"model_sha256", subject.model_sha256},
                            {"processor", subject.processor},
                            {"processors", subject.processors},
                            {"ffn_share", ffn_share},
                            {"rows", std::move(rows)}};
    PERMAFROST_CHECK(write_file(path_of(subject), file.dump(1) + "\n"));
    return all;
}

} // namespace permafrost::gui
