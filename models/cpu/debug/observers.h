#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Several observers of one core, called in the order in which they were added.

#include "models/cpu/rv32/core.h"

#include <memory>
#include <vector>

namespace strobe::cpu {

class Observers final : public rv32::Observer {
public:
    void add(rv32::Observer& observer) { observers_.push_back(&observer); }
    bool isEmpty() const { return observers_.empty(); }

    void retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned cycles) override
    {
        for (rv32::Observer* observer : observers_)
            observer->retired(core, pc, bits, cycles);
    }
    void accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore) override
    {
        for (rv32::Observer* observer : observers_)
            observer->accessed(core, address, bytes, isStore);
    }
    void trapped(const rv32::Core& core) override
    {
        for (rv32::Observer* observer : observers_)
            observer->trapped(core);
    }

private:
    std::vector<rv32::Observer*> observers_;
};

} // namespace strobe::cpu
