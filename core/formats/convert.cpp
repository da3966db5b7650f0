// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/convert.h"

#include "core/formats/gguf.h"
#include "core/formats/knot.h"

#include <algorithm>
#include <cctype>

namespace permafrost::formats {
namespace {

std::string lower_case_ending(const std::filesystem::path& path) {
    auto ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

bool same_file(const std::string& location, const std::filesystem::path& target) {
    std::error_code missing;
    return std::filesystem::equivalent(location, target, missing) && !missing;
}

} // namespace

Result<void> convert_model(const ModelFile& from, const std::filesystem::path& target,
                           const WriteControl& control) {
    const auto refused = [&](const std::string& why) {
        return Error{"cannot convert " + from.location() + " to " + target.string() + ": " + why};
    };
    const auto ending = lower_case_ending(target);
    if (ending == ".rknot")
        return refused(".rknot is for files that carry masks; write a .knot, or use encode with masks");
    if (ending != ".gguf" && ending != ".knot")
        return refused("the target's name must end in .gguf or .knot, which choose the format");
    if (same_file(from.location(), target)) return refused("they are the same file; choose another name");
    if (named_as_gguf_part(target))
        return refused("its name is that of a part of a split model, and one whole file is written; choose "
                       "another name");
    if (from.tensors().empty())
        return refused("the source has no tensors, it only carries metadata or masks");
    if (ending == ".gguf") return write_gguf(target, from.metadata(), from.tensors(), control);
    return write_knot(target, from.metadata(), from.tensors(), {}, control);
}

} // namespace permafrost::formats
