#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host without a processor in front of a small drive, newly made for each input, so that an input does the same again
// by itself. It reaches the drive as a driver does: configuration space, BARs, memory, and time that passes.

#include "platform/config/scenario.h"
#include "platform/serve/pci_machine.h"
#include "tests/fuzz/values.h"
#include "tests/support/kernel_fixture.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace strobe::fuzz {

// Scenarios of tests/data/conformance with the firmware of this build. The name is that of the file.
platform::Scenario loadDrive(const std::string& name);

// What a drive must do after any input; ends the process otherwise.
void require(bool holds, const char* what);

class PciHost {
public:
    static constexpr std::uint64_t bar = 0xE000'0000; // where the memory BAR is put
    // Memory that actions use: queues or command lists, tables, data.
    static constexpr std::uint64_t queues = 0x20'0000;
    static constexpr std::uint64_t data = 0x40'0000;
    static constexpr std::uint64_t lists = 0xC0'0000;

    PciHost(const platform::Scenario& scenario, unsigned barNumber) : machine_(scenario), barNumber_(barNumber)
    {
        placeBar();
    }

    void placeBar(); // with memory space and bus master enabled
    std::uint64_t read(std::uint64_t reg, std::uint32_t bytes = 4) { return access(bar + reg, bytes); }
    void write(std::uint64_t reg, std::uint64_t value, std::uint32_t bytes = 4) { assign(bar + reg, bytes, value); }
    std::uint64_t load(std::uint64_t address, std::uint32_t bytes) { return access(address, bytes); }
    void store(std::uint64_t address, const void* source, std::size_t bytes);
    void clear(std::uint64_t address, std::size_t bytes);
    void writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value);
    void step(std::uint64_t microseconds);
    bool waitFor(const std::function<bool()>& isSo); // up to five simulated seconds

    // An action that all drives have: a register, eight bytes of memory, configuration space, or time.
    void actOnMachine(Values& input);
    static std::uint64_t address(Values& input); // of memory, usual or any

private:
    std::uint64_t access(std::uint64_t address, std::uint32_t bytes);
    void assign(std::uint64_t address, std::uint32_t bytes, std::uint64_t value);

    test::KernelFixture kernel_;
    platform::serve::PciMachine machine_;
    unsigned barNumber_;
};

} // namespace strobe::fuzz
