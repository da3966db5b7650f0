// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feed-forward layers for one token: dense, without frozen neurons, and narrower, beside what the machine's memory delivers.
#include "app/cli/bench.h"
#include "app/cli/option_checks.h"
#include "core/base/output_target.h"
#include "core/formats/model_file.h"
#include "core/model/ffn_layer.h"
#include "core/model/layer_plan.h"
#include "core/model/model_config.h"
#include "core/tensor/encode.h"
#include "core/tensor/machine_rates.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

namespace permafrost::cli {
namespace {

using model::FfnMatrices;
using tensor::ElementType;

struct Shape {
    std::string_view name;
    std::uint32_t layers;
    std::size_t hidden, neurons;
};
constexpr std::array shapes{Shape{"phi3", 32, 3072, 8192}, Shape{"qwen", 28, 3584, 18944},
                            Shape{"gemma", 42, 3584, 14336}, Shape{"llama", 80, 8192, 28672}};
constexpr std::array frozen_percents{5, 10, 20, 30, 50};

struct FfnOptions {
    std::string model, shape = "phi3";
    std::vector<std::string> types{"f32", "q4_k"};
    std::size_t repeats = 11, threads = 0;
    bool json = false;
};

/// Layers that follow each other, so many that no cache holds them.
struct Layers {
    std::vector<std::vector<std::byte>> memory;
    std::vector<FfnMatrices> layers;
    std::uint32_t of_model = 0; ///< layers of the whole model
};

constexpr std::uint64_t more_than_a_cache = std::uint64_t{512} << 20;

// Random values as one matrix, whose bytes are copied for each layer: what they are changes nothing about the time.
Layers random_layers(const Shape& shape, ElementType type) {
    const auto& layout = tensor::info(type);
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(shape.hidden)));
    std::vector<float> values(shape.hidden * shape.neurons);
    for (auto& value : values) value = normal(random);
    std::vector<std::byte> one(values.size() / layout.block_elements * layout.block_bytes);
    tensor::encode(type, values.data(), one.data(), values.size());
    Layers result;
    result.of_model = shape.layers;
    const auto count = std::max<std::size_t>(2, (more_than_a_cache + 3 * one.size() - 1) / (3 * one.size()));
    for (std::size_t i = 0; i < count; ++i) {
        FfnMatrices layer;
        for (auto* view : {&layer.gate, &layer.up, &layer.down}) {
            result.memory.push_back(one);
            *view = {"", type, {shape.neurons, shape.hidden}, result.memory.back(), false};
        }
        layer.down.shape = {shape.hidden, shape.neurons};
        result.layers.push_back(layer);
    }
    return result;
}

Result<Layers> layers_of(const formats::ModelFile& file) {
    PERMAFROST_TRY(const auto config, model::read_model_config(file));
    Layers result;
    result.of_model = config.layers;
    for (std::uint32_t i = 0; i < config.layers; ++i) {
        const auto matrix = [&](const char* name) { return file.find(model::layer_tensor_name(i, name)); };
        FfnMatrices layer;
        layer.activation = config.family->activation;
        layer.up = *matrix("ffn_up.weight");
        layer.down = *matrix("ffn_down.weight");
        if (config.family->fused_gate_up) {
            layer.gate = layer.up;
            const auto half = layer.up.bytes.size() / 2;
            layer.gate.bytes = layer.up.bytes.first(half);
            layer.up.bytes = layer.up.bytes.subspan(half);
            layer.gate.shape.front() = layer.up.shape.front() = layer.up.shape.front() / 2;
        } else {
            layer.gate = *matrix("ffn_gate.weight");
        }
        if (layer.neurons() != config.intermediate.front())
            return Error{file.location() + ": its layers differ in width, which bench ffn does not measure"};
        result.layers.push_back(layer);
    }
    return result;
}

std::vector<std::uint32_t> random_frozen(std::size_t neurons, int percent) {
    std::vector<std::uint32_t> all(neurons);
    for (std::size_t i = 0; i < neurons; ++i) all[i] = static_cast<std::uint32_t>(i);
    std::mt19937 random(static_cast<unsigned>(percent));
    std::shuffle(all.begin(), all.end(), random);
    all.resize(neurons * static_cast<std::size_t>(percent) / 100);
    std::sort(all.begin(), all.end());
    return all;
}

