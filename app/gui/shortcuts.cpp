// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shortcuts.h"

#include "app/gui/actions.h"
#include "app/gui/command_palette.h"
#include "app/gui/settings.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace permafrost::gui {

using namespace Qt::StringLiterals;

ChosenShortcuts read_shortcuts() {
    ChosenShortcuts shortcuts;
    const auto stored = read_setting(settings::shortcuts).toMap();
    for (auto at = stored.begin(); at != stored.end(); ++at)
        shortcuts[at.key()] = QKeySequence(at.value().toString(), QKeySequence::PortableText);
    return shortcuts;
}

void write_shortcuts(const ChosenShortcuts& shortcuts) {
    QVariantMap stored;
    for (auto at = shortcuts.begin(); at != shortcuts.end(); ++at)
        stored[at.key()] = at.value().toString(QKeySequence::PortableText);
    write_setting(settings::shortcuts, stored);
}

ShortcutsDialog::ShortcutsDialog(const Actions& actions, const QList<QAction*>& menus, QWidget* parent)
    : QDialog(parent) {
    setObjectName(u"shortcuts.dialog"_s);
    setWindowTitle(tr("Shortcuts"));
    setAttribute(Qt::WA_DeleteOnClose);
    search_ = new QLineEdit;
    search_->setObjectName(u"shortcuts.search"_s);
    search_->setAccessibleName(tr("Search commands"));
    search_->setPlaceholderText(tr("Part of a command's name or of its keys"));
    search_->setClearButtonEnabled(true);
    list_ = new QTreeWidget;
    list_->setObjectName(u"shortcuts.list"_s);
    list_->setAccessibleName(tr("Commands and their shortcuts"));
    list_->setHeaderLabels({tr("Command"), tr("Shortcut")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->header()->setStretchLastSection(false);
    keys_ = new QKeySequenceEdit;
    keys_->setObjectName(u"shortcuts.keys"_s);
    keys_->setAccessibleName(tr("New shortcut"));
    auto* keys_label = new QLabel(tr("&New shortcut"));
    keys_label->setBuddy(keys_);
    auto* none = new QPushButton(tr("N&one"));
    none->setObjectName(u"shortcuts.none"_s);
    auto* own = new QPushButton(tr("Set &back"));
    own->setObjectName(u"shortcuts.own"_s);
    remark_ = new QLabel;
    remark_->setObjectName(u"shortcuts.remark"_s);
    remark_->setWordWrap(true);
    remark_->setMinimumHeight(2 * fontMetrics().lineSpacing());
    remark_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel |
                                         QDialogButtonBox::RestoreDefaults);
    auto* line = new QHBoxLayout;
    line->addWidget(keys_label);
    line->addWidget(keys_, 1);
    line->addWidget(none);
    line->addWidget(own);
    auto* column = new QVBoxLayout(this);
    column->addWidget(search_);
    column->addWidget(list_, 1);
    column->addLayout(line);
    column->addWidget(remark_);
    column->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 80, 520);
    fill(actions, menus);
    connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
        remark_->clear();
        show_row();
    });
    connect(list_, &QTreeWidget::itemActivated, keys_, [this] { keys_->setFocus(); });
    keys_->installEventFilter(this);
    connect(none, &QPushButton::clicked, this, [this] { change({}); });
    connect(own, &QPushButton::clicked, this, [this] {
        if (const int row = current(); row >= 0) change(rows_[static_cast<std::size_t>(row)].own);
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &ShortcutsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            &ShortcutsDialog::restore_all);
    list_->setCurrentItem(list_->topLevelItem(0));
    list_->setFocus();
}

void ShortcutsDialog::fill(const Actions& actions, const QList<QAction*>& menus) {
    for (const auto& [name, action] : actions_below(menus)) {
        if (!actions.is_one(action)) continue; // panels and recent files have no name that lasts
        rows_.push_back({action->objectName(), name, Actions::own_shortcut(action), action->shortcut()});
        auto* item = new QTreeWidgetItem(list_, {name, QString()});
        item->setToolTip(0, action->statusTip());
    }
    refresh();
}

void ShortcutsDialog::refresh() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        auto* item = list_->topLevelItem(static_cast<int>(row));
        item->setText(1, rows_[row].present.toString(QKeySequence::NativeText));
        auto font = list_->font();
        font.setBold(rows_[row].present != rows_[row].own);
        item->setFont(1, font);
    }
}

void ShortcutsDialog::filter() {
    const auto text = search_->text().trimmed();
    for (int row = 0; row < list_->topLevelItemCount(); ++row) {
        auto* item = list_->topLevelItem(row);
        item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive) &&
                        !item->text(1).contains(text, Qt::CaseInsensitive));
    }
}

int ShortcutsDialog::current() const { return list_->indexOfTopLevelItem(list_->currentItem()); }

int ShortcutsDialog::holder_of(const QKeySequence& keys, int except) const {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (static_cast<int>(row) != except && !keys.isEmpty() && rows_[row].present == keys)
            return static_cast<int>(row);
    return -1;
}

void ShortcutsDialog::show_row() {
    const int row = current();
    keys_->setEnabled(row >= 0);
    if (row < 0) return;
    keys_->setKeySequence(rows_[static_cast<std::size_t>(row)].present);
}

// The field itself waits a second for more keys. One chord is taken at once: a second one would hide the
// command behind the first.
bool ShortcutsDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == keys_ && event->type() == QEvent::KeyRelease) {
        const auto keys = keys_->keySequence();
        if (!keys.isEmpty()) change(QKeySequence(keys[0]));
    } else if (watched == keys_ && event->type() == QEvent::FocusOut) {
        show_row(); // modifiers alone are no keys
    }
    return QDialog::eventFilter(watched, event);
}

void ShortcutsDialog::change(const QKeySequence& keys) {
    const int row = current();
    // The keys that are let go one after the other ask again.
    if (row < 0 || rows_[static_cast<std::size_t>(row)].present == keys) return;
    rows_[static_cast<std::size_t>(row)].present = keys;
    const int holder = holder_of(keys, row);
    if (holder >= 0) rows_[static_cast<std::size_t>(holder)].present = {};
    refresh();
    show_row();
    remark_->clear();
    if (holder >= 0)
        remark_->setText(
            tr("%1 was the shortcut of “%2”, which has none now.")
                .arg(keys.toString(QKeySequence::NativeText), rows_[static_cast<std::size_t>(holder)].name));
}

void ShortcutsDialog::restore_all() {
    for (auto& row : rows_) row.present = row.own;
    refresh();
    remark_->clear();
    show_row();
}

void ShortcutsDialog::accept() {
    ChosenShortcuts shortcuts;
    for (const auto& row : rows_)
        if (row.present != row.own) shortcuts[row.id] = row.present;
    Q_EMIT chosen(shortcuts);
    QDialog::accept();
}

} // namespace permafrost::gui
