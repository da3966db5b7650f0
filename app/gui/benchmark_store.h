// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timings are kept in the program's data folder, a file for each model and machine, beside what was evaluated of quality. Not for the
// GUI thread.
#pragma once

#include "core/base/result.h"
#include "widgets/benchmark_result.h"

namespace permafrost::gui {

/// Which model, and on which machine.
struct BenchmarkSubject {
    std::string model_sha256; ///< ModelFile::header_sha256()
    std::string processor;
    std::size_t processors = 1;
};
/// The model on this machine.
BenchmarkSubject subject_of(const std::string& model_sha256);

/// What was timed; no rows when nothing was, or when the file is damaged (it is replaced then).
widgets::BenchmarkResults read_timings(const BenchmarkSubject& subject);

/// Adds to what is kept, and gives all of it back. Errors: the file cannot be written.
Result<widgets::BenchmarkResults> keep_timings(const BenchmarkSubject& subject, double ffn_share,
                                               const std::vector<widgets::BenchmarkRow>& news);

} // namespace permafrost::gui
