// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/actions.h"

#include "widgets/icons.h"

#include <QUndoStack>

#include <algorithm>

namespace permafrost::gui {

using namespace Qt::StringLiterals;

namespace {

constexpr const char* own_shortcut_property = "own_shortcut";
constexpr const char* icon_property = "icon_name";

} // namespace

Actions::Actions(QUndoStack* undo_stack, QObject* parent) : QObject(parent) {
    new_window = add(u"file.new_window"_s, tr("&New window"), {}, QKeySequence::New,
                     tr("Another window, for another model or profile"));
    open = add(u"file.open"_s, tr("&Open…"), u"folder-open"_s, QKeySequence::Open,
               tr("Open a model or a profile"));
    open_demo = add(u"file.demo"_s, tr("Open the &demo model"), u"flask-conical"_s, {},
                    tr("A small model that comes with the program"));
    save_session =
        add(u"file.save_session"_s, tr("Save s&ession…"), u"save"_s, QKeySequence(u"Ctrl+Shift+S"_s),
            tr("Keep thresholds, selection, view and notes, and which profile they are about"));
    save_profile = add(u"file.save"_s, tr("&Save profile…"), u"save"_s, QKeySequence::Save,
                       tr("Keep the statistics as a .frost file"));
    export_masks = add(u"file.export"_s, tr("&Export…"), u"download"_s, QKeySequence(u"Ctrl+E"_s),
                       tr("Write masks, manifest, Rust source, CSV and .rknot to a folder"));
    close = add(u"file.close"_s, tr("&Close window"), {}, QKeySequence(u"Ctrl+W"_s), {});
    quit = add(u"file.quit"_s, tr("&Quit"), {}, QKeySequence(u"Ctrl+Q"_s), tr("Close all windows"));

    undo = name(undo_stack->createUndoAction(this, tr("&Undo")), u"edit.undo"_s, u"undo-2"_s,
                QKeySequence::Undo);
    redo = name(undo_stack->createRedoAction(this, tr("&Redo")), u"edit.redo"_s, u"redo-2"_s,
                QKeySequence::Redo);
    copy_table = add(u"edit.copy_table"_s, tr("&Copy the layers table"), u"copy"_s,
                     QKeySequence(u"Ctrl+Shift+C"_s), tr("Copy all layers as tab-separated text"));
    reset_rule = add(u"threshold.reset"_s, tr("&Reset thresholds"), u"rotate-ccw"_s, {},
                     tr("Back to the default rule"));

    start = add(u"profile.start"_s, tr("&Start"), u"play"_s, QKeySequence(u"F5"_s),
                tr("Run the text through the model"));
    pause = add(u"profile.pause"_s, tr("&Pause"), u"pause"_s, QKeySequence(u"F6"_s),
                tr("Hold the run between two waves"));
    pause->setCheckable(true);
    cancel = add(u"profile.cancel"_s, tr("&Cancel"), u"square"_s, QKeySequence(u"Shift+F5"_s),
                 tr("Stop the run and keep what it has"));
    benchmark = add(u"profile.benchmark"_s, tr("&Benchmark the layers"), {}, QKeySequence(u"F8"_s),
                    tr("Time the feed-forward layers on this machine, dense and without frozen neurons"));

    back = add(u"view.back"_s, tr("&Back"), {}, QKeySequence(u"Alt+Left"_s),
               tr("To the section of the heatmap that was looked at before"));
    forward = add(u"view.forward"_s, tr("For&ward"), {}, QKeySequence(u"Alt+Right"_s),
                  tr("To the section of the heatmap that was looked at after this one"));
    fit = add(u"view.fit"_s, tr("&Fit the heatmap"), u"maximize"_s, QKeySequence(u"Ctrl+0"_s),
              tr("Show all layers and neurons"));
    zoom_in = add(u"view.zoom_in"_s, tr("Zoom &in"), u"zoom-in"_s, QKeySequence::ZoomIn, {});
    zoom_out = add(u"view.zoom_out"_s, tr("Zoom &out"), u"zoom-out"_s, QKeySequence::ZoomOut, {});
    save_picture = add(u"view.save_picture"_s, tr("Save &picture of the view…"), u"image"_s, {},
                       tr("PNG of the current view"));
    full_screen = add(u"view.full_screen"_s, tr("Full &screen"), {}, QKeySequence(u"F11"_s), {});
    full_screen->setCheckable(true);
    auto* themes = new QActionGroup(this);
    theme_system = add_theme(themes, u"system"_s, tr("Follow the s&ystem"));
    theme_light = add_theme(themes, u"light"_s, tr("&Light"));
    theme_dark = add_theme(themes, u"dark"_s, tr("&Dark"));
    theme_contrast = add_theme(themes, u"high-contrast"_s, tr("&High contrast"));

    text_sizes = new QActionGroup(this);
    for (int size : {90, 100, 110, 125, 150}) {
        auto* action = add(u"text."_s + QString::number(size), tr("%1 %").arg(size), {}, {}, {});
        action->setCheckable(true);
        action->setData(size);
        text_sizes->addAction(action);
    }

    layout_explore = add(u"window.explore"_s, tr("Layout: &explore"), {}, QKeySequence(u"Ctrl+1"_s),
                         tr("Run, layers, thresholds and quality around the views"));
    layout_review = add(u"window.review"_s, tr("Layout: re&view"), {}, QKeySequence(u"Ctrl+2"_s),
                        tr("Verdict, layers, quality and notes: what a sign-off needs"));
    layout_export = add(u"window.export"_s, tr("Layout: e&xport"), {}, QKeySequence(u"Ctrl+3"_s),
                        tr("Verdict and layers, the views wide"));
    commands = add(u"help.commands"_s, tr("&Commands…"), {}, QKeySequence(u"Ctrl+Shift+P"_s),
                   tr("Find any command by its name"));
    reset_layout = add(u"window.reset"_s, tr("&Reset layout"), {}, {},
                       tr("Put all panels back where they were at first"));
    shortcuts = add(u"help.shortcuts"_s, tr("&Shortcuts…"), {}, {}, tr("Choose the keys of each command"));
    manual = add(u"help.manual"_s, tr("&Manual"), u"book-open"_s, QKeySequence::HelpContents, {});
    about = add(u"help.about"_s, tr("&About Permafrost"), u"info"_s, {}, {});
    about_qt = add(u"help.about_qt"_s, tr("About &Qt"), {}, {}, {});
    restyle();
    set_shortcuts(read_shortcuts());
}

QAction* Actions::name(QAction* action, const QString& id, const QString& icon_name,
                       const QKeySequence& shortcut) {
    action->setObjectName(id);
    action->setProperty(own_shortcut_property, shortcut);
    if (!icon_name.isEmpty()) action->setProperty(icon_property, icon_name);
    named_.push_back(action);
    return action;
}

QAction* Actions::add(const QString& id, const QString& text, const QString& icon_name,
                      const QKeySequence& shortcut, const QString& help) {
    auto* action = name(new QAction(text, this), id, icon_name, shortcut);
    if (!help.isEmpty()) action->setStatusTip(help);
    return action;
}

QAction* Actions::add_theme(QActionGroup* group, const QString& id, const QString& text) {
    auto* action = add(u"theme."_s + id, text, {}, {}, {});
    action->setCheckable(true);
    action->setData(id);
    group->addAction(action);
    return action;
}

void Actions::restyle() {
    for (auto* action : named_)
        if (const auto icon = action->property(icon_property).toString(); !icon.isEmpty())
            action->setIcon(widgets::icon(icon));
}

void Actions::set_shortcuts(const ChosenShortcuts& chosen) {
    for (auto* action : named_) {
        action->setShortcut(chosen.value(action->objectName(), own_shortcut(action)));
        if (action == undo || action == redo) continue; // their tip says what would be undone
        auto tip = QString(action->text()).remove(u'&').remove(u'…');
        if (!action->shortcut().isEmpty())
            tip += u" ("_s + action->shortcut().toString(QKeySequence::NativeText) + u")"_s;
        action->setToolTip(action->statusTip().isEmpty() ? tip
                                                         : QString(tip + u"\n"_s + action->statusTip()));
    }
}

bool Actions::is_one(const QAction* action) const {
    return std::find(named_.begin(), named_.end(), action) != named_.end();
}

QKeySequence Actions::own_shortcut(const QAction* action) {
    return action->property(own_shortcut_property).value<QKeySequence>();
}

} // namespace permafrost::gui
