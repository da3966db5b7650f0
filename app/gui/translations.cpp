// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/translations.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace permafrost::gui {

using namespace Qt::StringLiterals;

void install_translations(QCoreApplication& application) {
    const QLocale locale;
    for (const auto& [name, folder] :
         {std::pair{u"qtbase"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)},
          std::pair{u"permafrost"_s, u":/i18n"_s}}) {
        auto* translator = new QTranslator(&application);
        if (translator->load(locale, name, u"_"_s, folder))
            QCoreApplication::installTranslator(translator);
        else
            delete translator;
    }
}

} // namespace permafrost::gui
