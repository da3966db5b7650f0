// SPDX-License-Identifier: GPL-3.0-or-later
//
// All that is kept between two starts, in one table: key and default. Nothing else names a key.
#pragma once

#include <QSettings>
#include <QString>
#include <QVariant>

namespace permafrost::gui {

namespace settings {

struct Key {
    const char16_t* name;
    QVariant (*fallback)();
};

extern const Key theme, text_size, recent_files, geometry, layout, last_folder, export_folder, context,
    prompt_count, threads, heatmap_metric, heatmap_colormap, heatmap_logarithmic, heatmap_clip,
    heatmap_pooling, heatmap_sorted, quality_live, quality_handling, quality_windows, quality_questions,
    benchmark_repeats, shortcuts;

} // namespace settings

/// The names under which Qt keeps settings and data; called once, before the first window.
void set_application_names();

QVariant read_setting(const settings::Key& key);
void write_setting(const settings::Key& key, const QVariant& value);

} // namespace permafrost::gui
