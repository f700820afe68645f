#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a die counts, and the energy that its array spends on it. Each counter is declared with its unit and sentence;
// reports and documentation follow from there.

#include "models/base/statistics.h"
#include "models/base/time.h"
#include "models/nand/part.h"

#include <algorithm>
#include <cstdint>

namespace strobe::nand {

struct DieCounters {
    Time arrayBusy{}; // the array is at work: tR, tPROG, tBERS, reset, and the waits inside joined commands
    std::uint64_t reads = 0;
    std::uint64_t programs = 0;  // failed ones included
    std::uint64_t erases = 0;    // failed ones included
    std::uint64_t copyBacks = 0; // whole; one in halves counts as a read and a program
    std::uint64_t resets = 0;
    std::uint64_t failed = 0;  // programs, copy-backs and erases that ended with the FAIL bit
    std::uint64_t aborted = 0; // array operations cut short by a reset
    std::uint64_t illegal = 0;
    std::uint64_t joined = 0;   // of the reads, programs and erases: planes of one command that are not its first
    std::uint64_t cached = 0;   // of the reads and programs: those in cache form
    std::uint64_t suspends = 0; // programs and erases suspended, each time

    void declare(Statistics& stats)
    {
        stats.add("array_busy", Unit::Duration, "time with the array at work, summed over dies", arrayBusy);
        stats.add("reads", Unit::Count, "array reads", reads);
        stats.add("programs", Unit::Count, "array programs, failed ones included", programs);
        stats.add("erases", Unit::Count, "block erases, failed ones included", erases);
        stats.add("copy_backs", Unit::Count, "copy-backs in one command", copyBacks);
        stats.add("resets", Unit::Count, "resets", resets);
        stats.add("failed", Unit::Count, "programs, copy-backs and erases that ended with the FAIL bit", failed);
        stats.add("aborted", Unit::Count, "array operations ended early by a reset", aborted);
        stats.add("illegal", Unit::Count, "commands that the die refused", illegal);
        stats.add("joined", Unit::Count, "of the operations, planes of a multi-plane command after its first", joined);
        stats.add("cached", Unit::Count, "of the reads and programs, those in cache form", cached);
        stats.add("suspends", Unit::Count, "suspensions of programs and erases", suspends);
    }
};

struct PslcCounters { // of DieCounters, those in pSLC mode
    std::uint64_t reads = 0;
    std::uint64_t programs = 0;
    std::uint64_t erases = 0;
    std::uint64_t copyBacks = 0;

    void declare(Statistics& stats)
    {
        stats.add("reads", Unit::Count, "array reads in pSLC mode", reads);
        stats.add("programs", Unit::Count, "array programs in pSLC mode", programs);
        stats.add("erases", Unit::Count, "block erases in pSLC mode", erases);
        stats.add("copy_backs", Unit::Count, "copy-backs in one command, in pSLC mode", copyBacks);
    }
};

struct PlaneReadCounters {        // of parts with plane-independent reads
    std::uint64_t reads = 0;      // of DieCounters: those that leave the other planes alone
    std::uint64_t overlapped = 0; // of these: begun while another plane was sensing
    Time planeBusy{};             // tR of these, summed over planes; DieCounters::arrayBusy counts common time once

    void declare(Statistics& stats)
    {
        stats.add("reads", Unit::Count, "plane-independent reads", reads);
        stats.add("overlapped", Unit::Count, "of these, begun while another plane of the die was sensing", overlapped);
        stats.add("plane_busy", Unit::Duration, "time of their planes at work, summed over planes", planeBusy);
    }
};

struct SnapReadCounters {    // of parts with snap reads
    std::uint64_t reads = 0; // of DieCounters: those of a section of a page

    void declare(Statistics& stats) { stats.add("reads", Unit::Count, "reads of a section of a page", reads); }
};

// All that a die counts. In pSLC mode counts both ways.
struct DieCounterSet {
    DieCounters array;
    PslcCounters pslc;
    PlaneReadCounters planeReads;
    SnapReadCounters snapReads;

    void countRead(bool isPslc)
    {
        ++array.reads;
        if (isPslc)
            ++pslc.reads;
    }
    void countProgram(bool isPslc)
    {
        ++array.programs;
        if (isPslc)
            ++pslc.programs;
    }
    void countErase(bool isPslc)
    {
        ++array.erases;
        if (isPslc)
            ++pslc.erases;
    }
    void countCopyBack(bool isPslc)
    {
        ++array.copyBacks;
        if (isPslc)
            ++pslc.copyBacks;
    }
    // Array time counted in advance that will not pass. After a reset of the counters only a part of it may be
    // included.
    void takeBackBusy(Time rest) { array.arrayBusy -= std::min(rest, array.arrayBusy); }
};

// Energy that the array spent on what was counted; a copy-back is a read and a program. Idle power is not in it.
struct ArrayEnergy { // joules
    double reads = 0;
    double programs = 0;
    double erases = 0;
};
ArrayEnergy arrayEnergy(const Part& part, const DieCounters& all, const PslcCounters& pslc);

} // namespace strobe::nand
