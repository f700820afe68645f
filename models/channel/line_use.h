#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Separate command and address lines (SCA, JESD230G chapter 10): two resources in place of one bus. CA carries
// commands, addresses, parameters and status as packets, with a clock of its own (CA_CLK); DQ carries page data only.
// What a request or a response takes of both is fixed from its start on:
//
//   read data   |05h col E0h|  tCCS  |SCE|                       |SCT|      CA
//                                        |preamble, data, postamble|        DQ
//   program     |80h addr 12h|  tADL |SCE|                       |SCT|10h|  CA
//                                        |preamble, data, postamble|        DQ
//
// In between, and while data is on DQ, CA is free for other dies. Each stretch on CA begins with tCS, because another
// die may have been selected meanwhile. tWHR is part of a stretch.
//
// Packets: a 4-bit header in one clock and 8 bits in two, at both edges of two lines: three clocks for each command or
// address byte. A status byte comes back on CA[1] alone: 2 bits a clock, four clocks. Sources: a public reading of
// JESD230G (packets, SCE, SCT, 12h). Simplification: the preamble of data in takes no time (on a shared bus it is
// inside tADL). Unconfirmed: the period of CA_CLK, the clocks of a status byte, tCS before each stretch, id bytes on
// CA[1], parameters of SET FEATURES as packets.
//
// While data of a plane moves, from its first packet to SCT, other planes of the same die may only be sent status reads
// and features (nand_interface.h). Simplification: they are sent nothing, because a status read goes out with its data.

#include "models/base/time.h"
#include "models/channel/interface_timing.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::channel {

class BusSchedule;
struct Segment;

// The interface with separate lines and CA_CLK of that period. REQUIRES: timing.mayHaveCommandLines; clock > 0.
InterfaceTiming withCommandLines(InterfaceTiming timing, Time clock);

struct LineUse {
    struct Span {
        Time from{};
        Time to{};
    };
    static constexpr std::size_t maxSpans = 6;

    // From the start of the request or response, where the first stretch on CA begins. Spans are in order and do not
    // touch. With more than maxSpans stretches on CA (a copy-back that replaces many runs) the last span covers those
    // that are left.
    std::array<Span, maxSpans> command{};
    std::uint32_t commands = 0;
    // From the first byte's preamble to the last one's postamble; empty: no data. One span: a copy-back that replaces
    // several runs holds DQ over the gaps between them.
    Span data{};
    Time duration{};

    bool hasData() const { return data.to > data.from; }
};

LineUse lineUseOf(const std::vector<Segment>& tenure);

// Of all operations of a schedule: made once, and adapted to the amount of data.
class LineUses {
public:
    // REQUIRES: its interface has command lines.
    explicit LineUses(const BusSchedule& schedule);

    LineUse request(const BusSchedule& schedule, const nand::Operation& op, nand::Form form) const;
    LineUse response(const BusSchedule& schedule, const nand::Operation& op) const;
    const LineUse& cacheEnd() const { return cacheEnd_; }

private:
    struct Template { // of one sector of data, if there is any
        LineUse request;
        LineUse inPslcMode; // request
        LineUse response;
    };
    static std::size_t index(nand::Form form, nand::Opcode opcode);

    std::vector<Template> templates_; // by form and opcode
    LineUse cacheEnd_;
    Time sectorIn_; // data of one sector
    Time sectorOut_;
};

} // namespace strobe::channel
