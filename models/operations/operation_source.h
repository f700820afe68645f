#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Executes a plan: gives each bus its operations in order, as many ahead as its request queue accepts, first the
// preparation, then, when it is complete, the measured operations; checks every page read against what was programmed
// or copied there, and counts. Owns no clock and no bus. Pages carry their number and how often they were written, as
// the data mode says (models/base/content.h); in mode `none` nothing is checked.

#include "models/base/bytes.h"
#include "models/operations/operation_plan.h"

#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

namespace strobe::operations {

struct OpcodeResult { // of the measured operations of one opcode
    std::uint64_t count = 0;
    std::uint64_t failed = 0;
    std::uint64_t illegal = 0;
    Time latency{}; // sums, from the start of the request and from joining the queue to the end of the response
    Time queued{};
    Time shortest = never; // latency
    Time longest{};
};

class OperationSource {
public:
    struct Config {
        nand::ArrayGeometry array;
        nand::DieGeometry die;
        DataMode dataMode = DataMode::Tags;
        std::optional<std::uint32_t> queueDepth; // of each bus; nothing: it takes all
        std::size_t kept = 0;                    // measured operations to keep, the first ones
    };

    OperationSource(const Config& config, OperationPlan plan);

    // Its record of the pages, for another run on the same dies. restore() throws DamagedBytes.
    // REQUIRES: save() with nothing in progress; restore() before the first operation.
    void save(ByteWriter& file) const;
    void restore(ByteReader& file);

    struct Issue {
        std::uint32_t slot; // to be given back with the finished operation
        nand::Operation op; // its data lives in the slot
    };
    // The next operation of that bus, if its queue accepts one now.
    std::optional<Issue> next(ChannelId channel);
    // The operation has ended, with its outcome and time stamps. REQUIRES: `slot` came with it and has not been given
    // back.
    void finished(std::uint32_t slot, const nand::Operation& op);

    bool isPhaseOver() const { return finishedOfPhase_ == phase().size(); }
    bool isMeasuring() const { return isMeasuring_; }
    void beginMeasuring(Time now); // REQUIRES: isPhaseOver(), and the measured part has not begun

    const OpcodeResult& result(nand::Opcode opcode) const { return results_[static_cast<std::size_t>(opcode)]; }
    Time begin() const { return begin_; } // of what is measured
    Time end() const { return end_; }     // of its last operation so far
    std::uint64_t mismatches() const { return mismatches_; }
    std::uint64_t problems() const; // failed, illegal and mismatched, the preparation's included
    const std::vector<nand::Operation>& kept() const { return kept_; }

private:
    struct Slot {
        std::vector<std::byte> data;
        std::uint32_t version = 0; // that a program writes
        bool isFree = true;
    };
    struct Written { // what a page holds
        std::uint32_t lba = 0;
        std::uint32_t version = 0;
    };

    const std::vector<PlannedOperation>& phase() const { return isMeasuring_ ? plan_.measured : plan_.prepare; }
    void splitByChannel();
    std::uint32_t takeSlot();
    std::uint64_t pageNumber(DieId die, nand::PageAddress address) const;
    void fill(Slot& slot, std::uint32_t lba);
    bool holds(const Slot& slot, const Written* written) const;
    void takeEffect(const Slot& slot, const nand::Operation& op);

    struct Queue {                           // of one bus
        std::vector<std::size_t> operations; // of the phase, by number
        std::size_t next = 0;
        std::uint32_t outstanding = 0;
    };

    Config config_;
    OperationPlan plan_;
    bool isMeasuring_ = false;
    std::vector<Queue> queues_;
    std::size_t finishedOfPhase_ = 0;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> freeSlots_;
    std::uint32_t versions_ = 0;
    std::unordered_map<std::uint64_t, Written> pages_; // by number; absent: blank
    std::array<OpcodeResult, nand::opcodeTable.size()> results_{};
    std::uint64_t mismatches_ = 0;
    std::uint64_t preparationProblems_ = 0;
    Time begin_{};
    Time end_{};
    std::vector<nand::Operation> kept_;
};

} // namespace strobe::operations
