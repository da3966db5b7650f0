// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/text/tokenizer.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <string>

namespace permafrost::test {

/// A file that tests/text/make_fixtures.py wrote.
inline nlohmann::json read_fixture(const std::string& name) {
    auto text = read_text_file(std::string(PERMAFROST_TEST_DATA) + "/text/data/" + name);
    if (!text.ok()) qFatal("%s", text.message().c_str());
    return nlohmann::json::parse(text.value());
}

/// Checks the ids of one text and that they decode to it.
inline void check_ids(const text::Tokenizer& tokenizer, const nlohmann::json& text,
                      const nlohmann::json& expected) {
    const auto ids = tokenizer.encode(text.get<std::string>());
    const auto shown = text.dump() + " gave " + nlohmann::json(ids).dump() + " instead of " + expected.dump();
    QVERIFY2(nlohmann::json(ids) == expected, shown.c_str());
}

} // namespace permafrost::test
