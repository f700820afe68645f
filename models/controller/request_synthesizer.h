#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The foreground request synthesizer (Hydra, section 3): turns a host read into descriptors of the foreground unit
// without firmware, from two tables that firmware keeps in control memory (SYNTH_MAP, SYNTH_BUFFERED; two words per
// logical superblock). Sectors that are buffered are found by the descriptor's sector table. A read that leaves the
// tables, or meets a superblock that is not mapped or left to firmware, is handed back whole.
// Time: one burst of four bytes per word, in sequence; contents as of the arrival of the read.
// STARTED and ENDED count reads, ENDED in order, so that firmware can determine when entries that it removed from the
// tables are no longer in use. Owns no clock. Not modelled: a cache of the tables.

#include "models/base/statistics.h"
#include "models/controller/descriptor.h"
#include "models/controller/ports.h"

#include <deque>
#include <optional>
#include <vector>

namespace strobe::controller {

struct SynthesizerCounters {
    std::uint64_t reads = 0;
    std::uint64_t handedBack = 0; // of these, to firmware
    std::uint64_t failed = 0;     // of these, completed with an error

    void declare(Statistics& stats)
    {
        stats.add("synthesized_reads", Unit::Count, "host reads taken by the request synthesizer", reads);
        stats.add("synthesized_reads_handed_back", Unit::Count, "of these, handed back to firmware", handedBack);
        stats.add("synthesized_reads_failed", Unit::Count, "of these, completed with an error", failed);
    }
};

class RequestSynthesizer {
public:
    struct Tables {
        std::uint32_t superblocks = 0;
        BusAddress map{};
        BusAddress buffered{};
    };
    struct Read {
        std::uint16_t slot = 0;
        std::vector<FlashDescriptor> descriptors; // empty: handed back
        std::size_t open = 0;                     // not retired
        bool hasFailed = false;
        bool isOver = false;
    };

    RequestSynthesizer(const SuperchipMap& map, FlashDmaPort& memory, const memory::Region& dataBuffer)
        : map_(map), memory_(memory), dataBuffer_(dataBuffer)
    {
    }

    // Whether the tables contain all superblocks of the read; if not, the synthesizer does not take it.
    bool covers(const Tables& tables, std::uint64_t lba, std::uint32_t sectors) const;
    // Looks the read up; returns the time at which the result is known. REQUIRES: covers().
    Time lookUp(const Tables& tables, std::uint16_t slot, std::uint64_t lba, std::uint32_t sectors, Time now);
    // By number, counted from the first one on. The cookie of its descriptors is the number. REQUIRES: not ended.
    Read& read(std::uint32_t number) { return reads_[number - ended_]; }
    struct Ended {
        std::uint16_t slot = 0;
        bool hasFailed = false;
    };
    // A descriptor has retired, or, without any, the read has been handed back. Nothing: the read has not ended.
    std::optional<Ended> retire(std::uint32_t number, bool isOk);

    std::uint32_t started() const { return started_; }
    std::uint32_t ended() const { return ended_; }
    const SynthesizerCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }

private:
    struct Word {
        std::uint32_t value = 0;
        Moved moved;
    };
    Word fetch(BusAddress table, std::uint32_t superblock, Time at);

    const SuperchipMap& map_;
    FlashDmaPort& memory_;
    memory::Region dataBuffer_;
    std::deque<Read> reads_; // from the oldest that has not ended
    std::uint32_t started_ = 0;
    std::uint32_t ended_ = 0;
    SynthesizerCounters counters_;
};

} // namespace strobe::controller
