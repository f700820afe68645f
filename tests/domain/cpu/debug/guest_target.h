#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Two harts with the same small program, as a debugger accesses them.

#include "models/cpu/debug/debug_target.h"
#include "tests/domain/cpu/rv32/guest.h"

#include <array>
#include <cstring>

namespace strobe::test {

class GuestTarget : public cpu::DebugTarget {
public:
    explicit GuestTarget(const std::vector<std::uint32_t>& program) : guests{Guest(program), Guest(program, {1, 0, {}})}
    {
    }

    std::size_t harts() const override { return guests.size(); }
    rv32::Core& core(std::size_t hart) override { return guests.at(hart).core; }
    std::string hartName(std::size_t hart) const override { return "cpu" + std::to_string(hart); }
    bool readMemory(std::uint32_t address, std::string& bytes) override
    {
        const std::uint8_t* memory = core(0).memory().find(address, static_cast<unsigned>(bytes.size()), false);
        if (memory != nullptr)
            std::memcpy(bytes.data(), memory, bytes.size());
        return memory != nullptr;
    }
    bool writeMemory(std::uint32_t address, std::string_view bytes) override
    {
        bool written = true;
        for (Guest& guest : guests) {
            std::uint8_t* memory = guest.core.memory().find(address, static_cast<unsigned>(bytes.size()), true);
            written = written && memory != nullptr;
            if (memory != nullptr)
                std::memcpy(memory, bytes.data(), bytes.size());
        }
        return written;
    }
    std::optional<std::string> monitor(std::string_view command) override
    {
        return command == "time" ? std::optional<std::string>("1 us\n") : std::nullopt;
    }

    bool remembers() const override { return doesRemember; }
    void changed() override { ++changes; }

    std::array<Guest, 2> guests;
    bool doesRemember = false;
    int changes = 0;
};

} // namespace strobe::test
