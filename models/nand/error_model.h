#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Raw bit error rate (RBER) of a page of flash from its history: program/erase cycles, time since its program, reads of
// its block. A part selects one of two models, whose numbers are data of the part:
//   formula   RBER = e + a PE^k + b PE^m t^n + g PE^p r^q          Kim, Choi, Min, FAST'19; t in hours, r = reads of
//             the block per page of it; times a factor of the page type, of the block and word line, and of the read
//             option
//   states    the threshold voltages of the 2^bits states are normal distributions (Cai et al., Proc. IEEE 105(9) 2017,
//             appendix, tables 4 and 5). A page is read by comparing with some of the references between them (its
//             boundaries, which the coding of the pages gives), and a bit is wrong if its cell is on the other side of
//             one: RBER = sum over the boundaries of (P(state below is above it) + P(state above is below it)) /
//             states. Means and deviations are linear in log t, from one minute on; means also in PE. What t adds grows
//             with PE^wearExponent. Reads of the block raise the erased state in proportion to r.
// A read option is an entry of the part's retry table: shifts of the references (states), or a factor (formula).
// pSLC mode: the cells are erased or in the highest state, and the reference is halfway between the two as they are
// after the first retention time (states); or a factor instead of the page type's (formula). The retry table is of the
// usual mode: an option changes nothing in pSLC mode. All three are assumptions.
// Storage at another temperature counts as t times exp(Ea / k (1 / T reference - 1 / T)) (JESD218B: Ea 1.1 eV).
// Pure. Not modelled: tails heavier than normal (real distributions have them), cells that cross two references,
// disturb that is stronger on neighbours of the word line read, loss that does not follow Arrhenius, errors of the
// spare record.

#include "models/base/enum_table.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::nand {

enum class ErrorModelKind : std::uint8_t { WearCurve, Formula, States };

inline constexpr std::array<EnumRow<ErrorModelKind>, 3> errorModelKindTable{
    {{ErrorModelKind::WearCurve, "wear", "the bit error rates of the points of the wear curve, if there are any"},
     {ErrorModelKind::Formula, "formula", "a sum of powers of cycles, retention time and reads"},
     {ErrorModelKind::States, "states", "threshold voltages of the states against the read references"}}};
constexpr const auto& enumTable(ErrorModelKind)
{
    return errorModelKindTable;
}

// The powers as in the paper; no term by default.
struct ErrorFormula {
    double e = 0;
    double a = 0;
    double k = 1;
    double b = 0;
    double m = 1;
    double n = 1;
    double g = 0;
    double p = 1;
    double q = 1;
    std::vector<double> pageFactors; // by page type; none: all alike
    double pslcFactor = 0.01;        // in pSLC mode, instead of the page type's (assumption: sources give none)
};

// Voltages in the unit of the part's table.
struct StatesAfter { // retention time
    double hours = 24;
    std::vector<double> means; // by state, the erased one first
    std::vector<double> deviations;
};
struct StatesWorn { // the means at the first retention time
    double cycles = 0;
    std::vector<double> means;
};
struct ThresholdStates {
    std::vector<StatesAfter> retention;            // ascending; measured at `cycles`
    double cycles = 0;                             // of the retention rows
    std::vector<StatesWorn> wear;                  // ascending, two or more; none: the means do not depend on cycles
    double wearExponent = 0;                       // of cycles / `cycles`, for what retention adds
    double disturb = 0;                            // shift of the erased state per read of the block per page
    std::vector<double> references;                // between the states, as set at power-on
    std::vector<std::vector<std::uint32_t>> pages; // by page type: numbers of its references, from 1
};

struct ReadOption {
    std::vector<double> shifts; // of the references; states
    double factor = 1;          // of the RBER; formula
};

struct ErrorModel {
    ErrorModelKind kind = ErrorModelKind::WearCurve;
    std::string source;
    ErrorFormula formula;
    ThresholdStates states;
    double activation = 1.1;              // Ea, eV (JESD218B 6.1.3)
    double celsius = 30;                  // to which retention times refer (assumption: neither source states it)
    double blockSpread = 0;               // process variation, sigma: of log RBER (formula), of the deviations (states)
    double wordLineSpread = 0;            // the same, of the word lines of a block
    std::vector<ReadOption> options;      // retry table: option 1 on; option 0 is power-on
    std::uint32_t reclaimReads = 100'000; // reads of a block after which its data should be moved (MQSim-JW's value)

    bool isOn() const { return kind != ErrorModelKind::WearCurve; }
};

// What the errors of a page depend on: its history and its place.
struct PageStress {
    double cycles = 0;
    double hours = 0; // since its program, at the reference temperature
    double reads = 0; // of its block since the erase, per page of the block
    std::uint32_t pageType = 0;
    bool pslc = false;    // in pSLC mode; `pageType` has no meaning
    double variation = 0; // in sigma times spread
};

// `option`: 0, or an entry of the retry table. REQUIRES: model.isOn(), option <= options.
double bitErrorRate(const ErrorModel& model, const PageStress& page, std::uint32_t option);

// How many hours at the reference temperature age data like one at `celsius`.
double acceleration(double activation, double celsius, double reference);

} // namespace strobe::nand
