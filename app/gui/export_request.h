// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>

namespace permafrost::gui {

/// What leaves the window.
struct ExportRequest {
    enum class Kind : std::uint8_t {
        Masks,   ///< manifest, Rust source, CSV and .rknot, in a folder
        Encoded, ///< the model with the masks in it, or a sidecar
        Smaller, ///< the model without the frozen neurons
        Kit      ///< masks, code and instructions for another program, in a folder
    };
    Kind kind = Kind::Masks;
    QString path;           ///< folder of Masks and Kit, file of the others
    bool keep_means = true; ///< Smaller: removed neurons leave their mean in a bias
    QString kit;            ///< Kit: exports::kit_names()
};

/// What became of an export.
struct ExportReport {
    QString folder;
    QStringList files;
    QString command; ///< the command line that writes the same files
    QString problem; ///< empty when all was written
    QString remark;  ///< what was found when it was checked
    bool cancelled = false;
};

} // namespace permafrost::gui
