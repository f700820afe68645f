#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A firmware image running on the RV32 core: its semihosting calls and, if its cost points are marked, their cycles. An
// exit because of an error stops the run as a FirmwareFault whose text is the last output of firmware; a regular exit,
// as FirmwareEnded. The platform loads the image into memory.

#include "models/cpu/code_places.h"
#include "models/cpu/cost_observer.h"
#include "models/cpu/elf_image.h"
#include "models/cpu/firmware_fault.h"
#include "models/cpu/rv32/core.h"
#include "models/cpu/semihosting.h"

#include <optional>
#include <string>
#include <vector>

namespace strobe::cpu {

// Firmware has requested the end of the run without an error.
class FirmwareEnded : public FirmwareFault {
public:
    using FirmwareFault::FirmwareFault;
};

class Rv32Firmware {
public:
    // The core must live as long as it runs; `cpu` names it in messages.
    Rv32Firmware(ElfImage image, rv32::Core& core, std::string cpu, Semihosting::Line console);
    Rv32Firmware(const Rv32Firmware&) = delete;
    Rv32Firmware& operator=(const Rv32Firmware&) = delete;

    const ElfImage& image() const { return places_.image(); }
    // An ebreak; true: it was a call. Throws FirmwareFault or FirmwareEnded for an exit.
    bool serveBreak(rv32::Core& core);
    std::string placeOf(std::uint32_t address) const { return places_.at(address); } // as CodePlaces::at()
    std::vector<CostMeter::Row> costs() const; // none if the image has no marked cost points
    void resetCosts();

private:
    [[noreturn]] void end(const Semihosting::Exit& exit, const rv32::Core& core) const;
    static Time timeOf(const rv32::Core& core);       // local to the core, in whole nanoseconds
    std::string origin(const rv32::Core& core) const; // of a panic: who caused it

    CodePlaces places_;
    std::string cpu_;
    Semihosting calls_;
    std::optional<CostObserver> observer_;
};

} // namespace strobe::cpu
