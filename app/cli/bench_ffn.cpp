// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feed-forward layers as they are, without frozen neurons, and narrower, beside what the machine's memory and products deliver.
#include "app/cli/bench.h"
#include "app/cli/console.h"
#include "app/cli/option_checks.h"
#include "core/masks/mask_files.h"
#include "core/speed/ffn_speed.h"
#include "core/tensor/encode.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace permafrost::cli {
namespace {

using speed::FfnLayers;
using speed::FfnSpeed;
using speed::FrozenNeurons;
using tensor::ElementType;

struct FfnOptions {
    std::string model, masks, shape = "phi3";
    std::vector<std::string> types{"f32", "q4_k"};
    std::vector<std::size_t> tokens{1}, threads{0};
    std::size_t repeats = 11;
    bool quiet = false, json = false;
};

/// A set of frozen neurons and what its figures are called.
struct Variants {
    std::vector<FrozenNeurons> frozen;
    std::vector<std::string> suffixes; ///< "20", "present"; empty for a width
    std::vector<int> widths;           ///< percent; 0 for a mask
    void add(FrozenNeurons set, std::string suffix, int width = 0) {
        frozen.push_back(std::move(set));
        suffixes.push_back(std::move(suffix));
        widths.push_back(width);
    }
};

Result<FrozenNeurons> present_mask(const std::string& path, const FfnLayers& layers) {
    PERMAFROST_TRY(const auto maps, masks::read_saturation_maps(path));
    FrozenNeurons result{path, std::vector<std::vector<std::uint32_t>>(layers.layers.size())};
    for (const auto& [layer, mask] : maps.layers) {
        if (layer >= layers.layers.size() || mask.size() != layers.layers[layer].neurons())
            return Error{path + ": its layer " + std::to_string(layer) + " of " +
                         std::to_string(mask.size()) + " neurons is not one of this model's: give masks of " +
                         "the same model"};
        for (std::uint32_t i = 0; i < mask.size(); ++i)
            if (mask.test(i)) result.layers[layer].push_back(i);
    }
    return result;
}

Result<Variants> variants_of(const FfnOptions& options, const FfnLayers& layers, bool own) {
    Variants variants;
    if (own && !options.masks.empty()) {
        PERMAFROST_TRY(auto mask, present_mask(options.masks, layers));
        variants.add(std::move(mask), "present");
    }
    for (const int percent : speed::frozen_percents)
        variants.add(speed::random_frozen(layers, percent), std::to_string(percent));
    for (const int percent : speed::width_percents)
        variants.add(speed::last_frozen(layers, percent), {}, percent);
    return variants;
}

void add_way(std::vector<Figure>& figures, const std::string& name, const speed::WaySpeed& way,
             const FfnSpeed& beside, std::uint32_t layers) {
    const auto tokens = beside.conditions.tokens;
    figures.push_back({name + ".us_per_token", 1e6 * way.seconds, "us"});
    figures.push_back({name + ".us_per_layer", 1e6 * way.seconds / layers, "us"});
    figures.push_back({name + ".spread", (way.slowest - way.fastest) / way.seconds, "of it"});
    figures.push_back({name + ".gbps", way.gbps(tokens), "GB/s"});
    figures.push_back(
        {name + ".share_of_stream", way.gbps(tokens) / beside.stream_gbps, "of machine.stream_gbps"});
    figures.push_back({name + ".gflops", way.gflops(), "GFLOP/s"});
    figures.push_back({name + ".share_of_gemm", way.gflops() / beside.gemm_gflops, "of machine.gemm_gflops"});
}

void add_frozen(std::vector<Figure>& figures, const std::string& name, const speed::WaySpeed& way,
                const speed::FrozenSpeed& set, double ffn_share) {
    figures.push_back({name + ".us_per_token", 1e6 * way.seconds, "us"});
    figures.push_back({name + ".speedup", way.speedup, "x of fused"});
    figures.push_back({name + ".of_ideal", way.speedup / set.ideal, "of 1/(1-s)"});
    if (ffn_share < 1)
        figures.push_back({name + ".model_speedup", speed::whole_model_speedup(ffn_share, way.speedup),
                           "x, estimate of the whole model"});
}

void add_figures(std::vector<Figure>& figures, const std::string& prefix, const FfnSpeed& measured,
                 const Variants& variants, const FfnLayers& layers) {
    add_way(figures, prefix + "dense", measured.two_products, measured, layers.of_model);
    add_way(figures, prefix + "fused", measured.fused, measured, layers.of_model);
    figures.push_back({prefix + "fused.speedup", measured.fusion_speedup(), "x of dense"});
    figures.push_back({prefix + "fused.speedup_of_the_seeds", 1.23, "x of dense"});
    const double share = layers.ffn_share();
    if (share < 1) figures.push_back({prefix + "ffn_share_of_bytes", share, "of what a token reads"});
    for (std::size_t i = 0; i < measured.frozen.size(); ++i) {
        const auto& set = measured.frozen[i];
        if (variants.widths[i] != 0) {
            if (set.compacted)
                add_frozen(figures, prefix + "width_" + std::to_string(variants.widths[i]), *set.compacted,
                           set, share);
            continue;
        }
        if (variants.suffixes[i] == "present")
            figures.push_back({prefix + "frozen_present", set.frozen_share, "of all neurons"});
        add_frozen(figures, prefix + "masked_" + variants.suffixes[i], set.masked, set, share);
        if (set.compacted)
            add_frozen(figures, prefix + "compacted_" + variants.suffixes[i], *set.compacted, set, share);
    }
}

class FfnBench {
  public:
    explicit FfnBench(const FfnOptions& options) : options_(options) {
        settings_.conditions.clear();
        for (const auto threads : options.threads)
            for (const auto tokens : options.tokens) settings_.conditions.push_back({threads, tokens});
        settings_.repeats = options.repeats;
    }

