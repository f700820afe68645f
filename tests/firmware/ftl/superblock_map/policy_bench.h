#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The state of a small drive for tests of single files of the superblock-mapping layer: every part is initialised as
// the firmware does, but there is no flash and no host. Operations are begun by the code under test and ended by the
// test (end()). The HAL keeps memory in an array and register writes in a list; a panic is an exception.
//
// 2 channels of 2 dies in superchips of 2 x 1: two of them, each of 26 superblocks of 2 pages x 2 chips, 16 sectors.

#include "tests/firmware/ftl/superblock_map/superblock_headers.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace strobe::test {

struct Panic : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class PolicyBench {
public:
    static constexpr std::uint32_t memoryAt = 0x1000, memoryBytes = 1u << 20;
    static constexpr std::uint32_t units = 2, hostSlots = 4, entries = 4, ringSectors = 256, sectors = 16;

    explicit PolicyBench(const std::function<void(boot_block&)>& change = {});
    PolicyBench(const PolicyBench&) = delete;
    PolicyBench& operator=(const PolicyBench&) = delete;

    // The job of a unit and the descriptor of its operation; ends the operation.
    job& jobOf(std::uint32_t unit) { return sbm.jobs.job[unit]; }
    const flash_descriptor& operation(std::uint32_t unit) const { return sbm.units.descriptors[unit]; }
    std::uint32_t opcode(std::uint32_t unit) const;
    void end(std::uint32_t unit, flash_status status = FLASH_OK, std::uint32_t chip = 0);

    // From now on operations end when the firmware sleeps, with the status that `flash` returns (none: FLASH_OK).
    void completeOperations(std::function<flash_status(const flash_descriptor&)> flash = {});

    // Sectors of a logical superblock, as if the feeder had stored them: into its open entry, which is returned.
    std::uint32_t write(std::uint32_t logical, std::uint32_t first, std::uint32_t count);
    // A free superblock becomes the physical one of a logical superblock.
    std::uint32_t map(std::uint32_t logical);
    // A host command in a slot, as command_take() reads it.
    void putCommand(std::uint32_t slot, std::uint32_t kind, std::uint64_t lba, std::uint32_t count, bool fua = false);

    std::uint32_t written(std::uint32_t address) const;          // last value of a register
    std::vector<std::pair<std::uint32_t, std::uint32_t>> writes; // address, value
    std::map<std::uint32_t, std::uint32_t> registers;            // values to read, besides 0
    std::function<void()> onWait;                                // a sleep; none: fails the test
    std::vector<std::string> console;
    std::vector<std::uint32_t> memory;
    boot_block boot{};
    superblock_map sbm{};

private:
    void completeOne(const flash_descriptor& descriptor);

    std::function<flash_status(const flash_descriptor&)> flash_;
    std::uint32_t ringAt_ = 0, ringEntries_ = 0, events_ = 0;
    std::size_t completed_ = 0; // register writes that were examined
};

} // namespace strobe::test
