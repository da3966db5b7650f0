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
        QTest::newRow("Q2_K") << "Q2_K" << 10u << 256u << 84u;
        QTest::newRow("Q3_K") << "Q3_K" << 11u << 256u << 110u;
        QTest::newRow("IQ2_XXS") << "IQ2_XXS" << 16u << 256u << 66u;
        QTest::newRow("IQ2_XS") << "IQ2_XS" << 17u << 256u << 74u;
        QTest::newRow("IQ3_XXS") << "IQ3_XXS" << 18u << 256u << 98u;
        QTest::newRow("IQ1_S") << "IQ1_S" << 19u << 256u << 50u;
        QTest::newRow("IQ4_NL") << "IQ4_NL" << 20u << 32u << 18u;
        QTest::newRow("IQ3_S") << "IQ3_S" << 21u << 256u << 110u;
        QTest::newRow("IQ2_S") << "IQ2_S" << 22u << 256u << 82u;
        QTest::newRow("IQ4_XS") << "IQ4_XS" << 23u << 256u << 136u;
        QTest::newRow("IQ1_M") << "IQ1_M" << 29u << 256u << 56u;
        QTest::newRow("TQ1_0") << "TQ1_0" << 34u << 256u << 54u;
        QTest::newRow("TQ2_0") << "TQ2_0" << 35u << 256u << 66u;
        QTest::newRow("MXFP4") << "MXFP4" << 39u << 32u << 17u;
        QTest::newRow("Q1_0") << "Q1_0" << 41u << 128u << 18u;
        QTest::newRow("Q2_0") << "Q2_0" << 42u << 64u << 18u;
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

    void other_types_have_a_name_but_no_decoder_data() {
        QTest::addColumn<unsigned>("ggml_id");
        QTest::addColumn<QString>("name");
        QTest::newRow("removed") << 31u << "Q4_0_4_4";
        QTest::newRow("long gone") << 4u << "Q4_2";
        QTest::newRow("activations") << 9u << "Q8_1";
        QTest::newRow("integers") << 26u << "I32";
        QTest::newRow("scales elsewhere") << 40u << "NVFP4";
        QTest::newRow("nobody's") << 99u << "type 99";
    }
    void other_types_have_a_name_but_no_decoder() {
        QFETCH(unsigned, ggml_id);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(ggml_type_name(ggml_id)), name);
        QVERIFY(!element_type_from_ggml(ggml_id));
        QVERIFY(!element_type_from_name(name.toStdString()));
    }

    void names_are_exact() { QVERIFY(!element_type_from_name("q4_k")); }

    void the_list_for_messages_names_each_type() {
        QCOMPARE(known_element_types(),
                 std::string("F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, "
                             "IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_NL, IQ4_XS, TQ1_0, "
                             "TQ2_0, MXFP4, Q1_0, Q2_0"));
    }
};

QTEST_APPLESS_MAIN(TestElementType)
#include "tst_element_type.moc"
