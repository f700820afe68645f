#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observer of the flash units: descriptors (jobs), their row runs and NAND operations, each at the instant at which it
// happens. Observation only. The calls of one unit come in the order of its work; an instant may lie ahead of the
// present where a unit plans ahead. Without an observer each report costs the test of a pointer.
//   listed … fetched … rowStarted … unitsPlaced … sent … finished … rowEnded … retired
// `place` is the job's place in the unit's window and `slot` the row's slot: both are used again by later ones.

#include "models/base/time.h"
#include "models/controller/descriptor.h"
#include "models/controller/ports.h"

#include <cstdint>

namespace strobe::controller {

class FlashObserver {
public:
    virtual ~FlashObserver() = default;
    // HEAD was written (a list), or the synthesizer has made a descriptor (a list of one).
    virtual void listed(UnitId unit, bool isSynthesized, Time at) = 0;
    // The next descriptor of the unit's lists is in the unit. A refused one is retired without rows.
    struct Job {
        UnitId unit;
        std::uint32_t place;
        const FlashDescriptor& descriptor;
        bool isSynthesized;
        bool endsList;
    };
    virtual void fetched(const Job& job, Time at) = 0;
    virtual void rowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at) = 0;
    // Of a row with a unit table, or of one that is written with a sector table, after rowStarted: units or sectors
    // that are neighbours in the data buffer, where the row's data comes from or goes to.
    virtual void unitsPlaced(UnitId unit, std::uint32_t slot, BusAddress first, std::uint32_t sectors) = 0;
    // An operation of the row: its data is in the unit at `dataAt`; at `at`, encoded, it goes to the channel.
    virtual void sent(Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time dataAt, Time at) = 0;
    // It has left the channel at `at`, and the decoder at `decoded`.
    virtual void finished(Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time at, Time decoded) = 0;
    virtual void rowEnded(UnitId unit, std::uint32_t slot, Time at) = 0; // also if it failed
    // Firmware can see the result at `visible`.
    virtual void retired(UnitId unit, std::uint32_t place, Time at, Time visible) = 0;
};

} // namespace strobe::controller
