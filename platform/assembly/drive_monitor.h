#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// State of the stopped drive as text: the output of GDB's "monitor" commands. Changes nothing and takes
// no simulated time. Commands:
//   help                what there is
//   time                simulated time, and the state of the CPU
//   nand                every die: what its array does and has done
//   nand DIE BLOCK      a block: erases, pages programmed, what their spare records say
//   mapping LBA         pages in flash whose spare record names the logical page of a sector, the newest first
//   units               flash units: what is queued in them
//   interrupts          lines of the interrupt controller
// What flash says of a mapping is what a recovery would find; what firmware believes stands in its own variables, which
// the debugger reads.

#include <optional>
#include <string>
#include <string_view>

namespace strobe::platform {

class SsdModule;

class DriveMonitor {
public:
    explicit DriveMonitor(const SsdModule& ssd) : ssd_(ssd) {}

    // Nothing: there is no such command. Wrong arguments are answered with what is right.
    std::optional<std::string> answer(std::string_view command) const;

private:
    std::string time() const;
    std::string dies() const;
    std::string block(std::uint64_t die, std::uint64_t block) const;
    std::string mapping(std::uint64_t sector) const;
    std::string units() const;
    std::string interrupts() const;

    const SsdModule& ssd_;
};

} // namespace strobe::platform
