// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_line.h"

#include "app/gui/settings.h"

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

QString translated(const char* text) { return QCoreApplication::translate("CommandLine", text); }

const QCommandLineOption screenshot(u"screenshot"_s, u"Write a picture of the window to OUT.png and quit."_s,
                                    u"OUT.png"_s);
const QCommandLineOption after(u"after"_s, u"Milliseconds until the picture (default 1000)."_s, u"MS"_s,
                               u"1000"_s);
const QCommandLineOption start(u"start"_s, u"Start profiling at once."_s);
const QCommandLineOption benchmark(u"benchmark"_s, u"Time the feed-forward layers once the model is open."_s);
const QCommandLineOption theme(u"theme"_s, u"light, dark, high-contrast or system."_s, u"NAME"_s);
const QCommandLineOption text_size(u"text-size"_s, u"Size of the text in percent, 75 to 200."_s, u"N"_s);
const QCommandLineOption size(u"size"_s, u"Size of the window, as 1440x900."_s, u"WxH"_s);
const QCommandLineOption tab(u"tab"_s, u"View to show, counted from 0."_s, u"N"_s, u"0"_s);
const QCommandLineOption text(u"text"_s, u"Profile over this text file."_s, u"FILE"_s);
const QCommandLineOption prompts(u"prompts"_s, u"Profile over this prompt file."_s, u"FILE"_s);
const QCommandLineOption context(u"context"_s, u"Tokens a sequence at most."_s, u"N"_s);
const QCommandLineOption num_prompts(u"num-prompts"_s, u"Only the first N prompts."_s, u"N"_s);
const QCommandLineOption bench(u"bench-gui"_s, u"Measure how fluent the window is with FILE, and quit."_s);
const QCommandLineOption threads(u"threads"_s, u"Threads (default: one a processor)."_s, u"N"_s);

int number(const QCommandLineParser& parser, const QCommandLineOption& option, int fallback, int lowest,
           Launch& launch) {
    if (!parser.isSet(option)) return fallback;
    bool ok = false;
    const int value = parser.value(option).toInt(&ok);
    if (!ok || value < lowest)
        launch.problem =
            translated(
                QT_TRANSLATE_NOOP("CommandLine", "--%1 wants a whole number of at least %2, not \"%3\"."))
                .arg(option.names().first())
                .arg(lowest)
                .arg(parser.value(option));
    return ok ? value : fallback;
}

void read_request(const QCommandLineParser& parser, Launch& launch) {
    const bool any = parser.isSet(text) || parser.isSet(prompts) || parser.isSet(context) ||
                     parser.isSet(num_prompts) || parser.isSet(threads);
    if (!any) return;
    RunRequest request;
    if (parser.isSet(text) && parser.isSet(prompts))
        launch.problem =
            translated(QT_TRANSLATE_NOOP("CommandLine", "--text and --prompts exclude each other."));
    request.source = parser.isSet(text)      ? RunRequest::Source::Text
                     : parser.isSet(prompts) ? RunRequest::Source::Prompts
                                             : RunRequest::Source::BuiltIn;
    request.path = parser.isSet(text) ? parser.value(text) : parser.value(prompts);
    request.context = static_cast<std::uint32_t>(
        number(parser, context, read_setting(settings::context).toInt(), 2, launch));
    request.most_prompts = static_cast<std::uint64_t>(number(parser, num_prompts, 0, 0, launch));
    request.threads = static_cast<std::size_t>(number(parser, threads, 0, 0, launch));
    launch.request = request;
}

void read_size(const QCommandLineParser& parser, Launch& launch) {
    if (!parser.isSet(size)) return;
    const auto parts = parser.value(size).split(u'x');
    const QSize wanted(parts.value(0).toInt(), parts.value(1).toInt());
    if (parts.size() == 2 && wanted.width() >= 320 && wanted.height() >= 240)
        launch.size = wanted;
    else
        launch.problem =
            translated(QT_TRANSLATE_NOOP("CommandLine", "--size wants WxH, such as 1440x900, not \"%1\"."))
                .arg(parser.value(size));
}

} // namespace

Launch parse_command_line(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Finds frozen feed-forward neurons of language models."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        u"FILE"_s,
        u"A model (.gguf, .knot, .rknot, a Hugging Face folder), a profile (.frost), or the word demo."_s,
        u"[FILE…]"_s);
    parser.addOptions({screenshot, after, start, benchmark, theme, text_size, size, tab, text, prompts,
                       context, num_prompts, threads, bench});
    parser.process(arguments);
    Launch launch;
    launch.files = parser.positionalArguments();
    launch.screenshot = parser.value(screenshot);
    launch.after = number(parser, after, 1000, 0, launch);
    launch.start = parser.isSet(start);
    launch.benchmark = parser.isSet(benchmark);
    launch.bench = parser.isSet(bench);
    if (launch.bench && launch.files.isEmpty())
        launch.problem =
            translated(QT_TRANSLATE_NOOP("CommandLine", "--bench-gui wants a profile or a model."));
    launch.theme = parser.value(theme);
    launch.text_size = number(parser, text_size, 0, 75, launch);
    launch.tab = number(parser, tab, 0, 0, launch);
    read_request(parser, launch);
    read_size(parser, launch);
    return launch;
}

} // namespace permafrost::gui
