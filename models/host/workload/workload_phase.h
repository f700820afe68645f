#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The plan of a run, stepped by the host driver: phases in order, each handing out requests. Owns no clock: the driver
// passes the time since the phase began, and decides when to issue. A phase is the plan of its own job, and has those
// of the jobs beside it. Not modelled here: slots, think time and completions; the driver handles them, from
// config().pacing.
//
//   Workload workload(config, capacitySectors, seed);
//   for (; Phase* phase = workload.current(); workload.advance())
//       while (auto request = phase->next(elapsed)) …   // closed: when a slot is free; open: due at request->arrival;
//                                                       // dependent: due according to TraceDependencies

#include "models/host/request.h"
#include "models/host/workload/workload_config.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace strobe::host {

class Phase {
public:
    // Throws ConfigError if the source cannot be made for a drive of this capacity.
    Phase(const PhaseConfig& config, std::uint64_t capacitySectors, std::uint64_t seed);
    Phase(PhaseConfig config, std::unique_ptr<RequestSource> source); // any other source

    // The next request; nothing, permanently, once the source or a limit is exhausted. `elapsed` is the time since the
    // phase began. arrival: open loop and dependent: since the phase began, scaled; closed loop: zero.
    std::optional<Request> next(Time elapsed);
    bool isCut() const { return isCut_; }
    void cut() { isCut_ = true; } // the source is exhausted; only a closing flush may follow

    const PhaseConfig& config() const { return config_; }
    std::vector<Phase>& concurrentJobs() { return concurrentJobs_; } // the jobs beside this one, in their order
    const std::vector<Phase>& concurrentJobs() const { return concurrentJobs_; }
    bool isOpenLoop() const { return config_.pacing.mode == PacingMode::Open; }
    bool isDependent() const { return config_.pacing.mode == PacingMode::Dependent; }
    bool followsTimes() const { return isOpenLoop() || isDependent(); }
    std::uint64_t issued() const { return issued_; }
    bool isExhausted() const { return exhausted_; }
    std::optional<std::uint64_t> total() const; // requests, if known and no time limit ends it
    const SourceCounts& counts() const { return source_->counts(); }
    std::string describe() const;

private:
    void scaleTimes(Request& request) const;
    Time scaledTime(Time time) const;
    bool endsWithFlush() const { return config_.flush && !config_.measured; }

    PhaseConfig config_;
    std::unique_ptr<RequestSource> source_;
    std::vector<Phase> concurrentJobs_;
    std::int64_t scaleMillionths_;
    std::uint64_t issued_ = 0;
    bool exhausted_ = false;
    bool isCut_ = false;
    bool flushed_ = false; // the closing flush has been returned
    Time lastArrival_{};
};

// All phases with their sources at once, so that a mistake in the last one is found before the first has run. Throws
// WorkloadError with paths like "/phases/1/region/size".
std::vector<Phase> makePhases(const WorkloadConfig& config, std::uint64_t capacitySectors, std::uint64_t seed);

class Workload {
public:
    // As makePhases().
    Workload(const WorkloadConfig& config, std::uint64_t capacitySectors, std::uint64_t seed);

    Phase* current() { return index_ < phases_.size() ? &phases_[index_] : nullptr; } // null: all phases are over
    void advance();
    std::size_t index() const { return index_; }
    std::size_t size() const { return phases_.size(); }
    const Phase& phase(std::size_t index) const { return phases_[index]; } // also past ones: their counts stay

private:
    std::vector<Phase> phases_;
    std::size_t index_ = 0;
};

} // namespace strobe::host
