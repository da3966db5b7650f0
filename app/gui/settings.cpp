// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/settings.h"

#include <QCoreApplication>
#include <QStringList>

namespace permafrost::gui {

using namespace Qt::StringLiterals;

namespace settings {

const Key theme{u"window/theme", [] { return QVariant(u"system"_s); }};
const Key text_size{u"window/text_size", [] { return QVariant(100); }};
const Key recent_files{u"files/recent", [] { return QVariant(QStringList()); }};
const Key geometry{u"window/geometry", [] { return QVariant(); }};
const Key layout{u"window/layout", [] { return QVariant(); }};
const Key last_folder{u"files/last_folder", [] { return QVariant(QString()); }};
const Key export_folder{u"files/export_folder", [] { return QVariant(QString()); }};
const Key context{u"run/context", [] { return QVariant(512); }};
const Key prompt_count{u"run/prompts", [] { return QVariant(0); }};
const Key threads{u"run/threads", [] { return QVariant(0); }};
const Key heatmap_metric{u"heatmap/metric", [] { return QVariant(u"frozen"_s); }};
const Key heatmap_colormap{u"heatmap/colormap", [] { return QVariant(u"cividis"_s); }};
const Key heatmap_logarithmic{u"heatmap/logarithmic", [] { return QVariant(true); }};
const Key heatmap_clip{u"heatmap/clip", [] { return QVariant(false); }};
const Key heatmap_sorted{u"heatmap/sorted", [] { return QVariant(false); }};
const Key heatmap_pooling{u"heatmap/pooling", [] { return QVariant(0); }};
const Key quality_live{u"quality/live", [] { return QVariant(false); }};
const Key quality_handling{u"quality/handling", [] { return QVariant(u"zero"_s); }};
const Key quality_windows{u"quality/windows", [] { return QVariant(8); }};
const Key quality_questions{u"quality/questions", [] { return QVariant(QString()); }};
const Key benchmark_repeats{u"benchmark/repeats", [] { return QVariant(11); }};
const Key shortcuts{u"window/shortcuts", [] { return QVariant(QVariantMap()); }};

} // namespace settings

void set_application_names() {
    QCoreApplication::setOrganizationName(u"Permafrost"_s);
    QCoreApplication::setApplicationName(u"Permafrost"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(PERMAFROST_VERSION));
    QSettings::setDefaultFormat(QSettings::IniFormat);
}

QVariant read_setting(const settings::Key& key) {
    return QSettings().value(QString::fromUtf16(key.name), key.fallback());
}

void write_setting(const settings::Key& key, const QVariant& value) {
    QSettings().setValue(QString::fromUtf16(key.name), value);
}

} // namespace permafrost::gui
