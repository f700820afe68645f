#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Faults of the flash that a scenario plans: at what times and how often programs and erases of chosen places fail,
// reads have bit errors beyond those of the model, or nothing works any more. A fault hits operations; die.h and
// docs/faults.md say what the die does then:
//   program-fail   FAIL: the page is corrupted; the pages of a word line share their outcome
//   erase-fail     FAIL: all pages of the block are corrupted
//   bit-errors     further raw bit errors in the worst codeword of a read; ECC judges them
//   dead           programs and erases end with FAIL, reads are beyond correction, a copy-back takes nothing usable
// Rows of a plan are independent. A program or erase is hit by the first row that applies; bit errors add up. Draws
// come from a stream of the die, one for each operation that a row with a rate applies to. Owns no clock.
// Not modelled: a die that does not answer, R/B# that stays low, wrong status bytes, wrong identification; bit errors
// of copy-backs (the die neither sees nor corrects them).
// A block that stays worn out, also in a saved drive: Die::wearOut().

#include "models/base/enum_table.h"
#include "models/base/ids.h"
#include "models/base/rng.h"
#include "models/base/statistics.h"
#include "models/base/time.h"
#include "models/nand/geometry.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::nand {

enum class FlashFaultKind : std::uint8_t { ProgramFail, EraseFail, BitErrors, Dead };

inline constexpr std::array<EnumRow<FlashFaultKind>, 4> flashFaultKindTable{
    {{FlashFaultKind::ProgramFail, "program-fail", "programs end with FAIL"},
     {FlashFaultKind::EraseFail, "erase-fail", "erases end with FAIL"},
     {FlashFaultKind::BitErrors, "bit-errors", "reads have further raw bit errors"},
     {FlashFaultKind::Dead, "dead", "programs and erases end with FAIL, reads are beyond correction"}}};
constexpr const auto& enumTable(FlashFaultKind)
{
    return flashFaultKindTable;
}

// A row of the plan. Places that are not given: all.
struct FlashFault {
    FlashFaultKind kind = FlashFaultKind::ProgramFail;
    std::optional<std::uint32_t> die;
    std::optional<std::uint32_t> plane;
    std::optional<std::uint32_t> block; // of the die
    std::optional<std::uint32_t> page;  // of the block; no effect on erases
    Time at{};                          // from then on
    std::optional<Time> until;          // up to, but not at; nothing: for ever
    double rate = 1;                    // probability that an operation is hit
    std::uint32_t count = 0;            // operations of a die that are hit at most; 0: no limit
    std::uint32_t bits = 100;           // bit-errors
};

// Operations that faults have hit, since power-on.
struct FlashFaultCounters {
    std::uint64_t programs = 0;
    std::uint64_t erases = 0;
    std::uint64_t disturbedReads = 0;
    std::uint64_t deadReads = 0;
    std::uint64_t lostCopies = 0;

    void declare(Statistics& stats)
    {
        stats.add("programs_failed", Unit::Count, "pages whose program or copy-back a fault of the flash made fail",
                  programs);
        stats.add("erases_failed", Unit::Count, "erases that a fault of the flash made fail", erases);
        stats.add("reads_with_bit_errors", Unit::Count, "page reads to which a fault added bit errors", disturbedReads);
        stats.add("reads_of_dead_flash", Unit::Count, "page reads of dead flash, beyond correction", deadReads);
        stats.add("copies_of_dead_flash", Unit::Count, "copy-backs whose source was dead: their target is lost",
                  lostCopies);
    }
};

class FlashFaults {
public:
    // The rows of `plan` that name the die, or all dies.
    FlashFaults(DieId die, const DieGeometry& geometry, const std::vector<FlashFault>& plan, const Rng& draws);

    bool isEmpty() const { return rows_.empty(); }
    // A program of a page, in the order of the pages of a word line; `isWordLine`: it is one of a word line.
    bool failsProgram(PageAddress page, bool isWordLine, Time now);
    bool failsErase(std::uint32_t block, Time now);
    struct Reading {
        bool isDead = false;
        std::uint32_t bits = 0;
    };
    // `hasData`: something is programmed there, so bits can be wrong.
    Reading read(PageAddress page, bool hasData, Time now);
    bool losesCopy(PageAddress source, Time now);

    const FlashFaultCounters& counters() const { return counters_; }

private:
    struct Row {
        FlashFault fault;
        std::uint32_t hits = 0;
    };
    struct WordLine { // the outcome of the first page of a plane's last one
        std::uint32_t block = UINT32_MAX;
        std::uint32_t number = 0;
        bool fails = false;
    };

    static bool isAt(const FlashFault& fault, Time now)
    {
        return now >= fault.at && (!fault.until || now < *fault.until);
    }
    bool isIn(const FlashFault& fault, std::uint32_t block) const;
    bool hits(Row& row);
    bool isDead(PageAddress page, Time now) const;
    bool drawProgram(PageAddress page, Time now);

    DieGeometry geometry_;
    std::vector<Row> rows_;
    std::vector<WordLine> wordLines_; // by plane
    Rng draws_;
    FlashFaultCounters counters_;
};

} // namespace strobe::nand
