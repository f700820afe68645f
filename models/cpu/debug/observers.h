#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Several observers of one core, called in the order in which they were added.

#include "models/cpu/rv32/core.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace strobe::cpu {

class Observers final : public rv32::Observer {
public:
    void add(rv32::Observer& observer) { observers_.push_back(&observer); }
    // To attach to the core: null if there is none, the only one itself.
    rv32::Observer* all()
    {
        if (observers_.empty())
            return nullptr;
        return observers_.size() == 1 ? observers_.front() : this;
    }

    rv32::Detail detail() const override
    {
        rv32::Detail most = rv32::Detail::Calls;
        for (const rv32::Observer* observer : observers_)
            most = std::max(most, observer->detail());
        return most;
    }
    bool sees(std::uint32_t from, std::uint32_t to) override
    {
        return std::any_of(observers_.begin(), observers_.end(),
                           [=](rv32::Observer* observer) { return observer->sees(from, to); });
    }
    bool seesHints() const override
    {
        return std::any_of(observers_.begin(), observers_.end(),
                           [](const rv32::Observer* observer) { return observer->seesHints(); });
    }
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
    void jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to) override
    {
        for (rv32::Observer* observer : observers_)
            observer->jumped(core, from, to);
    }
    void moved(const rv32::Core& core, std::uint32_t from) override
    {
        for (rv32::Observer* observer : observers_)
            observer->moved(core, from);
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
