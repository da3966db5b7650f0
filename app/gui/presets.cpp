// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presets.h"

#include "app/gui/session.h"
#include "core/base/atomic_file.h"
#include "core/formats/strict_json.h"
#include "core/masks/rule_json.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QStandardPaths>

#include <algorithm>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

constexpr const char* format_name = "permafrost.presets";

} // namespace

Result<void> write_presets(const std::vector<Preset>& presets, const QString& path) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& preset : presets)
        list.push_back({{"name", preset.name.toStdString()}, {"rule", masks::rule_to_json(preset.rule)}});
    const nlohmann::ordered_json content{{"format", format_name}, {"version", 1}, {"presets", list}};
    return write_file(path.toStdString(), content.dump(2) + "\n");
}

Result<std::vector<Preset>> read_presets(const QString& path) {
    const auto where = path.toStdString();
    PERMAFROST_TRY(const auto text, read_text_file(where, std::uint64_t{16} << 20));
    PERMAFROST_TRY(const auto content, formats::parse_strictly(text, where));
    if (!content.is_object() || content.value("format", nlohmann::json()) != format_name)
        return Error{where + " is no file of presets"};
    std::vector<Preset> presets;
    const auto list = content.value("presets", nlohmann::json());
    for (const auto& item : list) {
        const auto name = item.is_object() ? item.value("name", nlohmann::json()) : nlohmann::json();
        if (!name.is_string()) return Error{where + ": a preset has no name"};
        auto rule = masks::rule_from_json(item.value("rule", nlohmann::json()));
        if (!rule.ok()) return Error{where + ": preset " + name.get<std::string>() + ": " + rule.message()};
        presets.push_back({QString::fromStdString(name.get<std::string>()), rule.value()});
    }
    return presets;
}

QString PresetMenu::path() {
    const auto folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + u"/presets.json"_s;
}

PresetMenu::PresetMenu(Session& session, QWidget* parent) : QMenu(tr("Pre&sets"), parent), session_(session) {
    setObjectName(u"presets.menu"_s);
    if (QFileInfo::exists(path()))
        if (auto presets = read_presets(path()); presets.ok()) presets_ = std::move(presets).value();
    connect(this, &QMenu::aboutToShow, this, &PresetMenu::fill);
    fill();
}

void PresetMenu::add_or_replace(const Preset& preset) {
    const auto found = std::find_if(presets_.begin(), presets_.end(),
                                    [&](const Preset& known) { return known.name == preset.name; });
    if (found == presets_.end())
        presets_.push_back(preset);
    else
        *found = preset;
}

void PresetMenu::store() {
    if (const auto written = write_presets(presets_, path()); !written.ok())
        Q_EMIT failed(QString::fromStdString(written.message()));
    fill();
}

void PresetMenu::keep(const QString& name) {
    const auto trimmed = name.trimmed();
    if (trimmed.isEmpty()) return;
    add_or_replace({trimmed, session_.rule()});
    store();
}

void PresetMenu::apply(const QString& name) {
    for (const auto& preset : presets_) {
        if (preset.name != name) continue;
        session_.begin_gesture();
        session_.edit_rule(preset.rule, tr("Preset %1").arg(name));
        return;
    }
}

void PresetMenu::remove(const QString& name) {
    std::erase_if(presets_, [&](const Preset& preset) { return preset.name == name; });
    store();
}

void PresetMenu::import_from(const QString& file) {
    const auto read = read_presets(file);
    if (!read.ok()) return Q_EMIT failed(QString::fromStdString(read.message()));
    for (const auto& preset : read.value()) add_or_replace(preset);
    store();
}

void PresetMenu::export_to(const QString& file) {
    if (const auto written = write_presets(presets_, file); !written.ok())
        Q_EMIT failed(QString::fromStdString(written.message()));
}

void PresetMenu::ask_name() {
    auto* dialog = new QInputDialog(parentWidget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep the thresholds"));
    dialog->setLabelText(tr("Name of the preset"));
    dialog->setTextValue(QString::fromStdString(masks::rule_name(session_.rule())));
    connect(dialog, &QInputDialog::textValueSelected, this, &PresetMenu::keep);
    dialog->open();
}

void PresetMenu::fill() {
    clear();
    addAction(tr("&Keep the present thresholds…"), this, &PresetMenu::ask_name);
    addSeparator();
    for (const auto& preset : presets_)
        addAction(QString(preset.name).replace(u'&', u"&&"_s), this,
                  [this, name = preset.name] { apply(name); });
    if (presets_.empty()) addAction(tr("No presets yet"))->setEnabled(false);
    addSeparator();
    auto* removal = addMenu(tr("&Delete"));
    removal->setEnabled(!presets_.empty());
    for (const auto& preset : presets_)
        removal->addAction(QString(preset.name).replace(u'&', u"&&"_s), this,
                           [this, name = preset.name] { remove(name); });
    const auto choose = [this](QFileDialog::AcceptMode mode, const QString& title, auto act) {
        auto* dialog = new QFileDialog(parentWidget(), title, {}, tr("Presets (*.json)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(mode);
        dialog->setDefaultSuffix(u"json"_s);
        connect(dialog, &QFileDialog::fileSelected, this, act);
        dialog->open();
    };
    addAction(tr("&Import…"), this, [this, choose] {
        choose(QFileDialog::AcceptOpen, tr("Import presets"),
               [this](const QString& file) { import_from(file); });
    });
    addAction(tr("E&xport…"), this, [this, choose] {
        choose(QFileDialog::AcceptSave, tr("Export presets"),
               [this](const QString& file) { export_to(file); });
    })->setEnabled(!presets_.empty());
}

} // namespace permafrost::gui
