#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Descriptors with a unit table, without time: the units of one page, or of one word line, of one die, between the data
// buffer and the flash. All others are left to a flash unit.

#include "models/controller/descriptor.h"
#include "models/controller/functional_dies.h"
#include "models/controller/superchip.h"
#include "models/memory/functional_buffer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::controller {

class FunctionalUnitTable {
public:
    // All must outlive the object.
    FunctionalUnitTable(const FlashControllerConfig& config, const SuperchipMap& map, FunctionalDies& dies,
                        memory::FunctionalBuffer& buffer)
        : config_(config), map_(map), dies_(dies), memory_(buffer)
    {
    }

    struct Executed {
        nand::Operation op; // the last one; its contents are gone
        Outcome outcome;
    };
    // Nothing: it is another descriptor, or something is wrong with its table; nothing has happened.
    std::optional<Executed> execute(const DescriptorWords& words);

private:
    std::optional<nand::Operation> firstOf(const DescriptorWords& words) const;
    std::byte* table(const DescriptorWords& words, std::uint32_t units);
    bool takesWordLine(const nand::Operation& first) const;
    void moveUnits(const nand::Operation& op, std::uint32_t first, Direction direction);

    const FlashControllerConfig& config_;
    const SuperchipMap& map_;
    FunctionalDies& dies_;
    memory::FunctionalBuffer& memory_;
    std::vector<std::uint32_t> words_; // of the table that is being executed
    std::vector<nand::Spare> records_;
    std::vector<std::byte> page_;
};

} // namespace strobe::controller
