// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/option_checks.h"
#include "app/cli/profile_run.h"
#include "core/base/output_target.h"
#include "core/masks/mask_blob.h"
#include "core/profile/profile_file.h"
#include "core/profile/sample_profile.h"
#include "core/quality/masked_model.h"
#include "core/tensor/machine_rates.h"
#include "core/verdict/decision.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

struct Figure {
    std::string name;
    double value;
    std::string unit;
};

struct BenchOptions {
    std::string model = "demo";
    CorpusOptions corpus;
    RunOptions run;
    std::size_t repeats = 50;
    std::string output;
    std::uint32_t layers = 80, neurons = 28672;
    std::uint64_t seed = 1;
    bool json = false;
};

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

void print(const BenchOptions& options, const std::vector<Figure>& figures, std::size_t threads) {
    if (!options.json) {
        std::cout << processor_name() << ", " << threads << " threads\n";
        for (const auto& figure : figures)
            std::printf("%-34s %12.4g %s\n", figure.name.c_str(), figure.value, figure.unit.c_str());
        return;
    }
    nlohmann::ordered_json json;
    json["machine"] = {{"cpu", processor_name()}, {"threads", threads}};
    json["results"] = nlohmann::ordered_json::array();
    for (const auto& figure : figures)
        json["results"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
    print_json(json);
}

// Seconds of each call, sorted, after one call that does not count.
std::vector<double> sorted_seconds(std::size_t repeats, const std::function<void()>& work) {
    work();
    std::vector<double> seconds(std::max<std::size_t>(1, repeats));
    for (auto& each : seconds) {
        const auto began = std::chrono::steady_clock::now();
        work();
        each = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds;
}

double quantile(const std::vector<double>& sorted, double q) {
    return sorted[std::min(sorted.size() - 1,
                           static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
}

// The machine's rate is taken before and after, since other programs come and go on a shared machine.
Result<void> bench_profile(const BenchOptions& options) {
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    ThreadPool pool(options.run.threads);
    const double gemm_before = tensor::measure_product_gflops(pool);
    const double stream = tensor::measure_stream_gbps(pool);
    PERMAFROST_TRY(const auto result, run_on_corpus(file, options.corpus, options.run));
    const double gemm_after = tensor::measure_product_gflops(pool);
    const double gemm = (gemm_before + gemm_after) / 2;
    const double gflops = result.floating_point_operations / result.seconds / 1e9;
    print(options,
          {{"machine.gemm_gflops", gemm, "GFLOP/s"},
           {"machine.gemm_gflops_before", gemm_before, "GFLOP/s"},
           {"machine.gemm_gflops_after", gemm_after, "GFLOP/s"},
           {"machine.stream_gbps", stream, "GB/s"},
           {"profile.tokens", static_cast<double>(result.tokens), "tokens"},
           {"profile.seconds", result.seconds, "s"},
           {"profile.tokens_per_second", static_cast<double>(result.tokens) / result.seconds, "tokens/s"},
           {"profile.gflops", gflops, "GFLOP/s"},
           {"profile.share_of_gemm", gflops / gemm, "of machine.gemm_gflops"}},
          result.threads);
    return {};
}

Result<void> bench_decide(const BenchOptions& options) {
    const auto profile = profile::sample_profile(80, 28672, 1);
    const masks::FreezeRule rule;
    const auto seconds = sorted_seconds(options.repeats, [&] { verdict::decide(*profile, rule); });
    print(options,
          {{"decide.neurons", 80.0 * 28672, "neurons"},
           {"decide.ms_p50", 1e3 * quantile(seconds, 0.5), "ms"},
           {"decide.ms_p99", 1e3 * quantile(seconds, 0.99), "ms"}},
          1);
    return {};
}

// A thousand decodings of one layer are timed together: one takes less than the clock can tell.
Result<void> bench_masks(const BenchOptions& options) {
    constexpr std::uint32_t layer_count = 32, neurons = 8192; // Phi-3-mini, as in the seeds
    constexpr int at_once = 1000;
    const auto profile = profile::sample_profile(layer_count, neurons, 1);
    const auto layers = quality::masks_of(verdict::decide(*profile, {}));
    const auto blob = masks::make_mask_blob(layers);
    PERMAFROST_TRY(const auto view, masks::MaskBlobView::open(blob, "bench"));
    std::size_t seen = 0; // so that no decoding is left out
    const auto serialise =
        sorted_seconds(options.repeats, [&] { seen += masks::make_mask_blob(layers).size(); });
    const auto open = sorted_seconds(
        options.repeats, [&] { seen += masks::MaskBlobView::open(blob, "bench")->layers().size(); });
    const auto one = sorted_seconds(options.repeats, [&] {
        for (std::uint32_t i = 0; i < at_once; ++i) seen += view.find(i % layer_count)->bitmask().bytes()[0];
    });
    const auto all = sorted_seconds(options.repeats, [&] {
        for (const auto& layer : view.layers()) seen += layer.bitmask().bytes()[0];
    });
    if (seen == 0) return Error{"nothing was decoded"};
    print(options,
          {{"masks.bytes", static_cast<double>(blob.size()), "bytes"},
           {"masks.serialise_us", 1e6 * quantile(serialise, 0.5), "us"},
           {"masks.open_and_check_us", 1e6 * quantile(open, 0.5), "us"},
           {"masks.decode_layer_us", 1e6 * quantile(one, 0.5) / at_once, "us"},
           {"masks.decode_layer_us_of_the_seeds", 45, "us"},
           {"masks.decode_32_layers_us", 1e6 * quantile(all, 0.5), "us"},
           {"masks.decode_32_layers_us_of_the_seeds", 1400, "us"}},
          1);
    return {};
}

Result<void> bench_synthetic(const BenchOptions& options) {
    PERMAFROST_CHECK(check_output(options.output, {}));
    const auto profile = profile::sample_profile(options.layers, options.neurons, options.seed);
    PERMAFROST_TRY(const auto sha, profile::write_profile(*profile, options.output));
    if (options.json)
        print_json({{"path", options.output}, {"sha256", sha}});
    else
        std::cout << "Wrote " << options.output << ": random statistics that no model produced\n";
    return {};
}

} // namespace

void add_bench_command(Commands& commands) {
    auto* bench =
        commands.app.add_subcommand("bench", "speed on this machine, beside the machine's own rates");
    bench->require_subcommand(1);
    const auto add = [&](const std::string& name, const std::string& description,
                         Result<void> (*run)(const BenchOptions&)) {
        auto options = std::make_shared<BenchOptions>();
        auto* command = bench->add_subcommand(name, description);
        command->callback(
            [&commands, options, run] { commands.action = [options, run] { return run(*options); }; });
        command->add_flag("--json", options->json, "print one JSON object");
        return std::pair(command, options);
    };
    const auto [profile, profile_options] = add("profile", "the rate of a real run", bench_profile);
    profile->add_option("MODEL", profile_options->model, "model file, or demo")->capture_default_str();
    profile_options->corpus.add_to(*profile);
    profile_options->run.add_to(*profile);
    const auto [decide, decide_options] =
        add("decide", "a decision over 80 layers x 28 672 neurons of random statistics, one thread",
            bench_decide);
    decide->add_option("--repeats", decide_options->repeats, "measured decisions")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    const auto [masks, masks_options] =
        add("masks", "masks of 32 layers x 8 192 neurons: into a blob and back", bench_masks);
    masks->add_option("--repeats", masks_options->repeats, "measured repeats")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    const auto [synthetic, synthetic_options] =
        add("synthetic", "write a profile of random statistics, to measure the window with", bench_synthetic);
    synthetic->add_option("-o,--output", synthetic_options->output, "profile to write (.frost)")->required();
    synthetic->add_option("--layers", synthetic_options->layers, "layers")
        ->check(whole_number(1, 1024))
        ->capture_default_str();
    synthetic->add_option("--neurons", synthetic_options->neurons, "neurons a layer")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    synthetic->add_option("--seed", synthetic_options->seed, "equal seeds give equal bytes")
        ->check(whole_number(0))
        ->capture_default_str();
}

} // namespace permafrost::cli
