// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

constexpr int place_role = Qt::UserRole;

QString plain(QString text) { return text.remove(u'&').remove(u'…'); }

// All words of the search, in any order.
bool matches(const QString& text, const QString& search) {
    const auto words = search.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

QList<std::pair<QString, QAction*>> actions_below(const QList<QAction*>& actions, const QString& path) {
    QList<std::pair<QString, QAction*>> found;
    for (auto* action : actions) {
        if (action->isSeparator()) continue;
        const QString name = path.isEmpty() ? plain(action->text()) : path + u" > "_s + plain(action->text());
        if (action->menu())
            found += actions_below(action->menu()->actions(), name);
        else if (!plain(action->text()).isEmpty())
            found.append({name, action});
    }
    return found;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent) : QDialog(parent) {
    setObjectName(u"command.palette"_s);
    setWindowTitle(tr("Commands"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (auto* action : actions) actions_.append(action);
    search_ = new QLineEdit;
    search_->setObjectName(u"command.search"_s);
    search_->setAccessibleName(tr("Search commands"));
    search_->setPlaceholderText(tr("Type a part of a command's name"));
    search_->installEventFilter(this);
    list_ = new QListWidget;
    list_->setObjectName(u"command.list"_s);
    list_->setAccessibleName(tr("Commands"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(search_);
    column->addWidget(list_, 1);
    resize(fontMetrics().averageCharWidth() * 72, 400);
    connect(search_, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(search_, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(list_, &QListWidget::itemActivated, this, &CommandPalette::run);
    fill();
}

void CommandPalette::fill() {
    list_->clear();
    QList<QAction*> present;
    for (const auto& action : actions_)
        if (action) present.append(action);
    for (const auto& [name, action] : actions_below(present)) {
        if (!matches(name, search_->text())) continue;
        const auto keys = action->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(keys.isEmpty() ? name : QString(name + u"    "_s + keys), list_);
        item->setToolTip(action->statusTip());
        item->setData(place_role, QVariant::fromValue(QPointer<QAction>(action)));
        if (!action->isEnabled()) item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
    }
    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->flags().testFlag(Qt::ItemIsEnabled)) return list_->setCurrentRow(row);
}

void CommandPalette::run() {
    const auto* item = list_->currentItem();
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled)) return;
    const auto action = item->data(place_role).value<QPointer<QAction>>();
    accept();
    if (action) action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(list_, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace permafrost::gui
