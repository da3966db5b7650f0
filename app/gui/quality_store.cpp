// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/quality_store.h"

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/quality/sweep_file.h"

#include <QDir>
#include <QStandardPaths>

#include <algorithm>
#include <mutex>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

constexpr std::size_t most_settings = 2000;

std::string path_of(const quality::SweepSubject& subject) {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/quality"_s;
    QDir().mkpath(folder);
    const auto name =
        sha256_hex(bytes_of(subject.model_sha256 + subject.text_sha256 + std::to_string(subject.windows) +
                            ":" + std::to_string(subject.context)));
    return folder.toStdString() + "/" + name.substr(0, 32) + ".json";
}

} // namespace

quality::Sweep read_kept(const quality::SweepSubject& subject) {
    auto read = quality::read_sweep(path_of(subject));
    if (read.ok() && read->subject == subject) return std::move(read).value();
    quality::Sweep nothing;
    nothing.subject = subject;
    return nothing;
}

Result<quality::Sweep> keep(const quality::Sweep& news) {
    static std::mutex windows_of_this_process;
    const std::lock_guard lock(windows_of_this_process);
    auto all = read_kept(news.subject);
    all.dense = news.dense;
    for (const auto& swept : news.settings) {
        std::erase_if(all.settings, [&](const quality::SweptSetting& other) {
            return other.variant_sha256 == swept.variant_sha256 && other.setting.rule == swept.setting.rule;
        });
        all.settings.push_back(swept);
    }
    if (all.settings.size() > most_settings)
        all.settings.erase(all.settings.begin(),
                           all.settings.end() - static_cast<std::ptrdiff_t>(most_settings));
    PERMAFROST_CHECK(write_file(path_of(news.subject), quality::sweep_json(all).dump(1) + "\n"));
    return all;
}

} // namespace permafrost::gui
