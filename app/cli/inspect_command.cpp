// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/option_checks.h"
#include "app/cli/rule_options.h"
#include "app/cli/stable_options.h"
#include "core/base/bytes.h"
#include "core/exports/exports.h"
#include "core/formats/knot.h"
#include "core/masks/mask_files.h"
#include "core/masks/mask_sidecar.h"
#include "core/model/layer_plan.h"
#include "core/profile/profile_file.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

namespace permafrost::cli {
namespace {

struct InspectOptions {
    std::string file;
    bool layers = false;
    std::optional<std::uint32_t> layer;
    bool neurons = false;
    bool csv = false;
    bool json = false;
    RuleOptions rule;
};

// A profile is a safetensors container: it has no magic, but its JSON header begins at byte 8. One that is damaged is
// known by its name.
bool looks_like_profile(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::array<char, 9> start{};
    stream.read(start.data(), start.size());
    const std::string_view magic(start.data(), 4);
    if (magic == "GGUF" || magic == "KNOT") return false;
    return start[8] == '{' || std::filesystem::path(path).extension() == ".frost";
}

Result<void> inspect_neurons(const InspectOptions& options, const profile::Profile& profile,
                             const verdict::Decision& decision) {
    if (!options.layer) return Error{"--neurons wants a layer: add --layer L"};
    if (*options.layer >= profile.layers.size())
        return Error{"layer " + std::to_string(*options.layer) +
                     " does not exist: the profile has layers 0 to " +
                     std::to_string(profile.layers.size() - 1)};
    const auto& layer = profile.layers[*options.layer];
    if (!layer) return Error{"layer " + std::to_string(*options.layer) + " was not reached by this profile"};
    if (options.json) return Error{"neurons are printed as CSV: use --csv"};
    const auto index = static_cast<std::uint32_t>(*options.layer);
    std::cout << exports::neurons_csv(*layer, decision.masks[index], decision.rule.for_layer(index),
                                      decision.rule.includes(index));
    return {};
}

nlohmann::ordered_json profile_json(const profile::Profile& profile, const verdict::Decision& decision) {
    const auto& info = profile.info;
    nlohmann::ordered_json json{{"kind", "profile"},
                                {"model", info.model_name},
                                {"architecture", info.architecture},
                                {"model_sha256", info.model_sha256},
                                {"corpus", info.corpus_source},
                                {"corpus_sha256", info.corpus_sha256},
                                {"sequences", info.sequences},
                                {"tokens", info.tokens},
                                {"context", info.context},
                                {"complete", profile.complete()},
                                {"tool_version", info.tool_version}};
    json["domains"] = nlohmann::ordered_json::object();
    for (const auto& [domain, tokens] : info.domain_tokens) json["domains"][domain] = tokens;
    if (info.stability) json["stability"] = stability_json(*info.stability);
    json["decision"] = decision_json(decision);
    return json;
}

Result<void> inspect_profile(const InspectOptions& options) {
    PERMAFROST_TRY(const auto profile, profile::read_profile(options.file));
    PERMAFROST_TRY(const auto rule, options.rule.read(profile->info.layers));
    const auto decision = verdict::decide(*profile, rule);
    if (options.neurons || options.layer) return inspect_neurons(options, *profile, decision);
    if (options.json) {
        print_json(profile_json(*profile, decision));
    } else if (options.csv) {
        std::cout << exports::report_csv(*profile, decision);
    } else {
        const auto& info = profile->info;
        std::cout << "Profile of " << info.model_name << " (" << info.architecture << ", " << info.layers
                  << " layers)\n"
                  << "Text: " << info.corpus_source << ", " << info.sequences << " sequences, " << info.tokens
                  << " tokens, context " << info.context << (profile->complete() ? "" : ", not complete")
                  << "\n\n"
                  << exports::report_table(*profile, decision);
    }
    return {};
}

void print_layers(const model::ModelConfig& config, const formats::ModelFile& file) {
    std::cout << "\nLayer  Neurons  FFN types (gate, up, down)  FFN MB\n";
    for (std::uint32_t layer = 0; layer < config.layers; ++layer) {
        std::string types;
        double bytes = 0;
        const auto plan = model::plan_layer(file, config, layer);
        for (const auto role : {model::MatrixRole::GateUp, model::MatrixRole::Down})
            for (const auto& part : plan.matrices[static_cast<std::size_t>(role)].parts) {
                const auto* view = file.find(model::layer_tensor_name(layer, part.name));
                types += (types.empty() ? "" : ", ") + std::string(tensor::info(view->type).name);
                bytes += static_cast<double>(view->bytes.size());
            }
        std::printf("%-5u  %-7u  %-26s  %.2f\n", layer, config.intermediate[layer], types.c_str(),
                    bytes / 1e6);
    }
}

/// One number where all layers agree, else one a layer.
nlohmann::ordered_json heads_of(const model::ModelConfig& config,
                                std::uint32_t model::LayerAttention::*count) {
    std::vector<std::uint32_t> counts;
    for (const auto& layer : config.attention) counts.push_back(layer.*count);
    if (std::all_of(counts.begin(), counts.end(), [&](auto heads) { return heads == counts.front(); }))
        return counts.front();
    return counts;
}

nlohmann::ordered_json model_json(const formats::ModelFile& file, const Result<model::ModelConfig>& config) {
    nlohmann::ordered_json json{{"kind", "model"},
                                {"format", formats::name_of(file.format())},
                                {"model_sha256", file.header_sha256()},
                                {"tensors", file.tensors().size()}};
    if (!config.ok()) {
        json["supported"] = false;
        json["reason"] = config.message();
        return json;
    }
    json["supported"] = true;
    json["model"] = config->name;
    json["architecture"] = config->architecture;
    json["layers"] = config->layers;
    json["hidden_size"] = config->hidden;
    json["intermediate_sizes"] = config->intermediate;
    json["heads"] = heads_of(config.value(), &model::LayerAttention::heads);
    json["kv_heads"] = heads_of(config.value(), &model::LayerAttention::kv_heads);
    json["vocabulary"] = config->vocabulary;
    json["context_length"] = config->context_length;
    json["weight_bytes_per_token"] = config->weight_bytes;
    json["ffn_weight_bytes_per_token"] = config->ffn_weight_bytes;
    return json;
}

void print_model(const formats::ModelFile& file, const Result<model::ModelConfig>& config) {
    std::map<std::string, std::size_t> types;
    std::uint64_t bytes = 0;
    for (const auto& view : file.tensors()) {
        ++types[std::string(tensor::info(view.type).name)];
        bytes += view.bytes.size();
    }
    std::cout << file.location() << ": " << formats::name_of(file.format()) << ", " << file.tensors().size()
              << " tensors, ";
    std::printf("%.1f MB\n", static_cast<double>(bytes) / 1e6);
    if (config.ok())
        std::cout << config->name << ": architecture " << config->architecture << ", " << config->layers
                  << " layers, hidden size " << config->hidden << ", " << config->widest_layer()
                  << " FFN neurons a layer, "
                  << heads_of(config.value(), &model::LayerAttention::heads).dump() << " heads ("
                  << heads_of(config.value(), &model::LayerAttention::kv_heads).dump()
                  << " key-value), vocabulary " << config->vocabulary << ", context "
                  << config->context_length << "\n";
    else
        std::cout << "Not supported: " << config.message() << "\n";
    std::cout << "Tensor types:";
    for (const auto& [type, count] : types) std::cout << " " << type << " x " << count;
    std::cout << "\nIdentity (SHA-256): " << file.header_sha256() << "\n";
}

Result<void> inspect_masks(const InspectOptions& options) {
    PERMAFROST_TRY(const auto maps, masks::read_saturation_maps(options.file));
    if (options.json) {
        nlohmann::ordered_json layers = nlohmann::ordered_json::array();
        for (const auto& [layer, frozen] : maps.layers)
            layers.push_back({{"layer", layer}, {"neurons", frozen.size()}, {"frozen", frozen.count()}});
        print_json({{"kind", "masks"},
                    {"model", maps.model_name.empty() ? nlohmann::ordered_json()
                                                      : nlohmann::ordered_json(maps.model_name)},
                    {"method", maps.method},
                    {"date", maps.date},
                    {"layers", layers}});
        return {};
    }
    std::cout << "Masks of " << (maps.model_name.empty() ? "an unnamed model" : maps.model_name)
              << ", method " << maps.method << ", " << maps.date << "\n\nLayer  Neurons  Frozen\n";
    for (const auto& [layer, frozen] : maps.layers)
        std::printf("%-5u  %-7zu  %zu\n", layer, frozen.size(), frozen.count());
    return {};
}

Result<void> inspect_model(const InspectOptions& options) {
    if (options.neurons || options.layer || options.csv)
        return Error{options.file +
                     " is not a profile; --layer, --neurons and --csv are for profiles (.frost)"};
    if (options.file.ends_with(masks::sidecar_ending)) return inspect_masks(options);
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.file));
    if (file->tensors().empty() && file->format() == formats::FileFormat::Knot) {
        PERMAFROST_TRY(const auto maps, formats::read_saturation_maps(options.file));
        if (!maps.empty()) return inspect_masks(options);
    }
    const auto config = model::read_model_config(*file);
    if (options.json) {
        print_json(model_json(*file, config));
        return {};
    }
    print_model(*file, config);
    if (options.layers) {
        if (!config.ok()) return config.failure();
        print_layers(config.value(), *file);
    }
    return {};
}

} // namespace

void add_inspect_command(Commands& commands) {
    auto options = std::make_shared<InspectOptions>();
    auto* command = add_command(
        commands, "inspect", "what is in a model, profile or mask file", [options]() -> Result<void> {
            return looks_like_profile(options->file) ? inspect_profile(*options) : inspect_model(*options);
        });
    command->add_option("FILE", options->file, "model, profile, .rknot or .saturation.json file, or demo")
        ->required();
    command->add_flag("--layers", options->layers, "list the layers of a model");
    command->add_option("--layer", options->layer, "the layer for --neurons")
        ->check(whole_number(0, UINT32_MAX));
    command->add_flag("--neurons", options->neurons, "one row a neuron of --layer");
    command->add_flag("--csv", options->csv, "comma-separated values");
    command->add_flag("--json", options->json, "print one JSON object");
    options->rule.add_thresholds_to(*command);
}

} // namespace permafrost::cli
