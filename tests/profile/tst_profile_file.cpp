// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/profile/layer_tensors.h"
#include "core/profile/profile_file.h"
#include "tests/support/synthetic_profile.h"
#include "tests/support/temporary_folder.h"

#include <QProcess>
#include <QtTest>

#include <algorithm>
#include <fstream>
#include <random>

using namespace permafrost;
using namespace permafrost::profile;

namespace {

std::string bytes_in(const std::filesystem::path& path) { return read_text_file(path).value(); }

void put(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// The file with `from` in its header replaced by `to` of the same length.
std::string edited(std::string bytes, const std::string& from, const std::string& to) {
    const auto at = bytes.find(from);
    Q_ASSERT(at != std::string::npos && from.size() == to.size());
    return bytes.replace(at, to.size(), to);
}

bool says(const std::filesystem::path& path, const std::string& words) {
    const auto profile = read_profile(path);
    const bool found = !profile.ok() && profile.message().find(words) != std::string::npos;
    if (!found) qWarning("expected \"%s\" in: %s", words.c_str(), profile.message().c_str());
    return found;
}

/// A Python that has numpy and safetensors, or an empty string.
QString python_with_safetensors() {
    for (const auto& python : {qEnvironmentVariable("PERMAFROST_PYTHON"), QString("python3")}) {
        if (python.isEmpty()) continue;
        QProcess probe;
        probe.start(python, {"-c", "import numpy, safetensors"});
        if (probe.waitForStarted() && probe.waitForFinished(60000) && probe.exitCode() == 0) return python;
    }
    return {};
}

constexpr const char* python_reader = R"(
import sys, numpy
from safetensors import safe_open
f = safe_open(sys.argv[1], "numpy")
print(f.metadata()["format"], f.metadata()["model_name"])
for name in sorted(f.keys()):
    t = f.get_tensor(name)
    print(name, t.dtype, list(t.shape))
s = f.get_tensor("layer.1.sum_squares")
low, high = s.view(numpy.uint64)[:, 0], s[:, 1]
print([(int(h) << 64) + int(l) for l, h in zip(low, high)][:3])
)";

std::string decimal(Int128 value) {
    if (value < 0) return "-" + decimal(-value);
    const auto digit = static_cast<char>('0' + static_cast<int>(value % 10));
    return value < 10 ? std::string(1, digit) : decimal(value / 10) + digit;
}

} // namespace

class TestProfileFile : public QObject {
    Q_OBJECT

  private slots:
    void what_is_written_is_read_back() {
        auto profile = std::make_shared<Profile>(*test::synthetic_profile(3, 37, 1));
        profile->info.model_name = "a \"name\" with \\ and é";
        profile->info.domain_tokens = {{"code", 4000}, {"prose", 96}};
        profile->info.ffn_weight_share = 0.1 + 0.2;
        profile->info.non_finite = {{2, 36, 7}, {0, 1, 9}};
        QVERIFY(write_profile(*profile, file()).ok());
        const auto read = read_profile(file());
        QVERIFY2(read.ok(), read.message().c_str());
        const auto& info = read.value()->info;
        QCOMPARE(info.model_name, profile->info.model_name);
        QCOMPARE(info.intermediate, profile->info.intermediate);
        QCOMPARE(info.ffn_weight_share, profile->info.ffn_weight_share);
        QVERIFY(info.domain_tokens == profile->info.domain_tokens);
        QCOMPARE(info.non_finite.size(), std::size_t{2});
        QCOMPARE(info.non_finite[1].sequence, std::uint64_t{9});
        QCOMPARE(info.tokens, profile->info.tokens);
        QVERIFY(read.value()->complete());
        for (std::size_t layer = 0; layer < 3; ++layer) {
            const auto left = layer_bytes(profile->layers[layer]->statistics());
            const auto right = layer_bytes(read.value()->layers[layer]->statistics());
            for (std::size_t i = 0; i < left.size(); ++i)
                QVERIFY(std::equal(left[i].begin(), left[i].end(), right[i].begin(), right[i].end()));
        }
    }

    void the_hash_is_that_of_the_bytes() {
        const auto hash = write_profile(*test::synthetic_profile(2, 9, 2), file());
        QCOMPARE(hash.value(), sha256_hex(bytes_of(bytes_in(file()))));
    }

    void equal_profiles_have_equal_bytes() {
        QVERIFY(write_profile(*test::synthetic_profile(2, 33, 3), file()).ok());
        const std::string first = bytes_in(file());
        QVERIFY(write_profile(*read_profile(file()).value(), file()).ok());
        QVERIFY(bytes_in(file()) == first);
        QVERIFY(write_profile(*test::synthetic_profile(2, 33, 4), file()).ok());
        QVERIFY(bytes_in(file()) != first);
    }

    void an_unfinished_profile_can_be_kept() {
        auto profile = std::make_shared<Profile>(*test::synthetic_profile(3, 8, 5));
        profile->layers[2] = nullptr;
        profile->info.tiles = 7;
        profile->info.tiles_done = {true, false, true, true, false, false, true};
        QVERIFY(write_profile(*profile, file()).ok());
        const auto read = read_profile(file()).value();
        QVERIFY(read->info.tiles_done == profile->info.tiles_done);
        QVERIFY(!read->info.complete());
        QVERIFY(read->layers[1] && !read->layers[2]);
    }

