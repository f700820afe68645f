#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host for drives that lose power. It writes versions, trims and flushes at random, and keeps for each sector the
// versions that a read after a loss of power may return: the last one that was complete when a flush, or the write
// itself by forced unit access, began to make it durable, or any later one. A life ends with a flush and a read of all
// sectors, or with a loss of power; then next() begins another life, which first reads all sectors. The versions that
// it reads are the durable ones from then on.
//
// Commands that are in progress together never write the same sector, so versions have an order.
//
// A drive that has become read-only refuses writes, trims and flushes. What it has completed stays readable until the
// next loss of power, and what is durable stays readable after that.

#include "tests/firmware/support/mock_drive.h"

#include <cstdint>
#include <vector>

namespace strobe::test {

class DurableHost : public MockHost {
public:
    DurableHost(std::uint32_t slots, std::uint32_t sectorsPerPage, std::uint64_t seed);

    // A life of so many random commands, after a read of all sectors.
    void next(std::uint64_t commands);
    bool trims = true;

    std::uint64_t commands() const { return completedCommands_; }
    std::uint64_t flushes() const { return flushes_; }
    std::uint64_t lost() const { return lost_; }       // sectors whose last version, which was not durable, was lost
    std::uint64_t refused() const { return refused_; } // writes, trims and flushes that ended as a device fault

    void driveReady(std::uint64_t capacity) override;
    bool issue(std::uint32_t slot, HostCommand& command) override;
    SectorTag written(std::uint32_t slot, std::uint32_t sector) override;
    void read(std::uint32_t slot, std::uint32_t sector, SectorTag tag) override;
    void completed(std::uint32_t slot, HostStatus status) override;
    bool finished() const override;

private:
    struct Write {
        std::uint32_t version;
        std::uint64_t completed; // time, 0: not yet
    };
    struct Active {
        HostCommand command;
        std::uint32_t version = 0;
        std::uint64_t issued = 0;
        std::vector<SectorTag> data;
        bool busy = false;
    };
    enum class Phase : std::uint8_t { Reading, Working, Flushing, Checking, Over };

    bool random(HostCommand& command);
    bool overlaps(const HostCommand& command) const;
    void forEach(const HostCommand& command, void (DurableHost::*what)(std::uint64_t, const Active&), const Active&);
    void begin(std::uint64_t lba, const Active& active);
    void end(std::uint64_t lba, const Active& active);
    void makeDurable(std::uint64_t lba, std::uint64_t before);
    void check(const Active& active);
    void end(const Active& active, HostStatus status);

    std::uint32_t sectorsPerPage_;
    Rng rng_;
    std::vector<Active> active_;
    std::vector<std::vector<Write>> sectors_; // the first is durable
    Phase phase_ = Phase::Over;
    std::uint64_t capacity_ = 0, clock_ = 1, left_ = 0, cursor_ = 0;
    std::uint32_t outstanding_ = 0, nextVersion_ = 1;
    std::uint64_t completedCommands_ = 0, flushes_ = 0, lost_ = 0, refused_ = 0;
    bool isReadOnly_ = false; // in this life
};

} // namespace strobe::test
