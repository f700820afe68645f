#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The segments of an operation and their durations, in picoseconds. Pure: a function of interface, part and
// operation. Used by the channel for occupancy, by `strobe inspect timing`, and by closed-form tests.
//
// Sequences (one cycle per command, address, status and id byte; | separates what holds the bus from what does not):
//   read      00h column row 30h                          | tR, tRR             | data out
//   program   80h column row, tADL, data in, 10h          | tPROG, poll delay   | 70h, tWHR, status
//   erase     60h row D0h                                 | tBERS, poll delay   | 70h, tWHR, status
//   copy-back 00h column row 35h, 85h column row 10h      | tR + tPROG, poll    | 70h, tWHR, status
//   status    70h                                         |                     | tWHR, status
//   id        90h, one address                            |                     | tWHR, id bytes
//   reset     FFh                                         | reset time          | nothing
// Joined and cut forms (nand::Form), where they differ:
//   read, plane         00h column row 32h                | tDBSY               |
//   read, last plane    00h column row 30h                | tR, tRR             |
//     data of each plane                                                        | 06h column row E0h, tCCS, data out
//   program, plane      80h column row, tADL, data in 11h | tDBSY               |
//   program, last plane 80h column row, tADL, data in 10h | tPROG, poll delay   |
//     outcome of each plane                                                     | 78h row, tWHR, status
//   program, word line  80h column row, tADL, data in 11h | tDBSY               |   (another plane of the page follows)
//                       80h column row, tADL, data in 1Ah | tPBSY               |   (the next page follows)
//     last page, alone  80h column row, tADL, data in 10h | tPROG, poll delay   | 70h, tWHR, status: of all its pages
//   erase, plane        60h row D1h                       | tDBSY               |
//   erase, last plane   60h row D0h                       | tBERS, poll delay   | 78h row, tWHR, status
//   read, cache         00h column row 31h                | tRCBSY, tRR         | data out (of the page before)
//     after the last    3Fh                               | tRCBSY, tRR         | data out
//   program, cache      80h column row, tADL, data in 15h | tCBSY, poll delay   | 70h, tWHR, status
//                                                                               |   (of the page before)
//   read, references    EFh 89h, tADL, 4 bytes, tFEAT, 00h column row 30h | tR, tRR | data out
//     each further sense of a soft read: the same
//   suspend             84h (program), 61h (erase)        | tPSUSP, tESUSP      | nothing
//   resume              13h (program), D2h (erase)        | tPRSM, tERSM + rest | as the operation resumed
//   copy-back, out      00h column row 35h                | tR, tRR             | 05h column E0h, tCCS, spare record
//   copy-back, in       85h column row, tADL, data in 10h | tPROG, poll delay   | 70h, tWHR, status
//     each further run of sectors, and a spare record, that is replaced: 85h column, tADL, data in
// pSLC mode (nand::PslcMode): one more command cycle, the part's prefix, before the first command of each request
// (after SET FEATURES); none before suspend, resume and the second half of a copy-back.
// PCM: a page that takes several accesses is a series of reads or programs of accessBytes, one after the other (the
// last one is timed like the others).
// Separate command and address lines (SCA): bus_steps.h says what changes, line_use.h which lines are taken when.
// ONFI names 32h, 11h, D1h, 31h, 3Fh, 15h, 06h-E0h and 78h; 1Ah, suspend and resume are vendors' commands, one cycle
// assumed. Both sides of the array time begin with tCS if they hold the bus at all. Array time counts from the last
// cycle of the request; R/B# falls tWB after it, so that an array time below tWB (a refused command) is seen at tWB.
// Data takes ceil(bytes * data cycle / bytesPerCycle): multiplied before it is divided, and a last odd byte of a double
// data rate transfer takes its half cycle only; the interface's preamble and postamble go around each run of data.
// The four parameter bytes of SET FEATURES take a data-in cycle each, and the bus is held for tFEAT (tWB if longer).
// Status and id bytes take a whole data-out cycle at any data rate, as in ONFI's NV-DDR, where they are repeated on
// both edges. Page data and id bytes of an operation with a separate output clock (Operation::outputCycle) take cycles
// of that clock, and the bus is then held until the last byte is sampled. The data of a page on the bus: its sectors
// plus their share of the spare bytes (spareBytes * sectors / sectorsPerPage, rounded up), so a whole page moves
// pageBytes + spareBytes.
//
// Not modelled: the second half of a copy-back waiting for its tR on the bus, ECC parity apart from the spare bytes,
// random column changes, bus turn-around.

#include "models/channel/interface_timing.h"
#include "models/channel/line_use.h"
#include "models/nand/operation.h"
#include "models/nand/part.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::channel {

enum class SegmentKind : std::uint8_t { ChipEnable, Command, Address, Wait, DataIn, Array, DataOut, Status };

// The lines of the bus that a segment takes. All of them, unless the interface has separate command lines (SCA).
enum class BusLines : std::uint8_t { All, Command, Data, None };

struct Segment {
    SegmentKind kind;
    const char* label;    // "00h", "column address", "tADL", "data in", …
    std::uint32_t cycles; // bus cycles, begun ones included (0 for waits and array time)
    Time duration;
    bool onBus; // between the beginning and the end of a request or response
    BusLines lines = BusLines::All;
};

class BusSchedule {
public:
    // REQUIRES: a clock period and one or two bytes per cycle; a page of whole sectors.
    BusSchedule(const InterfaceTiming& timing, const nand::Part& part);

