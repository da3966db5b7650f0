// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/formats/model_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace permafrost::formats {
namespace {

// Feeds values to the hash so that different headers give different bytes: every string and list is preceded
// by its length, every value by its type.
class IdentityHash {
  public:
    void add(std::uint64_t number) { hash_.add(bytes_of(std::span<const std::uint64_t>(&number, 1))); }
    void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
    void add(bool truth) { add(std::uint64_t{truth}); }
    void add(double number) {
        // The sign and payload of a NaN do not survive every container.
        const double same = std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number;
        hash_.add(bytes_of(std::span<const double>(&same, 1)));
    }
    void add(const std::string& text) {
        add(std::uint64_t{text.size()});
        hash_.add(bytes_of(text));
    }
    void add(const ValueArray& array) {
        add(static_cast<std::uint64_t>(array.element));
        add(std::uint64_t{array.size()});
        std::visit(
            [&](const auto& list) {
                for (const auto& element : list) add(element);
            },
            array.values);
    }
    void add(const Value& value) {
        add(static_cast<std::uint64_t>(value.type));
        std::visit([&](const auto& content) { add(content); }, value.data);
    }
    void add(const tensor::TensorView& view) {
        add(view.name);
        add(std::string(tensor::info(view.type).name));
        add(std::uint64_t{view.shape.size()});
        for (const auto extent : view.shape) add(extent);
    }
    std::string finish() { return hash_.finish(); }

  private:
    Sha256 hash_;
};

bool counts(const std::string& key) { return key != "general.alignment" && !key.starts_with("permafrost."); }

} // namespace

std::string header_identity(const Metadata& metadata, const std::vector<tensor::TensorView>& tensors) {
    std::vector<const std::pair<std::string, Value>*> entries;
    for (const auto& entry : metadata.entries())
        if (counts(entry.first)) entries.push_back(&entry);
    std::sort(entries.begin(), entries.end(), [](auto* a, auto* b) { return a->first < b->first; });
    std::vector<const tensor::TensorView*> views;
    for (const auto& view : tensors) views.push_back(&view);
    std::sort(views.begin(), views.end(), [](auto* a, auto* b) { return a->name < b->name; });

    IdentityHash hash;
    hash.add(std::uint64_t{entries.size()});
    for (const auto* entry : entries) {
        hash.add(entry->first);
        hash.add(entry->second);
    }
    hash.add(std::uint64_t{views.size()});
    for (const auto* view : views) hash.add(*view);
    return hash.finish();
}

} // namespace permafrost::formats
