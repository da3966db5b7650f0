// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/masks/freeze_rule.h"

#include <QMenu>
#include <QString>

#include <vector>

namespace permafrost::gui {

class Session;

struct Preset {
    QString name;
    masks::FreezeRule rule;
    bool operator==(const Preset&) const = default;
};

/// {"format": "permafrost.presets", "version": 1, "presets": [{"name": …, "rule": {…}}, …]}
Result<void> write_presets(const std::vector<Preset>& presets, const QString& path);
Result<std::vector<Preset>> read_presets(const QString& path);

/// The menu of named rules: choose one, keep the present one, delete, and exchange them as JSON files.
class PresetMenu : public QMenu {
    Q_OBJECT
  public:
    PresetMenu(Session& session, QWidget* parent);

    const std::vector<Preset>& presets() const { return presets_; }
    /// Replaces one of the same name.
    void keep(const QString& name);
    void apply(const QString& name);
    void remove(const QString& name);
    /// Adds the file's presets; those of the same name are replaced.
    void import_from(const QString& path);
    void export_to(const QString& path);

  Q_SIGNALS:
    void failed(const QString& message);

  private:
    void add_or_replace(const Preset& preset);
    void store();
    void fill();
    void ask_name();
    static QString path();

    Session& session_;
    std::vector<Preset> presets_;
};

} // namespace permafrost::gui