    // Bus time of the request (first command cycle to the last cycle) and of the response.
    Time requestTime(const nand::Operation& op) const
    {
        const Fixed& fixed = fixed_[index(op.form, op.opcode)];
        const Time request = op.pslc && fixed.hasPrefix ? fixed.request + timing_.cycle : fixed.request;
        return fixed.dataIn ? request + sectorTime(dataIn_, op.sectors) : request;
    }
    // Of the second half of a copy-back, which depends on what is replaced.
    Time copyInTime(const nand::Operation& op) const;
    Time responseTime(const nand::Operation& op) const
    {
        if (op.outputCycle != Time{})
            return ownClockResponse(op);
        const Fixed& fixed = fixed_[index(op.form, op.opcode)];
        return fixed.dataOut ? fixed.response + sectorTime(dataOut_, op.sectors) : fixed.response;
    }
    // When the response may begin if R/B# rises at `ready`: never before the controller samples it (tWB), and after
    // tRR or the poll delay. REQUIRES: op.requestEnd is set.
    Time responsePossible(const nand::Operation& op, Time ready) const
    {
        const Fixed& fixed = fixed_[index(op.form, op.opcode)];
        return std::max(ready, op.requestEnd + fixed.blind) + fixed.notice;
    }
    // Whether page data goes over the bus with the request / the response.
    bool hasDataIn(nand::Opcode opcode) const { return fixed_[index(nand::Form::Alone, opcode)].dataIn; }
    bool hasDataOut(nand::Opcode opcode) const { return fixed_[index(nand::Form::Alone, opcode)].dataOut; }
    // Cache read: bus time of 3Fh, which requests the last page, and when its data may go out after it.
    Time cacheEndTime() const { return timing_.tCS + timing_.cycle; }
    Time cacheEndPossible(Time end, Time arrayEnd) const
    {
        return std::max(std::max(end, arrayEnd) + part_.times.tRCBSY, end + timing_.tWB) + timing_.tRR;
    }

    // Bytes on the bus for `sectors` sectors of a page, spare share included; PCM: in one of their accesses.
    std::uint32_t dataBytes(std::uint32_t sectors) const;
    // A run of data clocks with its preamble and postamble; zero for no bytes.
    Time dataInTime(std::uint32_t bytes) const { return dataTime(dataIn_, bytes); }
    Time dataOutTime(std::uint32_t bytes) const { return dataTime(dataOut_, bytes); }
    // The same with a clock of that period.
    Time dataOutTime(std::uint32_t bytes, Time cycle) const
    {
        return dataTime({cycle, dataOut_.preamble, dataOut_.warmUp, dataOut_.postamble, {}}, bytes);
    }

    // Which lines a request, a response and 3Fh take, and when. REQUIRES: hasCommandLines(). `form`: in which the
    // operation will be requested.
    bool hasCommandLines() const { return lineUses_ != nullptr; }
    LineUse requestUse(const nand::Operation& op, nand::Form form) const;
    LineUse requestUse(const nand::Operation& op) const { return requestUse(op, op.form); }
    LineUse responseUse(const nand::Operation& op) const;
    LineUse cacheEndUse() const;

    // Array time of an operation that the die accepts while idle; in cache form, how long R/B# is low then.
    Time arrayTime(const nand::Operation& op) const;
    // All segments of an operation, array time included, in order. The sum of the durations is the unloaded latency;
    // the sum of those on the bus is requestTime + responseTime.
    std::vector<Segment> segments(const nand::Operation& op) const;
    // Its three parts.
    std::vector<Segment> requestSegments(const nand::Operation& op) const;
    std::vector<Segment> arraySegments(const nand::Operation& op) const; // and waits, off the bus
    std::vector<Segment> responseSegments(const nand::Operation& op) const;

    const InterfaceTiming& timing() const { return timing_; }
    const nand::Part& part() const { return part_; }

private:
    // Times that do not depend on the amount of data, computed once per form and opcode.
    struct Fixed {
        Time request{};
        Time response{};
        Time blind{};  // after the request: R/B# is not sampled (tWB)
        Time notice{}; // R/B# high to the response being possible (tRR, poll delay)
        bool dataIn = false;
        bool dataOut = false;
        bool hasPrefix = false; // in pSLC mode
    };

    struct Direction { // of data on the bus
        Time cycle{};
        Time preamble{};
        std::uint32_t warmUp = 0; // cycles
        Time postamble{};
        std::vector<Time> sectorTimes{}; // [n]: data of n sectors
    };

    static constexpr std::size_t opcodes = nand::opcodeTable.size();

    static std::size_t index(nand::Form form, nand::Opcode opcode)
    {
        return static_cast<std::size_t>(form) * opcodes + static_cast<std::size_t>(opcode);
    }
    Time ownClockResponse(const nand::Operation& op) const;
    Time dataTime(const Direction& direction, std::uint32_t bytes) const;
    Time sectorTime(const Direction& direction, std::uint32_t sectors) const
    {
        return sectors < direction.sectorTimes.size() ? direction.sectorTimes[sectors]
                                                      : dataTime(direction, dataBytes(sectors));
    }

    InterfaceTiming timing_;
    nand::Part part_;
    std::uint32_t sectorsPerPage_;
    Direction dataIn_;
    Direction dataOut_;
    std::array<Fixed, nand::formTable.size() * opcodes> fixed_; // by form and opcode
    Time againReplaced_{};                     // of each run that a copy-back replaces, but the first: 85h column
    Time aroundReplaced_{};                    // of each: what precedes and follows its data
    std::shared_ptr<const LineUses> lineUses_; // null: the bus is one resource
};

} // namespace strobe::channel
