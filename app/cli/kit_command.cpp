// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/exports/integration_kit.h"
#include "core/formats/model_file.h"
#include "core/masks/mask_files.h"
#include "core/model/model_config.h"
#include "core/quality/masked_model.h"

#include <cstdio>
#include <memory>

namespace permafrost::cli {
namespace {

struct KitOptions {
    std::string model, masks, kit, output;
    bool json = false;
};

Result<void> run_kit(const KitOptions& options) {
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto config, model::read_model_config(*file));
    PERMAFROST_TRY(auto maps, masks::read_saturation_maps(options.masks));
    PERMAFROST_CHECK(quality::masked_model(options.masks, maps.layers, config.intermediate));
    if (maps.model_name.empty()) maps.model_name = config.name;
    PERMAFROST_TRY(const auto written, exports::write_kit(options.kit, options.model, maps, options.output));
    if (options.json) {
        auto files = nlohmann::ordered_json::array();
        for (const auto& path : written) files.push_back(path.string());
        print_json({{"kit", options.kit}, {"files", files}});
        return {};
    }
    std::printf("Wrote %zu files to %s; its README.md says what to do with them\n", written.size(),
                options.output.c_str());
    return {};
}

} // namespace

void add_kit_command(Commands& commands) {
    auto options = std::make_shared<KitOptions>();
    auto* command =
        add_command(commands, "kit", "masks, code and instructions for a program that runs models",
                    [options] { return run_kit(*options); });
    command->add_option("MODEL", options->model, "model file, or demo")->required();
    command
        ->add_option("--masks", options->masks,
                     "file with masks (.rknot, .saturation.json, or an encoded model)")
        ->required();
    command->add_option("--for", options->kit, "which program")
        ->check(CLI::IsMember(exports::kit_names()))
        ->required();
    command->add_option("-o,--output", options->output, "a new folder")->required();
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
