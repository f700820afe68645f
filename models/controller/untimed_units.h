#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Flash units (flash_unit.h) whose memory, ECC and dies take no time: they execute any list completely, at one instant.

#include "models/controller/flash_unit.h"
#include "models/controller/functional_dies.h"
#include "models/memory/functional_buffer.h"
#include "models/memory/functional_ring.h"

#include <deque>
#include <memory>
#include <vector>

namespace strobe::controller {

class UntimedUnits final : private UnitPort, private FlashDmaPort {
public:
    // `host`: takes the sectors of reads to the host; null: there are none. All must outlive the object.
    UntimedUnits(const FlashControllerConfig& config, const SuperchipMap& map, const SuperchipMap& oneChip,
                 FunctionalDies& dies, memory::FunctionalBuffer& buffer, memory::FunctionalRing& ring, HostSink* host,
                 XorEngine& xorEngine, Time now);

    void execute(UnitId unit, BusAddress head);

private:
    struct Wake {
        UnitId unit{};
        std::uint32_t token = 0;
    };
    struct Done {
        Ticket ticket;
        nand::Operation op;
    };
    void finishWork(); // until no unit has anything to do

    void wakeUnit(UnitId unit, std::uint32_t token, Time at) override;
    void sendOperation(Ticket ticket, const nand::Operation& op, Time at) override;
    void continueOperation(UnitId unit, DieId die) override;
    Time reportEvent(const FlashEvent& event, Time at) override;
    bool sendToHost(const HostRun& run, Time now) override;
    void synthesizedDone(std::uint32_t cookie, bool isOk, Time now) override;
    void noteFailure(const Failure& failure) override { dies_.note(failure); }
    Moved move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time at) override;

    const FlashControllerConfig& config_;
    const SuperchipMap& map_;
    const SuperchipMap& oneChip_;
    FunctionalDies& dies_;
    memory::FunctionalBuffer& memory_;
    memory::FunctionalRing& ring_;
    HostSink* host_;
    XorEngine& xorEngine_;
    Time now_;
    std::vector<std::unique_ptr<FlashUnit>> units_; // made when they are first needed
    std::deque<Wake> wakes_;
    std::deque<Done> done_;
    std::deque<Ticket> taken_; // by the host
};

} // namespace strobe::controller
