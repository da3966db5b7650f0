<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>permafrost::gui::MainWindow</name>
    <message numerus="yes">
        <source>%n file(s) written to %1.</source>
        <translation>
            <numerusform>%n file written to %1.</numerusform>
            <numerusform>%n files written to %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>permafrost::gui::RunPanel</name>
    <message numerus="yes">
        <source>%n prompts: code, mathematics, stories, dialogue, instructions, tables, languages.</source>
        <translation>
            <numerusform>%n prompt: code, mathematics, stories, dialogue, instructions, tables, languages.</numerusform>
            <numerusform>%n prompts: code, mathematics, stories, dialogue, instructions, tables, languages.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::NeuronCard</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::ExportMenu</name>
    <message numerus="yes">
        <source>Only the first %n rows are shown; the saved file has all.</source>
        <translation>
            <numerusform>Only the first row is shown; the saved file has all.</numerusform>
            <numerusform>Only the first %n rows are shown; the saved file has all.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::QualityView</name>
    <message numerus="yes">
        <source>%n evaluated setting(s)</source>
        <translation>
            <numerusform>%n evaluated setting</numerusform>
            <numerusform>%n evaluated settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A sweep over %n setting(s) is running: %1.</source>
        <translation>
            <numerusform>A sweep over %n setting is running: %1.</numerusform>
            <numerusform>A sweep over %n settings is running: %1.</numerusform>
        </translation>
    </message>
</context>
</TS>