/// Something to time, and how long each pass over all layers took.
struct Variant {
    std::string name;
    std::function<void(std::size_t layer)> run;
    std::vector<double> seconds = {}; ///< a layer
    double median() const {
        auto sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        return quantile(sorted, 0.5);
    }
};

/// In turns, so that what else the machine does falls on all alike; the first turn does not count.
void time_in_turns(std::vector<Variant>& variants, std::size_t layers, std::size_t repeats) {
    for (std::size_t turn = 0; turn <= repeats; ++turn)
        for (auto& variant : variants) {
            const auto began = std::chrono::steady_clock::now();
            for (std::size_t layer = 0; layer < layers; ++layer) variant.run(layer);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
            if (turn != 0) variant.seconds.push_back(took.count() / static_cast<double>(layers));
        }
}

/// The layers of one type, all ways.
class FfnBench {
  public:
    FfnBench(const Layers& layers, ThreadPool& pool, std::size_t repeats)
        : layers_(layers), runner_(pool), repeats_(repeats), x_(layers.layers.front().hidden(), 0.0f),
          y_(x_.size()) {
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<float>(i % 17) / 17.0f - 0.5f;
    }

    std::vector<Figure> measure(const std::string& type, double stream_gbps);

  private:
    const FfnMatrices& layer(std::size_t i) const { return layers_.layers[i]; }
    std::vector<model::CompactedFfn> compacted(std::span<const std::uint32_t> frozen) const {
        std::vector<model::CompactedFfn> result;
        for (const auto& each : layers_.layers) result.emplace_back(each, frozen);
        return result;
    }
    void add_dense(std::vector<Variant>& variants) {
        variants.push_back({"dense", [this](std::size_t i) { runner_.run_two_products(layer(i), x_, y_); }});
        variants.push_back({"fused", [this](std::size_t i) { runner_.run_fused(layer(i), x_, y_); }});
    }
    void measure_level(const std::string& prefix, int percent, std::vector<Figure>& figures);
    void measure_width(const std::string& prefix, int percent, std::vector<Figure>& figures);
    double per_token(double seconds_a_layer) const { return 1e6 * seconds_a_layer * layers_.of_model; }

    const Layers& layers_;
    model::FfnRunner runner_;
    std::size_t repeats_;
    std::vector<float> x_, y_;
};

void FfnBench::measure_level(const std::string& prefix, int percent, std::vector<Figure>& figures) {
    const auto frozen = random_frozen(layer(0).neurons(), percent);
    const model::ActiveNeurons active(layer(0), frozen);
    const auto packed =
        tensor::can_encode(layer(0).down.type) ? compacted(frozen) : std::vector<model::CompactedFfn>();
    std::vector<Variant> variants;
    add_dense(variants);
    variants.push_back({"masked", [&](std::size_t i) { runner_.run_masked(layer(i), active, x_, y_); }});
    if (!packed.empty())
        variants.push_back(
            {"compacted", [&](std::size_t i) { runner_.run_fused(packed[i].matrices(), x_, y_); }});
    time_in_turns(variants, layers_.layers.size(), repeats_);
    const double dense = variants[1].median();
    const double ideal =
        1 / (1 - static_cast<double>(frozen.size()) / static_cast<double>(layer(0).neurons()));
    for (std::size_t i = 2; i < variants.size(); ++i) {
        const auto name = prefix + variants[i].name + "_" + std::to_string(percent);
        figures.push_back({name + ".us_per_token", per_token(variants[i].median()), "us"});
        figures.push_back({name + ".speedup", dense / variants[i].median(), "x of fused"});
        figures.push_back({name + ".of_ideal", dense / variants[i].median() / ideal, "of 1/(1-s)"});
    }
}

void FfnBench::measure_width(const std::string& prefix, int percent, std::vector<Figure>& figures) {
    if (!tensor::can_encode(layer(0).down.type)) return;
    std::vector<std::uint32_t> removed;
    for (auto i = layer(0).neurons() * static_cast<std::size_t>(percent) / 100; i < layer(0).neurons(); ++i)
        removed.push_back(static_cast<std::uint32_t>(i));
    const auto packed = compacted(removed);
    std::vector<Variant> variants;
    add_dense(variants);
    variants.push_back({"width", [&](std::size_t i) { runner_.run_fused(packed[i].matrices(), x_, y_); }});
    time_in_turns(variants, layers_.layers.size(), repeats_);
    const auto name = prefix + "width_" + std::to_string(percent);
    figures.push_back({name + ".us_per_token", per_token(variants[2].median()), "us"});
    figures.push_back({name + ".speedup", variants[1].median() / variants[2].median(), "x of fused"});
}

