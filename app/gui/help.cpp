// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help.h"

#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QCoreApplication>
#include <QFile>
#include <QMessageBox>
#include <QTextBrowser>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

QString translated(const char* text) { return QCoreApplication::translate("Help", text); }

} // namespace

void show_manual(QWidget* parent) {
    if (auto* open = parent->findChild<QTextBrowser*>(u"help.manual"_s)) {
        open->show();
        open->raise();
        return;
    }
    auto* browser = new QTextBrowser(parent);
    browser->setObjectName(u"help.manual"_s);
    browser->setWindowFlag(Qt::Window);
    browser->setAccessibleName(translated(QT_TRANSLATE_NOOP("Help", "Manual")));
    browser->setWindowTitle(translated(QT_TRANSLATE_NOOP("Help", "Permafrost manual")));
    browser->setOpenExternalLinks(true);
    browser->document()->setDocumentMargin(24);
    browser->resize(760, 680);
    if (QFile::exists(u":/manual/index.md"_s))
        browser->setSource(QUrl(u"qrc:/manual/index.md"_s), QTextDocument::MarkdownResource);
    else
        browser->setMarkdown(
            translated(QT_TRANSLATE_NOOP("Help", "# Permafrost\n\nThe manual is not part of this build.")));
    browser->show();
}

void show_about(QWidget* parent) {
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(translated(QT_TRANSLATE_NOOP("Help", "About Permafrost")));
    box->setIconPixmap(widgets::icon(u"snowflake"_s, widgets::theme().accent).pixmap(64));
    box->setTextFormat(Qt::RichText);
    box->setText(u"<h3>Permafrost %1</h3>"_s.arg(QCoreApplication::applicationVersion()) +
                 translated(QT_TRANSLATE_NOOP("Help", "Finds frozen feed-forward neurons of language models, "
                                                      "shows what skipping them is worth and costs.")));
    box->setInformativeText(
        translated(QT_TRANSLATE_NOOP(
            "Help", "Free software under the GNU General Public License, version 3 or later.")) +
        u"<p>"_s + translated(QT_TRANSLATE_NOOP("Help", "Built with:")) +
        u"<ul><li>Qt %1 (LGPL-3.0)</li><li>QCustomPlot, Emanuel Eichhammer (GPL-3.0)</li>"
        "<li>Highway (Apache-2.0)</li><li>JSON for Modern C++, Niels Lohmann (MIT)</li><li>PCRE2 "
        "(BSD)</li><li>utf8proc (MIT)</li>"
        "<li>OpenSSL (Apache-2.0)</li><li>Lucide icons (ISC)</li>"
        "<li>viridis, magma, inferno (CC0); cividis (Battelle Memorial Institute)</li></ul>"_s.arg(
            QLatin1String(qVersion())));
    box->open();
}

} // namespace permafrost::gui
