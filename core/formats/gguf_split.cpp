// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/gguf.h"
#include "core/formats/gguf_contents.h"
#include "core/formats/tensor_table.h"

#include <cstdio>
#include <type_traits>
#include <unordered_map>

namespace permafrost::formats {
namespace {

constexpr std::uint64_t most_parts = 65535; // split.count is a u16

// "-00002-of-00003.gguf" for part 1 of 3.
std::string ending_of(std::uint64_t part, std::uint64_t parts) {
    char text[64];
    std::snprintf(text, sizeof text, "-%05llu-of-%05llu.gguf", static_cast<unsigned long long>(part + 1),
                  static_cast<unsigned long long>(parts));
    return text;
}

std::string number_of(const SplitKeys& split) {
    return "part " + std::to_string(split.part + 1) + " of " + std::to_string(split.parts);
}

bool same(const Value& one, const Value& other) {
    if (one.type != other.type || one.data.index() != other.data.index()) return false;
    return std::visit(
        [&](const auto& content) {
            const auto& opposite = std::get<std::decay_t<decltype(content)>>(other.data);
            if constexpr (std::is_same_v<std::decay_t<decltype(content)>, ValueArray>)
                return content.element == opposite.element && content.values == opposite.values;
            else
                return content == opposite;
        },
        one.data);
}

/// Gathers the parts of one model, first to last.
class PartCollector {
  public:
    PartCollector(std::string prefix, const SplitKeys& expected)
        : prefix_(std::move(prefix)), expected_(expected) {}

    std::string path_of(std::uint64_t part) const { return prefix_ + ending_of(part, expected_.parts); }
    Result<void> add(std::uint64_t part, GgufContents contents, std::shared_ptr<const void> storage);
    Result<ModelFilePtr> finish();

  private:
    Result<void> check_keys(std::uint64_t part, const GgufContents& contents) const;
    Result<void> take_tensors(std::uint64_t part, std::vector<tensor::TensorView> tensors);