    void layers_of_other_widths_keep_them() {
        auto profile = std::make_shared<Profile>(*test::synthetic_profile(2, 8, 6));
        profile->layers[1] = test::synthetic_profile(1, 5, 7)->layers[0];
        profile->info.intermediate = {8, 5};
        QVERIFY(write_profile(*profile, file()).ok());
        QCOMPARE(read_profile(file()).value()->layers[1]->neurons(), 5u);
    }

    void any_safetensors_reader_opens_it() {
        const auto python = python_with_safetensors();
        if (python.isEmpty()) QSKIP("no Python with numpy and safetensors");
        const auto profile = test::synthetic_profile(2, 5, 8);
        QVERIFY(write_profile(*profile, file()).ok());
        QProcess process;
        process.start(python, {"-c", python_reader, QString::fromStdString(file().string())});
        QVERIFY(process.waitForFinished(60000));
        const auto lines = QString(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QCOMPARE(lines.first(), QString("permafrost.profile random statistics"));
        QVERIFY(lines.contains("layer.0.below uint32 [49, 5]"));
        QVERIFY(lines.contains("layer.1.sum int64 [5, 2]"));
        QVERIFY(lines.contains("layer.1.minimum float32 [5]"));
        QCOMPARE(lines.size(), 1 + 2 * 17 + 1);
        const auto& sums = profile->layers[1]->statistics().sum_squares;
        QCOMPARE(lines.last().toStdString(),
                 "[" + decimal(sums[0]) + ", " + decimal(sums[1]) + ", " + decimal(sums[2]) + "]");
    }

    void a_missing_file_is_named() { QVERIFY(says(folder_ / "absent.frost", "absent.frost")); }

    void files_of_other_kinds_are_refused() {
        put(file(), "");
        QVERIFY(says(file(), "not a Permafrost profile"));
        put(file(), "GGUF and then some text that is long enough");
        QVERIFY(says(file(), "not a Permafrost profile"));
        put(file(), std::string("\2\0\0\0\0\0\0\0{}", 10));
        QVERIFY(says(file(), "not a Permafrost profile"));
    }

    void truncated_files_are_refused_wherever_they_end() {
        const std::string whole = sample();
        for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
            put(file(), whole.substr(0, size));
            QVERIFY(!read_profile(file()).ok());
        }
        put(file(), whole.substr(0, whole.size() - 1));
        QVERIFY(says(file(), "truncated"));
        put(file(), whole + "x");
        QVERIFY(says(file(), "after its last tensor"));
    }

    void a_newer_schema_says_so() {
        put(file(), edited(sample(), R"("schema":"1")", R"("schema":"2")"));
        QVERIFY(says(file(), "schema"));
    }

    void lying_tensors_are_refused() {
        put(file(), edited(sample(), R"("layer.0.down_norm")", R"("layer.0.down_nor_")"));
        QVERIFY(says(file(), "layer.0.down_norm is missing"));
        put(file(), edited(sample(), R"("dtype":"F32")", R"("dtype":"I32")"));
        QVERIFY(says(file(), "another type or shape"));
        put(file(), edited(sample(), R"("shape":[49,9])", R"("shape":[9,49])"));
        QVERIFY(says(file(), "another type or shape"));
        put(file(), edited(sample(), R"("data_offsets":[8,16])", R"("data_offsets":[0,16])"));
        QVERIFY(says(file(), "overlap"));
        put(file(), edited(sample(), R"("intermediate":"[9,9]")", R"("intermediate":"[9,8]")"));
        QVERIFY(says(file(), "another type or shape"));
    }

    void lying_metadata_is_refused() {
        put(file(), edited(sample(), R"("layers":"2")", R"("layers":"9")"));
        QVERIFY(says(file(), "intermediate"));
        put(file(), edited(sample(), R"("tiles_done":"[[0,0]]")", R"("tiles_done":"[[0,5]]")"));
        QVERIFY(says(file(), "tiles_done"));
        put(file(), edited(sample(), R"("tokens":"4096")", R"("tokens":"4o96")"));
        QVERIFY(says(file(), "tokens"));
    }

    void counts_that_contradict_one_another_are_refused() {
        auto statistics = test::synthetic_profile(1, 9, 9)->layers[0]->statistics();
        statistics.below[48 * 9] = static_cast<std::uint32_t>(statistics.tokens) + 1;
        auto profile = std::make_shared<Profile>(*test::synthetic_profile(1, 9, 9));
        profile->layers[0] = std::make_shared<const LayerProfile>(statistics);
        QVERIFY(write_profile(*profile, file()).ok());
        QVERIFY(says(file(), "layer 0"));
    }

    void damaged_bytes_never_crash() {
        const std::string whole = sample();
        std::mt19937 random(1);
        for (int round = 0; round < 1500; ++round) {
            std::string bytes = whole;
            const std::size_t header = 8 + 2000;
            for (int flips = 0; flips < 3; ++flips) bytes[random() % header] = static_cast<char>(random());
            put(file(), bytes);
            (void)read_profile(file());
        }
    }

    void an_unwritable_target_is_an_error_and_leaves_nothing() {
        QVERIFY(!write_profile(*test::synthetic_profile(1, 4, 1), folder_ / "no" / "folder.frost").ok());
    }

  private:
    std::filesystem::path file() const { return folder_ / "profile.frost"; }
    std::string sample() {
        if (sample_.empty()) {
            if (!write_profile(*test::synthetic_profile(2, 9, 1), file()).ok()) qFatal("cannot write");
            sample_ = bytes_in(file());
        }
        return sample_;
    }

    test::TemporaryFolder folder_;
    std::string sample_;
};

QTEST_APPLESS_MAIN(TestProfileFile)
#include "tst_profile_file.moc"
