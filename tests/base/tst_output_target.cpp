// SPDX-License-Identifier: GPL-3.0-or-later
//
// Places that output must not go to, and links that it must follow. Pipes and sockets stand for devices.
#include "core/base/atomic_file.h"
#include "core/base/output_target.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace permafrost;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

bool says(const Result<void>& result, const std::string& words) {
    return !result.ok() && result.message().find(words) != std::string::npos;
}

} // namespace

class TestOutputTarget : public QObject {
    Q_OBJECT

  private slots:
    void a_pipe_is_refused_and_stays() {
        const test::TemporaryFolder folder;
        QCOMPARE(mkfifo((folder / "pipe").c_str(), 0600), 0);
        fs::create_symlink("pipe", folder / "link");
        for (const char* name : {"pipe", "link"}) {
            QVERIFY(says(write_file(folder / name, "x"), "it is a pipe; name a file"));
            QVERIFY(says(check_output(folder / name, {}), name));
        }
        QVERIFY(fs::is_fifo(folder / "pipe"));
        QVERIFY(fs::is_symlink(folder / "link"));
        QCOMPARE(names_in(folder.path()).size(), std::size_t{2});
    }

    void a_socket_is_refused_and_stays() {
        const test::TemporaryFolder folder;
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const auto path = (folder / "socket").string();
        QVERIFY(path.size() < sizeof address.sun_path);
        std::strcpy(address.sun_path, path.c_str());
        const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
        QCOMPARE(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        QVERIFY(says(write_file(path, "x"), "it is a socket"));
        QVERIFY(fs::is_socket(path));
        ::close(descriptor);
    }

    void a_link_is_written_through() {
        const test::TemporaryFolder folder, elsewhere;
        QVERIFY(write_file(elsewhere / "real", "old").ok());
        fs::create_symlink(elsewhere / "real", folder / "link");
        QVERIFY(write_file(folder / "link", "new").ok());
        QVERIFY(fs::is_symlink(folder / "link"));
        QCOMPARE(read_text_file(elsewhere / "real").value(), std::string("new"));
        QCOMPARE(names_in(folder.path()), std::vector<std::string>{"link"});
        QCOMPARE(names_in(elsewhere.path()), std::vector<std::string>{"real"});
    }

    void a_dangling_link_is_written_through() {
        const test::TemporaryFolder folder;
        fs::create_directory(folder / "sub");
        fs::create_symlink("sub/second", folder / "first"); // relative to where the link lies
        fs::create_symlink("third", folder / "sub/second");
        QVERIFY(write_file(folder / "first", "new").ok());
        QVERIFY(fs::is_symlink(folder / "first") && fs::is_symlink(folder / "sub/second"));
        QVERIFY(!fs::is_symlink(folder / "sub/third"));
        QCOMPARE(read_text_file(folder / "sub/third").value(), std::string("new"));
    }

    void links_in_a_circle_are_an_error() {
        const test::TemporaryFolder folder;
        fs::create_symlink("b", folder / "a");
        fs::create_symlink("a", folder / "b");
        QVERIFY(says(write_file(folder / "a", "x"), "circle"));
        QVERIFY(fs::is_symlink(folder / "a"));
    }

    void an_input_is_no_output_by_whatever_name() {
        const test::TemporaryFolder folder;
        QVERIFY(write_file(folder / "in", "precious").ok());
        fs::create_hard_link(folder / "in", folder / "hard");
        fs::create_symlink("in", folder / "soft");
        fs::create_symlink(".", folder / "here");
        for (const char* name : {"in", "hard", "soft", "here/in", "./in", "here/here/hard"})
            QVERIFY2(says(check_output(folder / name, {folder / "other", folder / "in"}), "an input"), name);
        QVERIFY(check_output(folder / "out", {folder / "in"}).ok());
        // A name that does not exist yet can be the same too.
        QVERIFY(says(check_output(folder / "here/out", {folder / "out"}), "an input"));
        QCOMPARE(names_in(folder.path()).size(), std::size_t{4});
    }

    void what_cannot_be_written_is_known_before() {
        const test::TemporaryFolder folder;
        QVERIFY(write_file(folder / "file", "x").ok());
        QVERIFY(check_output(folder / "out", {}).ok());
        QVERIFY(!fs::exists(folder / "out"));
        QVERIFY(says(check_output(folder / "none/out", {}), "does not exist; create it first"));
        QVERIFY(says(check_output(folder / "file/out", {}), "check the path"));
        QVERIFY(says(check_output(folder.path(), {}), "it is a folder; name a file"));
        QVERIFY(says(check_output("/proc/x.frost", {}), "/proc takes no new files"));
        QVERIFY(says(check_output(folder / std::string(300, 'n'), {}), "shorter name"));
        QCOMPARE(names_in(folder.path()), std::vector<std::string>{"file"});
    }

    void folders_for_output_are_checked_and_not_made() {
        const test::TemporaryFolder folder;
        QVERIFY(write_file(folder / "file", "x").ok());
        fs::create_directory(folder / "full");
        QVERIFY(write_file(folder / "full/report", "x").ok());
        const auto check = [&](const fs::path& name, const std::vector<fs::path>& inputs = {}) {
            return check_output_folder(folder / name, {folder / name / "report"}, inputs);
        };
        QVERIFY(check("new").ok() && check("new/deep").ok() && check("full").ok() && check("new/").ok());
        QVERIFY(says(check("file"), "is not a folder"));
        QVERIFY(says(check("file/deep"), "is not a folder"));
        QVERIFY(says(check("full", {folder / "full/report"}), "an input"));
        QVERIFY(says(check_output_folder("/proc/masks", {"/proc/masks/report"}, {}), "/proc takes no"));
        QCOMPARE(names_in(folder.path()), (std::vector<std::string>{"file", "full"}));
    }
};

QTEST_APPLESS_MAIN(TestOutputTarget)
#include "tst_output_target.moc"
