// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/key_reader.h"

#include "core/base/number_text.h"

#include <cmath>

namespace permafrost::model {

std::uint32_t KeyReader::count(const std::string& key, std::uint64_t most,
                               std::optional<std::uint32_t> otherwise, std::uint32_t least) {
    const auto value = metadata_.unsigned_integer(prefix_ + key);
    if (!value) {
        if (!has(key) && otherwise) return *otherwise;
        fail("the key " + prefix_ + key + " is missing or not a whole number");
        return 1;
    }
    if (*value < least || *value > most) {
        fail(prefix_ + key + " is " + std::to_string(*value) + ", which is not between " +
             std::to_string(least) + " and " + std::to_string(most));
        return 1;
    }
    return static_cast<std::uint32_t>(*value);
}

double KeyReader::number(const std::string& key, std::optional<double> otherwise) {
    if (!has(key)) {
        if (!otherwise) fail("the key " + prefix_ + key + " is missing");
        return otherwise.value_or(1.0);
    }
    const auto value = metadata_.number(prefix_ + key);
    if (!value || !std::isfinite(*value) || *value <= 0) {
        fail(prefix_ + key + " is not a positive number");
        return otherwise.value_or(1.0);
    }
    return *value;
}

std::vector<std::uint32_t> KeyReader::per_layer(const std::string& key, std::uint32_t layers,
                                                std::uint64_t most,
                                                std::optional<std::vector<std::uint32_t>> otherwise,
                                                std::uint32_t least) {
    if (otherwise && !has(key)) return *otherwise;
    const auto values = metadata_.numbers(prefix_ + key);
    std::vector<std::uint32_t> result;
    if (!values || (values->size() != 1 && values->size() != layers)) {
        fail("the key " + prefix_ + key + " is missing or has not one number a layer");
    } else {
        for (const double value : *values) {
            if (!(value >= least && value <= static_cast<double>(most)) || value != std::floor(value))
                fail(prefix_ + key + " holds " + general_text(value) +
                     ", which is not a whole number between " + std::to_string(least) + " and " +
                     std::to_string(most));
            else
                result.push_back(static_cast<std::uint32_t>(value));
        }
    }
    result.resize(layers, result.empty() ? 1 : result.front());
    return result;
}

std::vector<bool> KeyReader::flags(const std::string& key, std::uint32_t layers) {
    const auto* value = metadata_.find(prefix_ + key);
    const auto* array = value ? std::get_if<formats::ValueArray>(&value->data) : nullptr;
    if (!array) return {};
    std::vector<bool> result;
    std::visit(
        [&](const auto& list) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(list)>, std::vector<std::string>>)
                for (const auto element : list) result.push_back(element != 0);
        },
        array->values);
    if (result.size() != layers) fail(prefix_ + key + " has not one value a layer");
    result.resize(layers);
    return result;
}

} // namespace permafrost::model
