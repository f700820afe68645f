#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The runs of a study, from the keys "figures" and "axes" of its paper.json:
//
//   "axes": {"ways": [{"name": "1", "set": {"nand.ways": 1}}, …], …}
//   "figures": [{
//       "figure": "3",                      several entries may have the same
//       "name": "Table 3",                  optional: the heading; "Figure 3" otherwise
//       "title": "…",                       optional
//       "kind": "operations",               optional: the scenario's NAND operations, not its workload
//       "seeds": 8,                         optional: each run is made with seeds 1 to 8, and a cell is their mean
//       "samples": 5,                       optional, in place of "seeds": the same with seeds 1 to 5, but a cell is
//                                           what seed 1 gives. Figures that depend on random choices have one of both
//       "image": "superblock_map",          optional: without that image for the RV32 core, the runs are native
//       "set": {…},                         overrides of all its runs
//       "workloads": ["read", {"name": "SLC read", "scenario": "read", "set": {…}, "image": …, "note": …}],
//       "settings": [{"name": "2 units", "set": {…}, "each": {"SLC read": {…}}, "image": …}],
//          or       {"name": "1 x {ways}, {interface}", "axes": ["ways", "interface"]}: every combination, the last
//                   axis fastest; absent: one setting without a name
//       "quantities": ["throughput", {"name": "write rate", "of": "rate", "over seeds": "mean"},       quantities.h
//                      {"name": "reader's p99", "of": "p99", "job": "reader"}]}]         of one job of the measured
//                      phase
//
// Each workload runs with each setting. Overrides apply in this order: workload, figure, settings; "each" has those
// that only one workload gets. A workload or setting with an "image" is left out where that image is not built. "over
// seeds" is "mean" (the default), "first", "least" or "most"; of the former two the cell has its samples, over which
// statements are judged (judge.h). Equal runs are made once.
// Errors: ConfigError with file, JSON place and what is allowed.

#include "platform/reproduce/points.h"
#include "platform/reproduce/quantities.h"
#include "platform/reproduce/study.h"
#include "platform/reproduce/variants.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace strobe::platform {

struct PlannedQuantity {
    enum class OverSeeds { Mean, First, Least, Most };

    std::string name; // of the cells
    ReportQuantity quantity;
    OverSeeds overSeeds = OverSeeds::Mean;
};

struct PlannedRun {
    std::string workload;
    std::string setting;
    std::string note;              // of its cells, or empty
    std::vector<Variant> variants; // one for each seed
};

struct PlannedFigure {
    std::string figure;
    std::string name;
    std::string title;
    std::string note; // special conditions of its runs here, or empty
    std::vector<std::string> workloads;
    std::vector<std::string> settings;
    std::vector<PlannedQuantity> quantities;
    std::vector<PlannedRun> runs; // settings, then workloads
    bool isSampled = false;       // over "samples": the number of seeds may be changed
};

struct PlanFile {
    std::string directory; // with a / at its end: of the scenarios
    std::string name;      // for messages
};

class Plan {
public:
    // `own`: the quantities that this study computes itself. `chosen`: only these figures; empty: all.
    Plan(const nlohmann::json& data, const PlanFile& file, const std::vector<ReportQuantity>& own = {},
         const std::vector<std::string>& chosen = {});

    const std::vector<PlannedFigure>& figures() const { return figures_; } // that were chosen
    Points points() const;                                                 // of all figures, none measured
    // Figures with "samples" run with seeds 1 to `seeds`, whatever the file says. REQUIRES: at least 1.
    void sampleOver(std::size_t seeds);

private:
    std::vector<PlannedFigure> figures_;
    Points points_;
};

struct PlanResult {
    std::vector<StudyCell> cells;
    std::vector<PlannedFigure> figures;  // with all of their runs
    std::vector<std::string> unfinished; // figures without some of their runs, after an interruption
};

// Throws Interrupted if it is interrupted, unless `keepsFinished`.
PlanResult runPlan(Plan plan, const VariantOptions& options, bool keepsFinished = false);

} // namespace strobe::platform