std::vector<Figure> FfnBench::measure(const std::string& type, double stream_gbps) {
    const auto prefix = "ffn." + type + ".";
    std::vector<Figure> figures;
    std::vector<Variant> variants;
    add_dense(variants);
    time_in_turns(variants, layers_.layers.size(), repeats_);
    double bytes = 0;
    for (const auto& each : layers_.layers) bytes += static_cast<double>(each.bytes());
    bytes /= static_cast<double>(layers_.layers.size());
    const double operations = 6.0 * static_cast<double>(layer(0).hidden() * layer(0).neurons());
    for (const auto& variant : variants) {
        const double seconds = variant.median();
        auto sorted = variant.seconds;
        std::sort(sorted.begin(), sorted.end());
        figures.push_back({prefix + variant.name + ".us_per_token", per_token(seconds), "us"});
        figures.push_back({prefix + variant.name + ".us_per_layer", 1e6 * seconds, "us"});
        figures.push_back({prefix + variant.name + ".spread",
                           (quantile(sorted, 0.9) - quantile(sorted, 0.1)) / seconds, "of it"});
        figures.push_back({prefix + variant.name + ".gbps", bytes / seconds / 1e9, "GB/s"});
        figures.push_back({prefix + variant.name + ".share_of_stream", bytes / seconds / 1e9 / stream_gbps,
                           "of machine.stream_gbps"});
        figures.push_back({prefix + variant.name + ".gflops", operations / seconds / 1e9, "GFLOP/s"});
    }
    figures.push_back({prefix + "fused.speedup", variants[0].median() / variants[1].median(), "x of dense"});
    figures.push_back({prefix + "fused.speedup_of_the_seeds", 1.23, "x of dense"});
    for (const int percent : frozen_percents) measure_level(prefix, percent, figures);
    for (const int percent : {75, 50}) measure_width(prefix, percent, figures);
    return figures;
}

Result<void> bench_ffn(const FfnOptions& options) {
    ThreadPool pool(options.threads);
    const double stream = tensor::measure_stream_gbps(pool);
    std::vector<Figure> figures{{"machine.stream_gbps", stream, "GB/s"}};
    const auto add = [&](const Layers& layers, const std::string& type) {
        const auto measured = FfnBench(layers, pool, options.repeats).measure(type, stream);
        figures.insert(figures.end(), measured.begin(), measured.end());
    };
    if (!options.model.empty()) {
        PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
        PERMAFROST_TRY(const auto layers, layers_of(*file));
        add(layers, "own");
    } else {
        const auto* shape = std::find_if(shapes.begin(), shapes.end(),
                                         [&](const Shape& known) { return known.name == options.shape; });
        for (const auto& type : options.types)
            add(random_layers(*shape, type == "f32" ? ElementType::F32 : ElementType::Q4_K), type);
    }
    figures.push_back({"machine.stream_gbps_after", tensor::measure_stream_gbps(pool), "GB/s"});
    print_figures(options.json, figures, pool.threads());
    return {};
}

} // namespace

void add_bench_ffn(CLI::App& bench, Commands& commands) {
    auto options = std::make_shared<FfnOptions>();
    auto* command = bench.add_subcommand("ffn", "feed-forward layers for one token: dense, masked, narrower");
    command->callback([&commands, options] { commands.action = [options] { return bench_ffn(*options); }; });
    auto* model =
        command->add_option("MODEL", options->model, "a model's own layers in place of random ones");
    command->add_option("--shape", options->shape, "of random layers: phi3, qwen, gemma or llama")
        ->check(CLI::IsMember({"phi3", "qwen", "gemma", "llama"}))
        ->excludes(model)
        ->capture_default_str();
    command->add_option("--types", options->types, "of random layers: f32, q4_k, or both")
        ->check(CLI::IsMember({"f32", "q4_k"}))
        ->excludes(model)
        ->capture_default_str();
    command->add_option("--repeats", options->repeats, "measured passes over the layers")
        ->check(whole_number(1, 100'000))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "threads (default: one a processor)")
        ->check(whole_number(0, 1024));
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