    Result<void> measure(const FfnLayers& layers, const std::string& type, bool own) {
        PERMAFROST_TRY(const auto variants, variants_of(options_, layers, own));
        std::optional<ProgressLine> line(std::in_place, options_.quiet);
        speed::SpeedObserver observer;
        observer.progress = [&](double share) { line->show("measuring " + type, share); };
        auto measured =
            speed::measure_ffn_speed(layers, variants.frozen, settings_, observer, interruption());
        line.reset();
        PERMAFROST_TRY(const auto results, std::move(measured));
        for (const auto& each : results) {
            // The first conditions have the plain names.
            const bool first = &each == &results.front();
            const auto where = first ? std::string()
                                     : "threads_" + std::to_string(each.conditions.threads) + ".tokens_" +
                                           std::to_string(each.conditions.tokens) + ".";
            if (types_ == 0) {
                figures_.push_back({"machine." + where + "stream_gbps", each.stream_gbps, "GB/s"});
                figures_.push_back({"machine." + where + "gemm_gflops", each.gemm_gflops, "GFLOP/s"});
            }
            add_figures(figures_, "ffn." + type + "." + where, each, variants, layers);
        }
        threads_ = results.front().conditions.threads;
        ++types_;
        return {};
    }

    void print() const { print_figures(options_.json, figures_, threads_); }

  private:
    const FfnOptions& options_;
    speed::SpeedSettings settings_;
    std::vector<Figure> figures_;
    std::size_t threads_ = 0, types_ = 0;
};

Result<void> bench_ffn(const FfnOptions& options) {
    FfnBench bench(options);
    auto shape = *std::find_if(speed::model_shapes.begin(), speed::model_shapes.end(),
                               [&](const auto& known) { return known.name == options.shape; });
    if (!options.model.empty()) {
        PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
        PERMAFROST_TRY(const auto layers, speed::layers_of(file));
        PERMAFROST_CHECK(bench.measure(layers, "own", true));
        const auto& first = layers.layers.front();
        shape = {"own",
                 "own",
                 layers.of_model,
                 static_cast<std::uint32_t>(first.hidden()),
                 static_cast<std::uint32_t>(first.neurons()),
                 0};
    }
    for (const auto& type : options.types) {
        const auto element = type == "f32" ? ElementType::F32 : ElementType::Q4_K;
        const auto block = tensor::info(element).block_elements;
        if (shape.hidden % block != 0 || shape.neurons % block != 0) continue;
        PERMAFROST_CHECK(bench.measure(speed::random_layers(shape, element), type, false));
    }
    bench.print();
    return {};
}

} // namespace

void add_bench_ffn(CLI::App& bench, Commands& commands) {
    auto options = std::make_shared<FfnOptions>();
    auto* command =
        bench.add_subcommand("ffn", "feed-forward layers: dense, without frozen neurons, narrower");
    command->callback([&commands, options] { commands.action = [options] { return bench_ffn(*options); }; });
    auto* model = command->add_option("MODEL", options->model,
                                      "its own layers, and random ones of the same size in other types");
    command->add_option("--masks", options->masks, "frozen neurons to measure beside random ones")
        ->needs(model);
    command->add_option("--shape", options->shape, "of random layers: phi3, qwen, gemma or llama")
        ->check(CLI::IsMember({"phi3", "qwen", "gemma", "llama"}))
        ->excludes(model)
        ->capture_default_str();
    command->add_option("--types", options->types, "of random layers: f32, q4_k, or both")
        ->check(CLI::IsMember({"f32", "q4_k"}))
        ->capture_default_str();
    command
        ->add_option("--tokens", options->tokens,
                     "at once: 1 is generating text, some hundreds are reading a prompt; several are "
                     "measured one after the other")
        ->check(whole_number(1, 4096))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "threads, 0: one a processor; several as above")
        ->check(whole_number(0, 1024));
    command->add_option("--repeats", options->repeats, "measured passes over the layers")
        ->check(whole_number(1, 100'000))
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "no progress on stderr");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
