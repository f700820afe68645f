#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The flash units without time, for functional preconditioning: the same descriptors, executed on the same dies, with
// the same statuses, spare records and events. It takes the place of the FlashController between two instants of
// simulated time at which that one has nothing to do, and gives back what it has not executed.
//
// A list waits in its unit until step(), which executes one list of each unit that has any. Firmware therefore finds
// its dies as busy as on a drive under load, and makes the decisions of such a drive: dies are not idle between two
// operations, background work does not begin. A read or program of a page, or an erase, of one die is executed here,
// also with a unit table (functional_unit_table.h), and a program of a word line with one. All others (superchips,
// sector tables, merges, reads to the host) are executed by flash units without time (untimed_units.h).
//
// Not modelled: buses, ECC times, the synthesizer, priority, order between units other than turn by turn.

#include "models/base/ring_queue.h"
#include "models/base/strobe_registers.h"
#include "models/controller/functional_dies.h"
#include "models/controller/functional_unit_table.h"
#include "models/controller/list_loop.h"
#include "models/controller/untimed_units.h"
#include "models/memory/functional_buffer.h"
#include "models/memory/functional_ring.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::controller {

class FunctionalFlash {
public:
    struct List { // not executed
        UnitId unit{};
        BusAddress head{};
    };
    using Dies = FunctionalDies::Dies;
    using Page = FunctionalDies::Page;

    // In place of `controller`, at `now`. `host`: takes the sectors of reads to the host; null: there are none. The
    // arguments must outlive the object. REQUIRES: the controller and the dies are idle.
    FunctionalFlash(const FlashController& controller, Dies dies, memory::FunctionalBuffer& buffer, HostSink* host,
                    Time now);
    FunctionalFlash(const FunctionalFlash&) = delete;
    FunctionalFlash& operator=(const FunctionalFlash&) = delete;

    // Registers, by offset; false: not one that is served here. Heads of lists are written for each page.
    bool writeRegister(std::uint32_t offset, std::uint32_t value)
    {
        const std::uint32_t at = offset - regs::flash::UNIT_HEAD;
        if (at / regs::flash::UNIT_HEAD_step >= units_.size() || at % regs::flash::UNIT_HEAD_step != 0)
            return writeOther(offset, value);
        addList(static_cast<std::uint16_t>(at / regs::flash::UNIT_HEAD_step), BusAddress{value});
        return true;
    }
    bool readRegister(std::uint32_t offset, std::uint32_t& value) const;

    // Pages without a descriptor. REQUIRES: no list of the die's operations is left; the pages of a word line come in
    // order.
    bool isPage(const Page& page) const { return dies_.isPage(page); }                           // of this flash
    bool isWornOut(DieId die, std::uint32_t block) const { return dies_.isWornOut(die, block); } // programs fail
    bool programAtOnce(const Page& page, SectorTag first) { return dies_.programRun(page, first); }
    StatusCode programAtOnce(const Page& page, Content data) { return dies_.program(page, data); }

    bool lineAsserted() const { return ring_.lineAsserted(); }
    bool isIdle() const { return active_.empty(); }
    // Each unit with lists executes its first one. False: there was none.
    bool step();

    // For the controller that goes on. REQUIRES: firmware has taken all events.
    std::uint32_t events() const { return ring_.producer(); }
    std::vector<List> takeLists(); // in the order of their arrival at each unit
    const FailureLog& failures() const { return dies_.failures(); }

private:
    struct Unit {
        RingQueue<BusAddress> lists;
        bool isActive = false;
    };
    bool writeOther(std::uint32_t offset, std::uint32_t value);
    void addList(std::uint16_t unit, BusAddress head);
    void refuseList(std::uint16_t unit, BusAddress head);
    void execute(UnitId unit, BusAddress head);
    void refuseLoop(UnitId unit, BusAddress address, std::byte* place);
    bool programRun(UnitId unit, BusAddress address, std::byte* place);
    std::optional<nand::Operation> plainOperation(const DescriptorWords& words);
    void report(UnitId unit, BusAddress address, std::byte* place, const DescriptorWords& words,
                const nand::Operation& op, const Outcome& outcome);

    FlashControllerConfig config_;
    FunctionalDies dies_;
    memory::FunctionalBuffer& memory_;
    Time now_;
    SuperchipMap map_;
    SuperchipMap oneChip_;
    memory::FunctionalRing ring_;
    std::uint32_t okStatus_; // of a program without anything to tell
    std::vector<Unit> units_;
    std::vector<std::uint16_t> active_; // units with lists
    std::vector<std::uint16_t> turn_;   // of them, those of this step
    FunctionalUnitTable unitTable_;
    UntimedUnits untimedUnits_;
};

} // namespace strobe::controller
