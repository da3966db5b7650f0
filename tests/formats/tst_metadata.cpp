// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/metadata.h"

#include <QtTest>

#include <limits>

using namespace permafrost::formats;

class TestMetadata : public QObject {
    Q_OBJECT

  private slots:
    void keeps_the_order_of_keys() {
        Metadata metadata;
        metadata.set("z", make_value("last letter"));
        metadata.set("a", make_value(1u));
        metadata.set("z", make_value("replaced"));
        QCOMPARE(metadata.entries().size(), std::size_t{2});
        QCOMPARE(metadata.entries()[0].first, std::string("z"));
        QCOMPARE(*metadata.string("z"), std::string("replaced"));
    }

    void removed_keys_are_gone_and_the_others_stay() {
        Metadata metadata;
        for (const char* key : {"a", "b", "c"}) metadata.set(key, make_value(key));
        metadata.remove("a");
        metadata.remove("missing");
        QVERIFY(!metadata.find("a"));
        QCOMPARE(*metadata.string("b"), std::string("b"));
        QCOMPARE(*metadata.string("c"), std::string("c"));
        QCOMPARE(metadata.entries().size(), std::size_t{2});
    }

    void integers_convert_when_they_fit() {
        Metadata metadata;
        metadata.set("u", make_value(std::uint64_t{1} << 63));
        metadata.set("negative", Value{ValueType::I8, std::int64_t{-5}});
        metadata.set("positive", Value{ValueType::I32, std::int64_t{5}});
        QCOMPARE(metadata.unsigned_integer("u"), std::optional(std::uint64_t{1} << 63));
        QVERIFY(!metadata.signed_integer("u"));
        QVERIFY(!metadata.unsigned_integer("negative"));
        QCOMPARE(metadata.signed_integer("negative"), std::optional(std::int64_t{-5}));
        QCOMPARE(metadata.unsigned_integer("positive"), std::optional(std::uint64_t{5}));
        QCOMPARE(metadata.number("negative"), std::optional(-5.0));
    }

    void a_value_of_another_kind_is_absent() {
        Metadata metadata;
        metadata.set("text", make_value("5"));
        metadata.set("truth", make_value(true));
        metadata.set("half", make_value(0.5f));
        QVERIFY(!metadata.unsigned_integer("text"));
        QVERIFY(!metadata.number("truth"));
        QVERIFY(!metadata.unsigned_integer("half"));
        QVERIFY(!metadata.string("truth"));
        QVERIFY(!metadata.boolean("half"));
        QVERIFY(!metadata.strings("text"));
        QVERIFY(!metadata.number("missing"));
        QCOMPARE(metadata.boolean("truth"), std::optional(true));
    }

    void a_literal_is_a_string_and_no_truth_value() { QCOMPARE(make_value("yes").type, ValueType::String); }

    void arrays_of_numbers_are_read_as_double() {
        Metadata metadata;
        metadata.set("signed", make_value(std::vector<std::int32_t>{-1, 2}));
        metadata.set("bytes", make_value(std::vector<std::uint8_t>{255}));
        metadata.set("floats", make_value(std::vector<float>{0.5f}));
        metadata.set("texts", make_value(std::vector<std::string>{"a"}));
        metadata.set("scalar", make_value(7u));
        QCOMPARE(*metadata.numbers("signed"), (std::vector<double>{-1, 2}));
        QCOMPARE(*metadata.numbers("bytes"), (std::vector<double>{255}));
        QCOMPARE(*metadata.numbers("floats"), (std::vector<double>{0.5}));
        QCOMPARE(*metadata.numbers("scalar"), (std::vector<double>{7}));
        QVERIFY(!metadata.numbers("texts"));
        QCOMPARE(metadata.strings("texts")->at(0), std::string("a"));
    }
};

QTEST_APPLESS_MAIN(TestMetadata)
#include "tst_metadata.moc"
