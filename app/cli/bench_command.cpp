// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench.h"
#include "app/cli/option_checks.h"
#include "app/cli/profile_run.h"
#include "core/base/output_target.h"
#include "core/profile/profile_file.h"
#include "core/profile/sample_profile.h"
#include "core/tensor/machine_rates.h"
#include "core/verdict/decision.h"

#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

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
    print_figures(
        options.json,
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
    print_figures(options.json,
                  {{"decide.neurons", 80.0 * 28672, "neurons"},
                   {"decide.ms_p50", 1e3 * quantile(seconds, 0.5), "ms"},
                   {"decide.ms_p99", 1e3 * quantile(seconds, 0.99), "ms"}},
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
    add_bench_ffn(*bench, commands);
    add_bench_masks(*bench, commands);
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
