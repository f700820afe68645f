#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Writes a file to the drive from sector 0 on, as a host without a link does, before QEMU's machine has it: the drive's
// own times count, those of a link do not. A part of a last sector is filled with zeros. A flush ends it.

#include "models/host/command_port.h"
#include "models/host/outstanding_commands.h"
#include "models/tlm/agenda.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace strobe::platform::qemu {

class ImageWriter final : public host::Front {
public:
    // Throws ConfigError if the file cannot be read. `drive` must outlive the writer.
    ImageWriter(const std::string& path, host::HostPort& drive);

    std::uint64_t sectors() const { return sectors_; } // of the file
    void begin();                                      // REQUIRES: the drive is ready, and has as many sectors
    bool isDone() const { return isFlushed_; }
    const std::string& problem() const { return problem_; } // empty: none
    // Commands are outstanding, and none has ended since; never: there are none.
    Time waitingSince() const { return outstanding_ == 0 ? never : lastEnd_; }
    host::OutstandingCommands commands() const; // those

    void driveReady(Time) override {}
    void transfer(const host::TransferOrder& order, Time at) override;
    void complete(std::uint16_t slot, host::CommandStatus status, Time at) override;

private:
    static constexpr std::uint32_t mostSectors = 256; // of a command
    static constexpr std::uint32_t mostSlots = 32;

    void step();
    void issue(std::uint16_t slot);
    void fill(std::uint64_t lba, std::uint32_t sectors);

    std::string path_;
    std::ifstream file_;
    std::uint64_t sectors_ = 0;
    host::HostPort& drive_;
    std::uint64_t next_ = 0;              // sector
    std::vector<host::Command> commands_; // by slot
    std::vector<Time> issued_;            // the same
    std::vector<std::uint16_t> free_;
    std::uint32_t outstanding_ = 0;
    Time lastEnd_{}; // of a command, or the beginning
    std::vector<std::byte> staging_;
    std::multimap<Time, std::uint64_t> transfers_; // handles of those that end then
    bool isFlushing_ = false;
    bool isFlushed_ = false;
    std::string problem_;
    Wake wake_ = Wake::calls<&ImageWriter::step>(*this);
};

} // namespace strobe::platform::qemu
