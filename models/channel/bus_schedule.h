#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where the bus time of an operation goes, segment by segment, in picoseconds. Pure: a function of interface, part and
// operation. Used by the channel for occupancy, by `strobe inspect timing`, and by closed-form tests.
//
// Sequences (one byte per command or address cycle):
//   read      request 00h + column + row + 30h                       response data out
//   program   request 80h + column + row + tADL + data in + 10h      response 70h + status
//   erase     request 60h + row + D0h                                response 70h + status
//   copy-back request 00h + column + row + 35h, 85h + column + row + 10h   response 70h + status; the array does tR +
//   tPROG status    request 70h    response status byte id        request 90h + 1 address response id bytes reset
//   request FFh    response none
// The data of a page on the bus: its sectors plus their share of the spare bytes (spareBytes * sectors /
// sectorsPerPage), so a whole page moves pageBytes + spareBytes.

#include "models/channel/interface_timing.h"
#include "models/nand/operation.h"
#include "models/nand/part.h"

#include <cstdint>
#include <vector>

namespace strobe::channel {

enum class SegmentKind : std::uint8_t { ChipEnable, Command, Address, Wait, DataIn, Array, DataOut, Status };

struct Segment {
    SegmentKind kind;
    const char* label;    // "00h", "column address", "tADL", "data in", …
    std::uint32_t cycles; // bus cycles (0 for waits and array time)
    Time duration;
    bool onBus;
};

class BusSchedule {
public:
    BusSchedule(const InterfaceTiming& timing, const nand::Part& part);

    // Bus time of the request (first command cycle to the last cycle) and of the response.
    Time requestTime(const nand::Operation& op) const;
    Time responseTime(const nand::Operation& op) const;
    // Bytes on the bus for `sectors` sectors of a page, spare share included.
    std::uint32_t dataBytes(std::uint32_t sectors) const;
    Time dataTime(std::uint32_t bytes) const;

    // The whole story of an operation, array time included, in order. The sum of the durations is the unloaded latency.
    std::vector<Segment> segments(const nand::Operation& op) const;

    const InterfaceTiming& timing() const { return timing_; }

private:
    std::vector<Segment> requestSegments(const nand::Operation& op) const;
    std::vector<Segment> responseSegments(const nand::Operation& op) const;

    InterfaceTiming timing_;
    nand::Part part_;
};

} // namespace strobe::channel
