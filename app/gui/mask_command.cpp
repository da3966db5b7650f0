// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mask_command.h"

#include "core/exports/exports.h"

#include <QFileInfo>
#include <QStringList>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

QString quoted(QString text) {
    text.replace(u"'"_s, u"'\\''"_s);
    return u"'"_s + text + u"'"_s;
}

QString exact(double value) {
    return QString::number(value, 'g', 17).toDouble() == QString::number(value, 'g', 6).toDouble()
               ? QString::number(value, 'g', 6)
               : QString::number(value, 'g', 17);
}

} // namespace

QString mask_command(const masks::FreezeRule& rule, const QString& profile, const QString& folder) {
    const masks::FreezeRule defaults;
    QStringList words{u"permafrost-cli mask"_s, quoted(profile)};
    const auto add_number = [&](const QString& option, double value, double fallback) {
        if (value != fallback) words << option << exact(value);
    };
    add_number(u"--var"_s, rule.variance_threshold, defaults.variance_threshold);
    add_number(u"--grad"_s, rule.gradient_threshold, defaults.gradient_threshold);
    add_number(u"--activation"_s, rule.activation_threshold, defaults.activation_threshold);
    add_number(u"--inactive"_s, rule.inactive_share, defaults.inactive_share);
    if (const auto name = masks::rule_name(rule); name != masks::rule_name(defaults))
        words << u"--rule"_s << quoted(QString::fromStdString(name));
    if (rule.layers) words << u"--layers"_s << u"%1-%2"_s.arg(rule.layers->first).arg(rule.layers->second);
    for (const auto& [layer, own] : rule.layer_rules)
        if (!own.follows_the_rule())
            words << u"--layer-rule"_s << QString::fromStdString(masks::layer_rule_text(layer, own));
    add_number(u"--guard-ratio"_s, rule.guard_ratio, defaults.guard_ratio);
    if (!rule.guard) words << u"--no-guard"_s;
    words << u"--output-dir"_s << quoted(folder);
    return words.join(u' ');
}

QString export_command(const ExportRequest& request, const masks::FreezeRule& rule, const QString& profile,
                       const NamedModel& model) {
    if (request.kind == ExportRequest::Kind::Masks) return mask_command(rule, profile, request.path);
    const QString folder = QFileInfo(request.path).path() + u"/masks"_s;
    const QString masks =
        folder + u'/' + QString::fromStdString(exports::file_stem(model.name)) + u".rknot"_s;
    const bool smaller = request.kind == ExportRequest::Kind::Smaller;
    const bool kit = request.kind == ExportRequest::Kind::Kit;
    QStringList words{mask_command(rule, profile, folder),
                      u"&&"_s,
                      u"permafrost-cli"_s,
                      smaller ? u"prune"_s
                      : kit   ? u"kit"_s
                              : u"encode"_s,
                      quoted(model.location),
                      u"--masks"_s,
                      quoted(masks)};
    if (kit) words << u"--for"_s << request.kit;
    if (smaller && request.keep_means) words << u"--fold-mean"_s << quoted(profile);
    words << u"-o"_s << quoted(request.path);
    return words.join(u' ');
}

} // namespace permafrost::gui
