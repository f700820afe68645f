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
// also with a unit table, and a program of a word line with one. All others (superchips, sector tables, merges, reads
// to the host) are executed by flash units (flash_unit.h) whose memory, ECC and dies take no time.
//
// Not modelled: buses, ECC times, the synthesizer, priority, order between units other than turn by turn.

#include "models/base/ring_queue.h"
#include "models/base/strobe_registers.h"
#include "models/controller/flash_controller.h"
#include "models/memory/functional_buffer.h"
#include "models/memory/functional_ring.h"
#include "models/nand/die.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace strobe::controller {

class FunctionalFlash final : private UnitPort, private FlashDmaPort {
public:
    struct List { // not executed
        UnitId unit{};
        BusAddress head{};
    };
    using Dies = IdVector<DieId, nand::Die*>;

    // In place of `controller`, at `now`. `host`: takes the sectors of reads to the host; null: there are none. The
    // arguments must outlive the object. REQUIRES: the controller and the dies are idle.
    FunctionalFlash(const FlashController& controller, Dies dies, memory::FunctionalBuffer& buffer, HostSink* host,
                    Time now);

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

    // A page without a descriptor, whose spare records begin with `records`: one if `hasOne`, else all of the page.
    // REQUIRES: no list of the die's operations is left; the pages of a word line come in order.
    struct Page {
        DieId die{};
        nand::PageAddress at;
        nand::Spare* records = nullptr;
        bool hasOne = true;
    };
    bool isPage(const Page& page) const;                 // of this flash
    bool isWornOut(DieId die, std::uint32_t block) const // programs fail
    {
        return raw(die) < dies_.size() && block < config_.die.blocks() && dies_[die]->block(block).wornOut;
    }
    bool programAtOnce(const Page& page, SectorTag first); // whole page of a run of tags; false: not simply accepted
    StatusCode programAtOnce(const Page& page, Content data);

    bool lineAsserted() const { return ring_.lineAsserted(); }
    bool isIdle() const { return active_.empty(); }
    // Each unit with lists executes its first one. False: there was none.
    bool step();

    // For the controller that goes on. REQUIRES: firmware has taken all events.
    std::uint32_t events() const { return ring_.producer(); }
    std::vector<List> takeLists(); // in the order of their arrival at each unit
    const FailureLog& failures() const { return failures_; }

private:
    struct Unit {
        RingQueue<BusAddress> lists;
        bool isActive = false;
    };
    struct Wake {
        UnitId unit{};
        std::uint32_t token = 0;
    };
    struct Done {
        Ticket ticket;
        nand::Operation op;
    };

    bool writeOther(std::uint32_t offset, std::uint32_t value);
    void addList(std::uint16_t unit, BusAddress head);
    void refuseList(std::uint16_t unit, BusAddress head);
    void execute(UnitId unit, BusAddress head);
    bool programRun(UnitId unit, BusAddress address, std::byte* place);
    std::optional<nand::Operation> plainOperation(const DescriptorWords& words);
    void executePlain(UnitId unit, BusAddress address, std::byte* place, const DescriptorWords& words,
                      nand::Operation& op);
    void report(UnitId unit, BusAddress address, std::byte* place, const DescriptorWords& words,
                const nand::Operation& op, const Outcome& outcome);

    // Unit tables (functional_flash_units.cpp).
    bool executeUnits(UnitId unit, BusAddress address, std::byte* place, const DescriptorWords& words);
    std::byte* unitTable(const DescriptorWords& words, std::uint32_t units);
    std::optional<nand::Operation> firstOfUnits(const DescriptorWords& words) const;
    bool takesWordLine(const nand::Operation& first) const;
    void moveUnits(const nand::Operation& op, std::uint32_t first, Direction direction);

    Outcome executeOnDie(nand::Operation& op);
    void executeByUnit(UnitId unit, BusAddress head);
    void finishWork(); // until no unit has anything to do
    void noteFailure(FailureKind kind, UnitId unit, BusAddress descriptor, const nand::Operation& op);

    // Of the units for all other operations.
    void wakeUnit(UnitId unit, std::uint32_t token, Time at) override;
    void sendOperation(Ticket ticket, const nand::Operation& op, Time at) override;
    Time reportEvent(const FlashEvent& event, Time at) override;
    bool sendToHost(const HostRun& run, Time now) override;
    void synthesizedDone(std::uint32_t cookie, bool isOk, Time now) override;
    void noteFailure(const Failure& failure) override { failures_.note(failure); }
    Moved move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time at) override;

    FlashControllerConfig config_;
    Dies dies_;
    memory::FunctionalBuffer& memory_;
    HostSink* host_;
    Time now_;
    SuperchipMap map_;
    SuperchipMap oneChip_;
    memory::FunctionalRing ring_;
    std::uint32_t okStatus_; // of a program without anything to tell
    std::vector<Unit> units_;
    std::vector<std::uint16_t> active_; // units with lists
    std::vector<std::uint16_t> turn_;   // of them, those of this step
    FailureLog failures_;

    std::vector<std::uint32_t> unitWords_; // of the unit table that is being executed
    std::vector<nand::Spare> unitRecords_;
    std::vector<std::byte> unitPage_;

    IdVector<ChannelId, EccEngines> ecc_;          // without time
    std::vector<std::unique_ptr<FlashUnit>> full_; // made when they are first needed
    std::deque<Wake> wakes_;
    std::deque<Done> done_;
    std::deque<Ticket> taken_; // by the host
};

} // namespace strobe::controller
