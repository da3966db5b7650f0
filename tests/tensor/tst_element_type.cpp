// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/element_type.h"

#include <QtTest>

using namespace permafrost::tensor;

class TestElementType : public QObject {
    Q_OBJECT

  private slots:
    // Numbers, block sizes and names as in ggml.h and ggml-common.h.
    void layouts_are_ggmls_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<unsigned>("ggml_id");
        QTest::addColumn<unsigned>("elements");
        QTest::addColumn<unsigned>("bytes");
        QTest::newRow("F32") << "F32" << 0u << 1u << 4u;
        QTest::newRow("F16") << "F16" << 1u << 1u << 2u;
        QTest::newRow("Q4_0") << "Q4_0" << 2u << 32u << 18u;
        QTest::newRow("Q4_1") << "Q4_1" << 3u << 32u << 20u;
        QTest::newRow("Q5_0") << "Q5_0" << 6u << 32u << 22u;
        QTest::newRow("Q5_1") << "Q5_1" << 7u << 32u << 24u;
        QTest::newRow("Q8_0") << "Q8_0" << 8u << 32u << 34u;
        QTest::newRow("Q4_K") << "Q4_K" << 12u << 256u << 144u;
        QTest::newRow("Q5_K") << "Q5_K" << 13u << 256u << 176u;
        QTest::newRow("Q6_K") << "Q6_K" << 14u << 256u << 210u;
        QTest::newRow("BF16") << "BF16" << 30u << 1u << 2u;
    }
    void layouts_are_ggmls() {
        QFETCH(QString, name);
        QFETCH(unsigned, ggml_id);
        QFETCH(unsigned, elements);
        QFETCH(unsigned, bytes);
        const auto type = element_type_from_ggml(ggml_id);
        QVERIFY(type);
        QCOMPARE(element_type_from_name(name.toStdString()), type);
        QCOMPARE(QString::fromStdString(ggml_type_name(ggml_id)), name);
        QCOMPARE(info(*type).ggml_id, ggml_id);
        QCOMPARE(info(*type).block_elements, elements);
        QCOMPARE(info(*type).block_bytes, bytes);
    }

    void unknown_types_have_a_name_but_no_decoder() {
        QCOMPARE(ggml_type_name(23), std::string("IQ4_XS"));
        QVERIFY(!element_type_from_ggml(23));
        QCOMPARE(ggml_type_name(99), std::string("type 99"));
        QVERIFY(!element_type_from_ggml(99));
        QVERIFY(!element_type_from_name("q4_k"));
    }

    void the_list_for_messages_names_each_type() {
        QCOMPARE(known_element_types(),
                 std::string("F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K"));
    }
};

QTEST_APPLESS_MAIN(TestElementType)
#include "tst_element_type.moc"
