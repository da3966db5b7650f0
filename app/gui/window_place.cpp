// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_place.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

constexpr int places = 16;

QString file_of(const QString& stem, int number, const QString& suffix) {
    const auto folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    // The first place has the plain names.
    const auto mark = number == 0 ? QString() : u"-%1"_s.arg(number + 1);
    return folder + u'/' + stem + mark + suffix;
}

QString session_of(int number) { return file_of(u"unclosed"_s, number, u".permafrost"_s); }

std::unique_ptr<QLockFile> try_place(int number) {
    auto lock = std::make_unique<QLockFile>(file_of(u"window"_s, number, u".lock"_s));
    lock->setStaleLockTime(0); // only a process that is gone leaves a stale one
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

} // namespace

WindowPlace::WindowPlace() {
    for (const bool with_leftover : {true, false})
        for (int number = 0; number < places; ++number) {
            if (with_leftover && !QFileInfo::exists(session_of(number))) continue;
            if ((lock_ = try_place(number))) {
                number_ = number;
                return;
            }
        }
}

WindowPlace::~WindowPlace() = default;

QString WindowPlace::session_path() const { return session_of(number_); }
QString WindowPlace::run_path() const { return file_of(u"last-run"_s, number_, u".frost"_s); }

void WindowPlace::discard_leftovers() {
    for (int number = 0; number < places; ++number)
        if (QFileInfo::exists(session_of(number)) && try_place(number)) QFile::remove(session_of(number));
}

bool WindowPlace::another_leftover() {
    for (int number = 0; number < places; ++number)
        if (QFileInfo::exists(session_of(number)) && try_place(number)) return true;
    return false;
}

} // namespace permafrost::gui
