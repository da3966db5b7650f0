// SPDX-License-Identifier: GPL-3.0-or-later
//
// What leaves the program for other programs. Texts are built by pure functions; export_all() writes them.
#pragma once

#include "core/base/result.h"
#include "core/masks/saturation_maps.h"
#include "core/verdict/decision.h"
#include "core/verdict/quality_gate.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace permafrost::exports {

/// What an export says about itself and a profile does not know.
struct ExportContext {
    std::string profiling_date; ///< "2026-05-17T14:32:45.123456Z"
    verdict::QualityGate gate = {};
};

/// UTC time of a file's last change in the manifest's format: profiles carry no date of their own, since
/// equal runs give equal bytes. Empty if the file is not there.
std::string modification_date(const std::filesystem::path& path);
/// The same of now, for a profile that is not in a file.
std::string present_date();

/// saturation-report.csv: the seeds' columns layer,neurons,saturated_pct,avg_var_gate,avg_var_up,speedup and
/// ours after them.
std::string report_csv(const profile::Profile& profile, const verdict::Decision& decision);
/// The console table: the seeds' columns, then summary, depth bands, trend and verdict.
std::string report_table(const profile::Profile& profile, const verdict::Decision& decision,
                         const verdict::QualityGate& gate = {});
/// saturation-manifest.json: the seeds' keys and string formats; ours under new keys.
std::string manifest_json(const profile::Profile& profile, const verdict::Decision& decision,
                          const ExportContext& context);
/// saturation-maps.rs: a function that builds the seeds' SaturationMaps.
std::string rust_source(const profile::Profile& profile, const verdict::Decision& decision,
                        const ExportContext& context);
/// Name of that function: the first word of the model's name as a Rust identifier, so that "phi3-mini" gives
/// the seeds' phi3_saturation_maps.
std::string rust_function_name(const std::string& model_name);
/// The masks of the profiled layers with all that is known of them.
masks::SaturationMaps saturation_maps(const profile::Profile& profile, const verdict::Decision& decision,
                                      const ExportContext& context);
/// What serde_json writes for the seeds' SaturationMaps, layers in order. Its `stats` is empty: the seeds
/// name the elements' type but not its fields; the manifest has the layers' figures.
std::string saturation_maps_json(const profile::Profile& profile, const verdict::Decision& decision,
                                 const ExportContext& context);
/// profile::cliff_score() of the profiled layers that have one, with the layer's share of inactive tokens.
std::map<std::uint32_t, double> cliff_scores(const profile::Profile& profile,
                                             const verdict::Decision& decision);
/// A file name without its ending, from the model's name ("SmolLM2-135M-Instruct").
std::string file_stem(const std::string& model_name);

/// What export_all() writes, in its order.
std::vector<std::filesystem::path> export_paths(const std::string& model_name,
                                                const std::filesystem::path& folder);

/// Writes saturation-manifest.json, saturation-maps.rs, saturation-report.csv and MODEL.rknot (header with
/// saturation_maps, no tensors) into `folder`, which is created if missing. Either all are written or none is
/// replaced. Returns the paths. Errors: the folder or disk.
Result<std::vector<std::filesystem::path>> export_all(const profile::Profile& profile,
                                                      const verdict::Decision& decision,
                                                      const ExportContext& context,
                                                      const std::filesystem::path& folder);

/// One row a neuron: contract's columns neuron,count,mean,…,frozen,reason. Floats are printed so that they
/// read back to the same float; low_activity is a share, frozen is 0 or 1, reason is quoted. Rule and
/// `included` as masks::explain() takes them.
std::string neurons_csv(const profile::LayerProfile& layer, const masks::LayerMask& mask,
                        const masks::FreezeRule& rule, bool included = true);

} // namespace permafrost::exports
