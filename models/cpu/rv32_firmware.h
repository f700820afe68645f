#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A firmware image on its way through the RV32 core: what semihosting it asks for, and, if it shows its cost points,
// what they take. An exit because of an error stops the run as a FirmwareFault whose text is what firmware wrote last;
// an exit as it should be, as FirmwareEnded. Loading the image into memory is the platform's.

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

// Firmware has asked for the end of the run, and nothing is wrong.
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
    std::vector<CostMeter::Row> costs() const; // none if the image does not show its cost points
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
