// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session_file.h"

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/base/mapped_file.h"
#include "core/formats/json_fields.h"
#include "core/formats/strict_json.h"
#include "core/masks/rule_json.h"

#include <QDir>
#include <QFileInfo>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;
using formats::text_in;
using nlohmann::json;

constexpr const char* format_name = "permafrost.session";
constexpr int version = 1;
constexpr std::uint64_t largest_file = std::uint64_t{16} << 20;

// Files that lie together stay together when their folder is moved.
std::string kept_path(const QString& path, const QDir& folder) {
    if (path.isEmpty() || path == u"demo") return path.toStdString();
    const auto relative = folder.relativeFilePath(QFileInfo(path).absoluteFilePath());
    return (relative.startsWith(u"..") ? QFileInfo(path).absoluteFilePath() : relative).toStdString();
}

QString found_path(const std::string& path, const QDir& folder) {
    const auto text = QString::fromStdString(path);
    return text.isEmpty() || text == u"demo" ? text : QDir::cleanPath(folder.absoluteFilePath(text));
}

std::uint32_t count_in(const json& object, const char* key) {
    const auto value = object.value(key, json());
    return value.is_number_unsigned() && value.get<std::uint64_t>() < (1u << 30) ? value.get<std::uint32_t>()
                                                                                 : 0;
}

} // namespace

Result<void> write_session(const SavedSession& session, const QString& path) {
    const QDir folder = QFileInfo(path).absoluteDir();
    auto compared = json::array();
    for (const auto& profile : session.compared) compared.push_back(kept_path(profile, folder));
    nlohmann::ordered_json selection{{"layer", session.selection.layer}};
    if (session.selection.neuron) selection["neuron"] = *session.selection.neuron;
    const nlohmann::ordered_json content{
        {"format", format_name},
        {"version", version},
        {"profile",
         {{"path", kept_path(session.profile, folder)}, {"sha256", session.profile_sha256.toStdString()}}},
        {"model", kept_path(session.model, folder)},
        {"rule", masks::rule_to_json(session.rule)},
        {"selection", selection},
        {"view",
         {{"tab", session.tab},
          {"metric", session.metric.toStdString()},
          {"order", session.sorted ? "metric" : "index"},
          {"compared", compared}}},
        {"notes", session.notes.toStdString()}};
    return write_file(path.toStdString(), content.dump(2) + "\n");
}

Result<SavedSession> read_session(const QString& path) {
    const auto where = path.toStdString();
    PERMAFROST_TRY(const auto text, read_text_file(where, largest_file));
    PERMAFROST_TRY(const auto content, formats::parse_strictly(text, where));
    if (!content.is_object() || text_in(content, "format") != format_name)
        return Error{where + " is not a Permafrost session"};
    if (content.value("version", json()) != version)
        return Error{where + " was written by a newer Permafrost; use that one, or a newer one"};
    const QDir folder = QFileInfo(path).absoluteDir();
    const auto part = [&](const char* key) {
        const auto value = content.value(key, json());
        return value.is_object() ? value : json::object();
    };
    SavedSession session;
    session.profile = found_path(text_in(part("profile"), "path"), folder);
    session.profile_sha256 = QString::fromStdString(text_in(part("profile"), "sha256"));
    session.model = found_path(text_in(content, "model"), folder);
    auto rule = masks::rule_from_json(part("rule"));
    if (!rule.ok()) return Error{where + ": " + rule.message()};
    session.rule = rule.value();
    session.selection.layer = count_in(part("selection"), "layer");
    if (part("selection").contains("neuron"))
        session.selection.neuron = count_in(part("selection"), "neuron");
    session.tab = static_cast<int>(count_in(part("view"), "tab"));
    session.metric = QString::fromStdString(text_in(part("view"), "metric"));
    session.sorted = text_in(part("view"), "order") == "metric";
    if (const auto view = part("view"); view.contains("compared") && view["compared"].is_array())
        for (const auto& profile : view["compared"])
            if (profile.is_string()) session.compared.append(found_path(profile.get<std::string>(), folder));
    session.notes = QString::fromStdString(text_in(content, "notes"));
    return session;
}

QString file_sha256(const QString& path) {
    const auto file = MappedFile::open(path.toStdString());
    return file.ok() ? QString::fromStdString(sha256_hex(file.value()->bytes())) : QString();
}

} // namespace permafrost::gui
