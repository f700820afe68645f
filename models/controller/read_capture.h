#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Read capture of a flash controller, for interfaces without a data strobe: a data-out clock that is a divided fast
// clock, and the sampling position of its bytes, both set by firmware for each die (regs::flash::DIE_CAPTURE,
// PATTERN_SETTING). A sample lies coarse + fine / fineSteps cycles of the fast clock after the edge that requests the
// byte. Divider 0 is the interface's base clock (CLK_R), sampled according to eq. 6.
//
// The sampled value depends on the die's data valid window at that time (models/channel/output_timing.h): outside it,
// or close to its ends, bits are wrong. For page data the number of wrong bits in the worst codeword is added to
// nand::Operation::bitErrors, for ECC; in identification bytes the bits themselves are wrong.
// Owns no clock and does not judge settings. Wrong bits of the spare record are not modelled (it has
// its own code), nor of status bytes, which always come at the base clock.

#include "models/base/ids.h"
#include "models/base/rng.h"
#include "models/base/statistics.h"
#include "models/channel/die_environment.h"
#include "models/channel/output_timing.h"
#include "models/nand/operation.h"

#include <cstdint>

namespace strobe::controller {

struct ReadCaptureConfig {
    std::uint32_t dies = 1;
    nand::OutputParameters output;
    channel::ElectricalParameters electrical;
    channel::DieEnvironment environment;
    nand::Corner corner = nand::Corner::Typical;
    Time baseCycle{};                    // of data out
    Time fastClock = picoseconds(2'500); // period
    std::uint32_t idBytes = 0;           // of READ ID
    std::uint32_t codewordBytes = 1024;  // of ECC
    Time drift{};                        // failure injection: page data is sampled so much later than is set
    std::uint64_t seed = 1;              // of the dies' spread, and of wrong bits
};

class ReadCapture {
public:
    static constexpr std::uint32_t fineSteps = 8;
    static constexpr std::uint32_t maxDividers = 255; // registers have eight bits

    struct Setting {
        std::uint32_t divider = 0;
        std::uint32_t coarse = 0;
        std::uint32_t fine = 0;
    };
    struct Counters {
        std::uint64_t patternReads = 0;
        std::uint64_t pagesWithErrors = 0; // page reads of which a sample took wrong bits
        std::uint64_t wrongBits = 0;       // in the worst codeword of each

        void declare(Statistics& stats)
        {
            stats.add("pattern_reads", Unit::Count, "reads of the calibration pattern", patternReads);
            stats.add("pages_with_errors", Unit::Count, "page reads of which a sample took wrong bits",
                      pagesWithErrors);
            stats.add("wrong_bits", Unit::Count, "wrong bits in the worst codeword of each such page", wrongBits);
        }
    };
    struct Die {
        double factor = 1;
        Setting setting;
        std::uint32_t margin = 0;       // fine steps, as firmware reports
        std::uint32_t calibrations = 0; // times that the setting was written
        Time learnt{};                  // the pattern was read, and with it a calibration has begun
        Time took{};                    // calibrations, all of them
        Time longest{};
    };

    explicit ReadCapture(const ReadCaptureConfig& config);

    // Highest divider that is still faster than the base clock, and coarse offsets that cover any window.
    std::uint32_t dividers() const { return dividers_; }
    std::uint32_t coarseOffsets() const { return coarseOffsets_; }

    void set(DieId die, const Setting& setting, std::uint32_t margin, Time now);
    // The clock of the operation: a page read takes its die's, a pattern read that of PATTERN_SETTING.
    void assign(nand::Operation& op) const { assign(op, dies_[op.die].setting); }
    void assign(nand::Operation& op, const Setting& setting) const;
    // Data has arrived at `now`: applies the sampling errors.
    void arrive(nand::Operation& op, Time now);

    // Pattern reads. `learn`: the answer is the pattern.
    void patternSent(DieId die, bool learn, Time now);
    std::uint32_t patternBits() const { return patternBits_; } // compared; 0: the die gave no answer
    std::uint32_t mismatches() const { return mismatches_; }
    void patternArrived(const nand::Operation& op, bool learn);

    std::int32_t celsius(Time now) const { return config_.environment.celsiusAt(now); }
    Time nextChange(Time after) const { return config_.environment.nextChange(after); }
    // For an observer.
    Time cycleOf(const Setting& setting) const;
    Time sampleOf(const Setting& setting) const;
    channel::OutputWindow window(DieId die, Time cycle, Time now) const;
    const Die& die(DieId die) const { return dies_[die]; }
    const Counters& counters() const { return counters_; }
    const ReadCaptureConfig& config() const { return config_; }

private:
    void addErrors(nand::Operation& op, double probability);
    void corruptId(nand::Operation& op, double probability);

    ReadCaptureConfig config_;
    IdVector<DieId, Die> dies_;
    std::uint32_t dividers_ = 0;
    std::uint32_t coarseOffsets_ = 0;
    Rng draws_;
    nand::Spare pattern_{};
    std::uint32_t patternBits_ = 0;
    std::uint32_t mismatches_ = 0;
    Counters counters_;
};

} // namespace strobe::controller
