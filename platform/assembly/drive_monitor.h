#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// State of the stopped drive as text: the output of GDB's "monitor" commands. Changes nothing and takes
// no simulated time. Commands:
//   help                lists the commands
//   nand                every die: current state and counts of its array
//   nand DIE BLOCK      a block: erases, pages programmed, contents of their spare records
//   mapping LBA         pages in flash with a spare record of the logical page, or mapping unit, of a sector, the
//                       newest first
//   units               flash units: their queues
//   interrupts          lines of the interrupt controller
//   registers BLOCK     registers of a block by name, as the bus shows them to a debugger
// The mapping shown is that in flash, as a recovery would find it; firmware's own mapping is in its variables, which
// the debugger can read.

#include "models/nand/operation.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace strobe::platform {

class SsdModule;

class DriveMonitor {
public:
    // `peek`: a word of the bus without side effects; nothing: there is none that a debugger may read.
    using Peek = std::function<std::optional<std::uint32_t>(std::uint32_t address)>;
    DriveMonitor(const SsdModule& ssd, Peek peek) : ssd_(ssd), peek_(std::move(peek)) {}

    // Nothing: there is no such command. Wrong arguments are answered with the correct usage.
    std::optional<std::string> answer(std::string_view command) const;

private:
    std::string countsText() const;
    std::string dies() const;
    std::string block(std::uint64_t die, std::uint64_t block) const;
    std::string versionOf(const nand::Spare& spare) const; // "-": records have none
    std::string mapping(std::uint64_t sector) const;
    std::string units() const;
    std::string interrupts() const;
    std::string registers(std::string_view block) const;

    const SsdModule& ssd_;
    Peek peek_;
};

} // namespace strobe::platform
