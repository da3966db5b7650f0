// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

using namespace permafrost;

class TestMappedFile : public QObject {
    Q_OBJECT

  private slots:
    void shows_the_bytes_of_a_file() {
        const test::TemporaryFolder folder;
        QVERIFY(write_file(folder / "a", "hello").ok());
        const auto file = MappedFile::open(folder / "a");
        QVERIFY(file.ok());
        QCOMPARE(std::string(text_of(file.value()->bytes())), std::string("hello"));
    }

    void an_empty_file_has_no_bytes() {
        const test::TemporaryFolder folder;
        QVERIFY(write_file(folder / "a", "").ok());
        QVERIFY(MappedFile::open(folder / "a").value()->bytes().empty());
    }

    void bytes_live_on_when_the_file_is_replaced_and_removed() {
        const test::TemporaryFolder folder;
        QVERIFY(write_file(folder / "a", "old").ok());
        const auto file = MappedFile::open(folder / "a").value();
        QVERIFY(write_file(folder / "a", "new text").ok());
        std::filesystem::remove(folder / "a");
        QCOMPARE(std::string(text_of(file->bytes())), std::string("old"));
    }

    void bytes_dropped_from_memory_come_back() {
        const test::TemporaryFolder folder;
        const std::string text(100000, 'x');
        QVERIFY(write_file(folder / "a", text).ok());
        const auto file = MappedFile::open(folder / "a").value();
        MappedFile::drop_from_memory(file->bytes());
        QVERIFY(text_of(file->bytes()) == text);
    }

    void missing_files_and_folders_are_errors_that_name_them() {
        const test::TemporaryFolder folder;
        QVERIFY(MappedFile::open(folder / "missing").message().find("missing") != std::string::npos);
        QVERIFY(!MappedFile::open(folder.path()).ok());
        QVERIFY(!MappedFile::open("/dev/null").ok());
    }
};

QTEST_APPLESS_MAIN(TestMappedFile)
#include "tst_mapped_file.moc"
