#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A flash unit's surroundings for tests of its parts: memory as an array of bytes whose bursts take 1 us each, and a
// port that records what it is given. Superchips of 2 buses x 1 chip, pages of 4 sectors, sectors as bytes.

#include "models/controller/unit_port.h"
#include "tests/support/catch.h"

#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

namespace strobe::controller::test {

using namespace std::chrono_literals;

class UnitParts : public FlashDmaPort, public UnitPort {
public:
    static constexpr BusAddress base{0x1000};
    static constexpr BusAddress tables{0x1000};   // control memory
    static constexpr BusAddress data{0x2000};     // data buffer, to 0x6000
    static constexpr BusAddress outside{0x10000}; // no memory
    static constexpr Time burstTime = 1us;

    struct Burst {
        BusAddress address;
        std::uint32_t bytes;
        Direction direction;
        Time at;
    };
    struct Wake {
        std::uint32_t token;
        Time at;
    };
    struct Sent {
        Ticket ticket;
        nand::Operation op;
        Time at;
    };

    UnitParts() : unit{UnitId{3}, map, oneChip, *this, *this, ecc, config(), {}}
    {
        for (std::uint32_t c = 0; c < array.channels; ++c)
            ecc.emplace_back(EccConfig{}, die.pageBytes);
    }

    static FlashUnitConfig config();

    Moved move(BusAddress address, std::uint32_t length, Content content, Direction direction, Time at) override;
    void wakeUnit(UnitId, std::uint32_t token, Time at) override { wakes.push_back({token, at}); }
    void sendOperation(Ticket ticket, const nand::Operation& op, Time at) override { sent.push_back({ticket, op, at}); }
    void continueOperation(UnitId, DieId on) override { continued.push_back(on); }
    Time reportEvent(const FlashEvent& event, Time at) override;
    bool sendToHost(const HostRun& run, Time) override;
    void synthesizedDone(std::uint32_t, bool, Time) override { FAIL("parts of a unit retire nothing"); }
    void noteFailure(const Failure& failure) override { failures.push_back(failure); }

    template <class T>
    void put(BusAddress address, const T& value)
    {
        std::memcpy(memory + (raw(address) - raw(base)), &value, sizeof value);
    }
    std::byte byteAt(BusAddress address) const { return memory[raw(address) - raw(base)]; }
    // Every byte of the sectors from `address` on is the number of its sector, counted from `first`.
    void putSectors(BusAddress address, std::uint32_t count, std::uint32_t first);

    nand::ArrayGeometry array{2, 2, 1};
    nand::DieGeometry die{1, 8, 4, 2048, 64};
    SuperchipMap map{array, die, {2, 1}};
    SuperchipMap oneChip{array, die, {}};
    IdVector<ChannelId, EccEngines> ecc;
    std::byte memory[0x5000]{};
    std::vector<Burst> bursts;
    std::vector<Wake> wakes;
    std::vector<Sent> sent;
    std::vector<DieId> continued;
    std::vector<FlashEvent> suspensions;
    std::vector<HostRun> toHost;
    std::vector<Failure> failures;
    bool hostAccepts = true;
    UnitContext unit;
};

FlashDescriptor partsDescriptor(SuperchipOpcode opcode, std::uint32_t startSector, std::uint32_t sectors);

} // namespace strobe::controller::test
