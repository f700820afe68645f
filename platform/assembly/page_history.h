#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Every page that was programmed and every block that was erased since the observation began, with the time, the
// purpose that firmware stated, and the sectors according to their tags (content.h). So it shows where each version of
// a sector has been. Only of pages with tags: not in the data modes bytes and none, nor of firmware's own records.
// Memory: about 40 bytes per program.

#include "models/nand/die.h"
#include "platform/assembly/dies.h"

#include <cstdint>
#include <vector>

namespace strobe::platform {

class PageHistory final : public nand::DieObserver {
public:
    struct Run { // of sectors with consecutive addresses and one version, as they lie in a page
        std::uint32_t lba = 0;
        std::uint32_t version = 0;
        std::uint8_t first = 0; // sector of the page
        std::uint8_t sectors = 0;
    };
    struct Event {
        Time at{}; // when the die got the command; 0: without time, before the simulation
        nand::Opcode opcode = nand::Opcode::Program;
        nand::Purpose purpose = nand::Purpose::Host;
        DieId die{};
        nand::PageAddress page; // an erase: of its block
        Run run;                // an erase: none
    };

    explicit PageHistory(DieArray& dies);
    ~PageHistory() override;

    void programmed(DieId die, const nand::DieCells& cells, const nand::Operation& op) override;
    void erased(DieId die, const nand::DieCells& cells, const nand::Operation& op) override;

    const std::vector<Event>& events() const { return events_; } // in the order of the commands of each die

    // The runs of a page as it is now.
    static std::vector<Run> runsOf(const nand::DieCells& cells, nand::PageAddress page);

private:
    DieArray& dies_;
    std::vector<Event> events_;
};

} // namespace strobe::platform
