#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Every instruction of a hart as a line of text, for reading and for comparing two runs: how many were completed before
// it, address, bits, mnemonic, the register that it wrote, the memory that it touched, and the function wherever one is
// entered. Traps and interrupts have lines of their own. The lines depend only on firmware and timing.

#include "models/cpu/code_places.h"
#include "models/cpu/rv32/core.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace strobe::cpu {

class InstructionTrace final : public rv32::Observer {
public:
    using Sink = std::function<void(std::string_view line)>; // with its newline

    // Stops after `limit` instructions. `places`: null if the image is not known.
    InstructionTrace(const CodePlaces* places, std::uint64_t limit, Sink sink);

    void retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned cycles) override;
    void accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore) override;
    void trapped(const rv32::Core& core) override;

    std::uint64_t left() const { return left_; }

private:
    const CodePlaces* places_;
    std::uint64_t left_;
    Sink sink_;
    std::string access_; // of the current instruction
    const ElfImage::Symbol* function_ = nullptr;
};

} // namespace strobe::cpu
