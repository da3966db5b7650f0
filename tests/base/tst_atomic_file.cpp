// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <csignal>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace permafrost;

namespace {

std::string content_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

int files_in(const std::filesystem::path& folder) {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// While it lives no file may grow beyond `bytes`: a write that a full disk would refuse fails likewise.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    void (*handler_)(int);
    rlimit before_{};
};

} // namespace

class TestAtomicFile : public QObject {
    Q_OBJECT

  private slots:
    void the_target_appears_with_commit() {
        const test::TemporaryFolder folder;
        const auto target = folder / "a.txt";
        auto file = AtomicFile::create(target);
        QVERIFY(file.ok());
        QVERIFY(file->write("one ").ok());
        QVERIFY(file->write("two").ok());
        QCOMPARE(file->size(), std::uint64_t{7});
        QVERIFY(!std::filesystem::exists(target));
        QVERIFY(file->commit().ok());
        QCOMPARE(content_of(target), std::string("one two"));
        QCOMPARE(files_in(folder.path()), 1);
    }

    void without_commit_nothing_is_left() {
        const test::TemporaryFolder folder;
        {
            auto file = AtomicFile::create(folder / "a.txt");
            QVERIFY(file.ok());
            QVERIFY(file->write("lost").ok());
            QCOMPARE(files_in(folder.path()), 1);
        }
        QCOMPARE(files_in(folder.path()), 0);
    }

    void without_commit_the_old_file_stays() {
        const test::TemporaryFolder folder;
        const auto target = folder / "a.txt";
        QVERIFY(write_file(target, "old").ok());
        {
            auto file = AtomicFile::create(target);
            QVERIFY(file->write("new").ok());
        }
        QCOMPARE(content_of(target), std::string("old"));
        QCOMPARE(files_in(folder.path()), 1);
    }

    void commit_replaces_the_old_file() {
        const test::TemporaryFolder folder;
        const auto target = folder / "a.txt";
        QVERIFY(write_file(target, "a long old text").ok());
        QVERIFY(write_file(target, "new").ok());
        QCOMPARE(content_of(target), std::string("new"));
    }

    void a_header_can_be_filled_in_at_the_end() {
        const test::TemporaryFolder folder;
        const auto target = folder / "a.bin";
        auto file = AtomicFile::create(target);
        QVERIFY(file->write("????body").ok());
        QVERIFY(file->overwrite(0, bytes_of("head")).ok());
        QVERIFY(file->write("!").ok());
        QVERIFY(file->commit().ok());
        QCOMPARE(content_of(target), std::string("headbody!"));
    }

    void a_moved_file_is_committed_once() {
        const test::TemporaryFolder folder;
        auto file = AtomicFile::create(folder / "a.txt");
        QVERIFY(file->write("x").ok());
        AtomicFile moved = std::move(file).value();
        QVERIFY(moved.commit().ok());
        QCOMPARE(content_of(folder / "a.txt"), std::string("x"));
    }

    void the_file_can_be_read_as_the_umask_says() {
        const test::TemporaryFolder folder;
        const auto mask = umask(022);
        const bool written = write_file(folder / "a.txt", "x").ok();
        umask(mask);
        QVERIFY(written);
        struct stat status {};
        QCOMPARE(stat((folder / "a.txt").c_str(), &status), 0);
        QCOMPARE(static_cast<unsigned>(status.st_mode & 0777), 0644u);
    }

    void a_missing_folder_is_named() {
        const test::TemporaryFolder folder;
        const auto file = AtomicFile::create(folder / "missing/a.txt");
        QVERIFY(!file.ok());
        QVERIFY(file.message().find("missing/a.txt") != std::string::npos);
    }

    void a_folder_is_no_target() {
        const test::TemporaryFolder folder;
        QVERIFY(!AtomicFile::create(folder.path()).ok());
    }

    void a_full_disk_is_an_error_and_leaves_the_old_file() {
        const test::TemporaryFolder folder;
        const auto target = folder / "a.bin";
        QVERIFY(write_file(target, "old").ok());
        Result<void> written;
        {
            const FileSizeLimit limit(4096);
            written = write_file(target, std::string(10000, 'x'));
        }
        QVERIFY(!written.ok());
        QVERIFY(written.message().find(target.string()) != std::string::npos);
        QCOMPARE(content_of(target), std::string("old"));
        QCOMPARE(files_in(folder.path()), 1);
    }

    void a_text_above_the_limit_is_refused() {
        const test::TemporaryFolder folder;
        const auto path = folder / "a.txt";
        QVERIFY(write_file(path, "12345").ok());
        QCOMPARE(read_text_file(path, 5).value(), std::string("12345"));
        QVERIFY(!read_text_file(path, 4).ok());
        QVERIFY(!read_text_file(folder / "missing").ok());
    }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"
