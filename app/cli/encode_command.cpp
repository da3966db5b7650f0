// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/number_text.h"
#include "core/base/output_target.h"
#include "core/exports/embed_masks.h"
#include "core/masks/mask_files.h"
#include "core/profile/cliff_score.h"
#include "core/verdict/decision.h"

#include <cstdio>
#include <memory>

namespace permafrost::cli {
namespace {

Result<void> run_encode(const std::string& model, const std::string& masks, const std::string& output,
                        bool json) {
    PERMAFROST_CHECK(check_output(output, {model, masks}));
    PERMAFROST_TRY(const auto file, formats::open_model_file(model));
    PERMAFROST_TRY(const auto maps, masks::read_saturation_maps(masks));
    formats::WriteControl control;
    control.stop = interruption();
    PERMAFROST_CHECK(exports::embed_masks(*file, maps, output, control));
    std::error_code unknown;
    if (json)
        print_json({{"file", output},
                    {"layers", maps.layers.size()},
                    {"bytes", std::filesystem::file_size(output, unknown)}});
    else
        std::printf("Wrote %s with the masks of %zu layers\n", output.c_str(), maps.layers.size());
    return {};
}

struct DecodeOptions {
    std::string file;
    bool layers = false, metadata = false, json = false;
};

Result<void> run_decode(const DecodeOptions& options) {
    PERMAFROST_TRY(const auto maps, masks::read_saturation_maps(options.file));
    std::uint64_t neurons = 0, frozen = 0;
    auto layers = nlohmann::ordered_json::array();
    for (const auto& [layer, mask] : maps.layers) {
        const auto count = static_cast<std::uint32_t>(mask.count());
        neurons += mask.size();
        frozen += count;
        layers.push_back(
            {{"layer", layer},
             {"neurons", mask.size()},
             {"frozen", count},
             {"saturated", nullptr}, // a file of masks does not say
             {"speedup", verdict::layer_speedup(count, static_cast<std::uint32_t>(mask.size()))}});
        if (const auto score = maps.cliff_scores.find(layer); score != maps.cliff_scores.end())
            layers.back()["cliff_score"] = score->second;
    }
    if (options.json) {
        print_json({{"layers", layers},
                    {"neurons", neurons},
                    {"frozen", frozen},
                    {"model_name", maps.model_name},
                    {"method", maps.method},
                    {"date", maps.date}});
        return {};
    }
    std::printf(
        "%zu layers, %llu of %llu neurons frozen (%s %%)\n", maps.layers.size(),
        static_cast<unsigned long long>(frozen), static_cast<unsigned long long>(neurons),
        fixed_text(neurons == 0 ? 0.0 : 100.0 * static_cast<double>(frozen) / static_cast<double>(neurons), 2)
            .c_str());
    if (options.metadata)
        std::printf("model: %s\nmethod: %s\ndate: %s\n", maps.model_name.c_str(), maps.method.c_str(),
                    maps.date.c_str());
    if (!options.layers) return {};
    std::printf("\n%-6s %8s %8s %9s  %s\n", "layer", "neurons", "frozen", "speed-up", "cliff score");
    for (const auto& layer : layers) {
        std::printf("%-6u %8u %8u %8.3fx", layer["layer"].get<unsigned>(), layer["neurons"].get<unsigned>(),
                    layer["frozen"].get<unsigned>(), layer["speedup"].get<double>());
        if (layer.contains("cliff_score")) {
            const double score = layer["cliff_score"].get<double>();
            std::printf("  %.3f %s", score, profile::cliff_band(score));
        }
        std::printf("\n");
    }
    return {};
}

} // namespace

void add_encode_commands(Commands& commands) {
    struct EncodeOptions {
        std::string model, masks, output;
        bool json = false;
    };
    auto encode = std::make_shared<EncodeOptions>();
    auto* command =
        add_command(commands, "encode", "put masks into a model file, its tensors untouched", [encode] {
            return run_encode(encode->model, encode->masks, encode->output, encode->json);
        });
    command->add_option("MODEL", encode->model, "model file, or demo")->required();
    command
        ->add_option("--masks", encode->masks,
                     "file with masks (.rknot, .saturation.json, or an encoded model)")
        ->required();
    command
        ->add_option("-o,--output", encode->output,
                     "the file to write (.gguf, .safetensors, .rknot or .saturation.json)")
        ->required();
    command->add_flag("--json", encode->json, "print one JSON object");

    auto decode = std::make_shared<DecodeOptions>();
    command =
        add_command(commands, "decode", "the masks in a file", [decode] { return run_decode(*decode); });
    command
        ->add_option("FILE", decode->file, "file with masks (.rknot, .saturation.json, or an encoded model)")
        ->required();
    command->add_flag("--layer-summary", decode->layers, "a line for each layer");
    command->add_flag("--show-metadata", decode->metadata, "model, method and date");
    command->add_flag("--json", decode->json, "print one JSON object");
}

} // namespace permafrost::cli
