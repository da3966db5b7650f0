// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/profile_options.h"
#include "core/base/output_target.h"
#include "core/formats/convert.h"

#include <iostream>
#include <memory>

namespace permafrost::cli {

void add_convert_command(Commands& commands) {
    struct ConvertOptions {
        std::string input;
        std::string output;
        bool json = false;
    };
    auto options = std::make_shared<ConvertOptions>();
    auto* command = add_command(
        commands, "convert", "rewrite a model between GGUF and .knot, every tensor's bytes kept",
        [options]() -> Result<void> {
            PERMAFROST_CHECK(check_output(options->output, input_files(options->input, {})));
            PERMAFROST_TRY(const auto file, formats::open_model_file(options->input));
            PERMAFROST_CHECK(formats::convert_model(*file, options->output, {interruption(), {}}));
            if (options->json)
                print_json({{"output", options->output},
                            {"tensors", file->tensors().size()},
                            {"model_sha256", file->header_sha256()}});
            else
                std::cout << "Wrote " << options->output << " (" << file->tensors().size() << " tensors)\n";
            return {};
        });
    command->add_option("IN", options->input, "model file, or demo")->required();
    command->add_option("OUT", options->output, "file ending in .gguf or .knot")->required();
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
