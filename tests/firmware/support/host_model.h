#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host that writes versions and keeps, for each sector, the versions that a read may return: the last version
// acknowledged, or one whose write overlaps in time with it or with the read. Once a read alone in time has returned
// one of several, only that one is left. A trim writes "zero" to each whole page inside its range. A sector whose page
// the drive has declared lost (a read failed with "uncorrectable") may fail until it is written again; then nothing is
// expected of its data. Power loss: what was acknowledged before a flush was issued that was acknowledged, or by FUA,
// is durable. Afterwards a sector may hold any version that is not older than the durable one; the host reads
// everything back before it continues, and the versions found are the state from then on.

#include "tests/firmware/support/mock_drive.h"

#include <cstdint>
#include <vector>

namespace strobe::test {

struct WorkloadMix { // in percent; the rest are writes
    std::uint32_t reads = 45;
    std::uint32_t trims = 3;
    std::uint32_t flushes = 2;
    std::uint32_t fua = 5;      // of the writes
    std::uint32_t aligned = 50; // of reads and writes: whole pages
    std::uint32_t hot = 60;     // of reads and writes: in the first eighth of the drive
    std::uint32_t handles = 0;  // no share: placement handles of the writes, one of them at random
};

class HostModel : public MockHost {
public:
    HostModel(std::uint32_t slots, std::uint32_t sectorsPerPage, std::uint64_t seed);

    // The commands: `commands` random ones, then a flush and a read of the whole drive.
    void random(std::uint64_t commands, WorkloadMix mix) { commands_ = commands, mix_ = mix; }
    // Or exactly these, in order, each when the previous one is completed.
    void script(std::vector<HostCommand> commands) { script_ = std::move(commands); }
    void atOnce() { oneByOne_ = false; } // scripted commands need not wait for each other

    std::uint64_t capacity() const { return capacity_; }
    std::uint64_t completedCommands() const { return completedCommands_; }
    std::uint64_t failures(HostStatus status) const { return byStatus_[static_cast<std::size_t>(status)]; }
    std::uint64_t sectorsWritten() const { return sectorsWritten_; }
    const std::vector<HostStatus>& statuses() const { return statuses_; }    // of scripted commands, as they ended
    const std::vector<std::uint32_t>& lastRead() const { return lastRead_; } // versions of the last read command
    bool toleratesLoss = false;                                              // "uncorrectable" is an answer
    bool toleratesFaults = false;                                            // "device fault" is an answer
    bool verifiesAtEnd = true;
    bool writesAreDurable = false;                       // the drive completes them in flash
    bool isProtected = false;                            // the drive saves its buffer: writes and trims are durable
    std::uint64_t reverted() const { return reverted_; } // acknowledged versions that a power loss was allowed to take

    void driveReady(std::uint64_t capacity) override;
    bool issue(std::uint32_t slot, HostCommand& command) override;
    SectorTag written(std::uint32_t slot, std::uint32_t sector) override;
    void read(std::uint32_t slot, std::uint32_t sector, SectorTag tag) override;
    void completed(std::uint32_t slot, HostStatus status) override;
    bool finished() const override;
    void powerLost() override;

private:
    struct Candidate {
        std::uint32_t version;
        std::uint64_t issued, completed; // logical times; completed 0: not yet
        std::uint64_t removed;           // 0: still possible
    };
    struct Past { // versions that a power loss may leave
        std::uint32_t version;
        std::uint64_t issued, completed;
        bool durable;
    };
    struct Active {
        HostCommand command;
        std::uint32_t version = 0;
        std::uint64_t issued = 0;
        std::vector<bool> seen; // sectors that were transferred
        std::vector<std::uint32_t> versions;
    };

    bool next(HostCommand& command);
    HostCommand randomCommand();
    bool verifyNext(HostCommand& command);
    void expectZeroOf(Active& active);
    void add(std::uint64_t lba, std::uint32_t version, std::uint64_t issued);
    void settle(std::uint64_t lba, std::uint32_t version, std::uint64_t issued, bool failed);
    void remember(std::uint64_t lba, const Active& active);
    void makeDurable(std::uint64_t before);
    static void forgetOlder(std::vector<Past>& past);
    void checkRead(const Active& active);
    void checkSector(std::uint64_t lba, std::uint32_t version, const Active& active);

    std::uint32_t sectorsPerPage_;
    Rng rng_;
    std::vector<Active> active_;
    std::vector<bool> isActive_;
    std::uint32_t outstanding_ = 0;
    std::vector<std::vector<Candidate>> sectors_;
    std::vector<std::vector<Past>> past_;
    std::vector<std::uint32_t> acknowledged_; // power loss: the last version acknowledged before
    bool readsBack_ = false;
    std::uint64_t readBack_ = 0;
    std::uint64_t reverted_ = 0;
    std::uint64_t capacity_ = 0;
    std::uint64_t clock_ = 0;
    std::uint32_t nextVersion_ = 1;
    std::uint64_t commands_ = 0, issued_ = 0, verified_ = 0, completedCommands_ = 0, sectorsWritten_ = 0;
    bool flushedAtEnd_ = false;
    WorkloadMix mix_;
    std::vector<HostCommand> script_;
    bool oneByOne_ = true;
    std::vector<HostStatus> statuses_;
    std::vector<std::uint32_t> lastRead_;
    std::uint64_t byStatus_[hostStatuses] = {};
};

inline HostModel hostOf(const MockOptions& options)
{
    const std::uint32_t unit = options.boot.mappingUnit != 0 ? options.boot.mappingUnit : options.boot.pageBytes;
    return HostModel(options.boot.hostSlots, unit / 512, options.seed);
}

} // namespace strobe::test
