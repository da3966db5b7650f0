// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <QtTest>

using namespace permafrost;

class TestHash : public QObject {
    Q_OBJECT

  private slots:
    // FIPS 180-4's examples.
    void sha256_of_known_texts() {
        QCOMPARE(sha256_hex(bytes_of("abc")),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(sha256_hex({}),
                 std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(sha256_hex(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
                 std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    }

    void pieces_hash_like_the_whole() {
        Sha256 hash;
        hash.add(bytes_of("a"));
        hash.add({});
        hash.add(bytes_of("bc"));
        QCOMPARE(hash.finish(), sha256_hex(bytes_of("abc")));
    }
};

QTEST_APPLESS_MAIN(TestHash)
#include "tst_hash.moc"
