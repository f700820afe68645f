#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Raw bit errors of one die whose part has an error model (error_model.h): how long the data of each block has been
// stored, reads of each block since its erase, the read references that SET FEATURES has chosen, and the draws.
// Data that the die was seen to program ages with simulated time. All other data (functional preconditioning, a
// contents file) counts as stored before the run: Aging::storedHours and Aging::storedReads. Simulated time counts at
// the reference temperature. Errors are drawn anew for each read; the worst codeword decides. Not modelled: ages of
// single pages (a block is as old as its first program), ages and reads in contents files.

#include "models/base/rng.h"
#include "models/base/statistics.h"
#include "models/nand/error_model.h"
#include "models/nand/operation.h"
#include "models/nand/part.h"
#include "models/nand/wear.h"

#include <cstdint>
#include <vector>

namespace strobe::nand {

struct CellErrorCounters {
    std::uint64_t featureSets = 0; // SET FEATURES that changed the read references
    std::uint64_t softSenses = 0;

    void declare(Statistics& stats)
    {
        stats.add("set_features", Unit::Count, "changes of the read references by SET FEATURES", featureSets);
        stats.add("soft_senses", Unit::Count, "senses of soft reads", softSenses);
    }
};

// The state of the blocks, of one die or of several.
struct ReadDisturb {
    std::uint64_t mostReads = 0; // of a block since its erase
    std::uint64_t toReclaim = 0; // blocks that have reached the part's reclaim threshold

    void declare(Statistics& stats)
    {
        stats.add("most_block_reads", Unit::Count, "most array reads of a block since its erase", mostReads,
                  Merge::Maximum);
        stats.add("blocks_to_reclaim", Unit::Count,
                  "blocks whose reads have reached the threshold of the part (reclaimReads)", toReclaim);
    }
};

class CellErrors {
public:
    // `part` must outlive this object. REQUIRES: part.errors.isOn()
    CellErrors(const Part& part, const Aging& aging, const Rng& draws);

    double before() const { return aging_.before; } // normalised wear when the die is made

    // Simulated time of the commands that follow; without it their programs count as stored before the run.
    void enterTime(Time now)
    {
        now_ = now;
        hasTime_ = true;
    }
    void leaveTime() { hasTime_ = false; }

    void programmed(std::uint32_t block);
    void erased(std::uint32_t block) { blocks_[block] = {}; }
    void sensed(std::uint32_t block); // one array read
    // Raw bit errors in the worst codeword of `sectors` sectors of a page. REQUIRES: sectors > 0.
    std::uint32_t errors(PageAddress page, std::uint32_t sectors, double cycles, std::uint32_t option,
                         bool isPslc = false);
    double rate(PageAddress page, double cycles, std::uint32_t option, bool isPslc = false);

    // Feature 89h: the entry of the retry table that applies from now on. It stays until it is set again or power is
    // lost.
    std::uint32_t option() const { return option_; }
    void setOption(std::uint32_t option)
    {
        option_ = option;
        ++counters_.featureSets;
    }
    void countSoftSense() { ++counters_.softSenses; }

    void powerOff(Time at); // the clock starts again

    const CellErrorCounters& counters() const { return counters_; }
    ReadDisturb disturb() const;
    void resetCounters() { counters_ = {}; }

private:
    struct Block {
        Time since{};     // of `hours`
        double hours = 0; // age of the data at that time
        std::uint32_t reads = 0;
        bool isDated = false; // else: stored before the run
    };

    Block& dated(std::uint32_t block);
    double variation(PageAddress page, bool isPslc) const;

    const Part& part_;
    Aging aging_;
    std::uint64_t key_; // of the process variation
    Rng draws_;
    std::vector<Block> blocks_;
    std::uint32_t option_ = 0;
    Time now_{};
    bool hasTime_ = false;
    CellErrorCounters counters_;
};

} // namespace strobe::nand