    std::string prefix_;
    SplitKeys expected_;
    Metadata metadata_;
    std::vector<tensor::TensorView> tensors_;
    std::unordered_map<std::string, std::uint64_t> part_of_tensor_;
    std::vector<std::shared_ptr<const void>> storages_;
};

Result<void> PartCollector::check_keys(std::uint64_t part, const GgufContents& contents) const {
    const auto refused = [&](const std::string& why) { return Error{path_of(part) + ": " + why}; };
    if (!contents.split)
        return refused("its name says that it is a part of a split model, but it has no key split.count");
    const auto& split = *contents.split;
    if (split.parts != expected_.parts || split.part != part)
        return refused("by its keys it is " + number_of(split) + ", by its name " +
                       number_of({part, expected_.parts, {}}) + "; was it renamed?");
    if (split.tensors != expected_.tensors)
        return refused("its key split.tensors.count differs from that of the other parts: it belongs to "
                       "another model");
    if (part == 0) return {};
    // Only the first part needs metadata; what others repeat must be the same.
    for (const auto& [key, value] : contents.metadata.entries()) {
        const auto* first = metadata_.find(key);
        if (key != "general.alignment" && first && !same(*first, value))
            return refused("key " + in_quotes(key) + " differs from that in " + path_of(0) +
                           ": it belongs to another model");
    }
    return {};
}

Result<void> PartCollector::take_tensors(std::uint64_t part, std::vector<tensor::TensorView> tensors) {
    for (auto& view : tensors) {
        const auto [place, added] = part_of_tensor_.emplace(view.name, part);
        if (!added)
            return Error{path_of(part) + ": tensor " + in_quotes(view.name) + " is in " +
                         path_of(place->second) + " too; one of them belongs to another model"};
        tensors_.push_back(std::move(view));
    }
    return {};
}

Result<void> PartCollector::add(std::uint64_t part, GgufContents contents,
                                std::shared_ptr<const void> storage) {
    PERMAFROST_CHECK(check_keys(part, contents));
    if (part == 0) metadata_ = std::move(contents.metadata);
    storages_.push_back(std::move(storage));
    return take_tensors(part, std::move(contents.tensors));
}

Result<ModelFilePtr> PartCollector::finish() {
    if (tensors_.size() != expected_.tensors)
        return Error{path_of(0) + ": its " + std::to_string(expected_.parts) + " parts have " +
                     std::to_string(tensors_.size()) + " tensors, split.tensors.count says " +
                     std::to_string(*expected_.tensors) +
                     ": a part is damaged or belongs to another model; download the parts again"};
    auto identity = header_identity(metadata_, tensors_);
    auto storage = std::make_shared<const std::vector<std::shared_ptr<const void>>>(std::move(storages_));
    return std::make_shared<const ModelFile>(FileFormat::Gguf, path_of(0), std::move(metadata_),
                                             std::move(tensors_), std::move(identity), std::move(storage));
}

Result<ModelFilePtr> open_parts(const std::string& location, GgufContents given,
                                std::shared_ptr<const MappedFile> file) {
    const auto split = *given.split;
    const auto refused = [&](const std::string& why) { return Error{location + ": " + why}; };
    if (split.parts > most_parts || split.part >= split.parts)
        return refused("claims to be " + number_of(split) + " of a model; it is damaged");
    if (!split.tensors) return refused("a part of a model, but its key split.tensors.count is missing");
    const auto ending = ending_of(split.part, split.parts);
    if (!location.ends_with(ending))
        return refused("this is " + number_of(split) +
                       " of a model, and the others are found by name: it must "
                       "end in " +
                       ending);
    PartCollector collector(location.substr(0, location.size() - ending.size()), split);
    for (std::uint64_t part = 0; part < split.parts; ++part) {
        if (part == split.part) {
            PERMAFROST_CHECK(collector.add(part, std::move(given), file));
            continue;
        }
        const auto path = collector.path_of(part);
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored))
            return refused("this is " + number_of(split) + " of a model, and part " +
                           std::to_string(part + 1) + " is missing: put " + path + " beside it");
        PERMAFROST_TRY(auto other, MappedFile::open(path));
        PERMAFROST_TRY(auto contents, parse_gguf(other->bytes(), path));
        PERMAFROST_CHECK(collector.add(part, std::move(contents), std::move(other)));
    }
    return collector.finish();
}

} // namespace

Result<ModelFilePtr> open_gguf(const std::string& location, std::shared_ptr<const MappedFile> file) {
    PERMAFROST_TRY(auto contents, parse_gguf(file->bytes(), location));
    if (contents.split && !contents.split->whole_model())
        return open_parts(location, std::move(contents), std::move(file));
    auto identity = header_identity(contents.metadata, contents.tensors);
    return std::make_shared<const ModelFile>(FileFormat::Gguf, location, std::move(contents.metadata),
                                             std::move(contents.tensors), std::move(identity),
                                             std::move(file));
}

Result<ModelFilePtr> read_gguf(ByteSpan bytes, std::string location, std::shared_ptr<const void> storage) {
    PERMAFROST_TRY(auto contents, parse_gguf(bytes, location));
    if (contents.split && !contents.split->whole_model())
        return Error{location + ": this is " + number_of(*contents.split) +
                     " of a model; open it by its path, so that the other parts are found"};
    auto identity = header_identity(contents.metadata, contents.tensors);
    return std::make_shared<const ModelFile>(FileFormat::Gguf, std::move(location),
                                             std::move(contents.metadata), std::move(contents.tensors),
                                             std::move(identity), std::move(storage));
}

bool named_as_gguf_part(const std::filesystem::path& path) {
    constexpr std::string_view shape = "-00000-of-00000.gguf";
    const auto name = path.filename().string();
    if (name.size() < shape.size()) return false;
    const auto ending = std::string_view(name).substr(name.size() - shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] == '0' ? ending[i] < '0' || ending[i] > '9' : ending[i] != shape[i]) return false;
    return true;
}

} // namespace permafrost::formats
