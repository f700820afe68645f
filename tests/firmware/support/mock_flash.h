#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The mock drive's flash controller: units that execute descriptors from control memory on real dies (models/nand/die),
// one after the other, each in a time drawn at random. Descriptors without inline blocks are superchip operations
// (mock_superchips.h). Unit tables are of one page.

#include "firmware/hal/strip.h"
#include "models/controller/xor_engine.h"
#include "models/nand/die.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace strobe::test {

class MockDrive;
class MockSuperchips;

// Chances are per operation, in 1/10000; at most `most` blocks are worn out in all.
struct MockFaults {
    std::uint32_t wearOut = 0;       // before a program or erase: its block is worn out from now on
    std::uint32_t uncorrectable = 0; // a read of data cannot be corrected
    std::uint32_t most = 0xFFFFFFFF;
    std::uint32_t unreadableDie = 0xFFFFFFFF; // the only one with such reads; else all
};

class MockFlash {
public:
    MockFlash(MockDrive& drive, std::uint32_t dies, nand::Part part, std::uint32_t badBlocks, std::uint32_t units,
              std::uint32_t depth, MockFaults faults, std::uint64_t seed);
    ~MockFlash();

    void submit(std::uint32_t unit, std::uint32_t descriptor);
    void issuePrimitive(std::uint32_t unit, std::uint32_t primitive); // of the suspended operation
    // The pages of a strip, at once; returns the status of the operation.
    bool fails(const hal_strip& strip); // its program: ask once, before
    std::uint32_t store(const hal_strip& strip, std::vector<SectorTag>& tags);
    std::uint64_t stored() const { return stored_; } // strips
    void powerOff(Time now);

    const nand::Part& part() const { return part_; }
    nand::Die& die(std::uint32_t number) { return dies_[number]; }
    std::uint32_t dies() const { return static_cast<std::uint32_t>(dies_.size()); }
    MockFaults& faults() { return faults_; }
    std::uint32_t wornOut() const { return wornOut_; }
    nand::DieCounters counters() const;      // of all dies
    std::vector<std::uint32_t> programOrder; // dies, in the order in which their programs were started
    struct Programmed {
        std::uint32_t logical;   // page, from its spare record; with a unit table its first unit
        std::uint64_t transfers; // host transfers that had ended when its program started
    };
    std::vector<Programmed> programmed; // in the same order

private:
    friend class MockSuperchips;
    struct Unit {
        std::deque<std::uint32_t> lists;
        bool busy = false;
    };
    void start(std::uint32_t unit);
    void execute(std::uint32_t unit, std::uint32_t descriptor);
    void executeWordLine(std::uint32_t number, std::uint32_t address);
    void end(std::uint32_t unit, std::uint32_t descriptor, nand::Operation op);
    bool happens(std::uint32_t chance) { return chance != 0 && rng_.below(10000) < chance; }
    nand::Operation operationOf(const std::uint32_t* words, std::uint32_t page);
    void gather(const std::uint32_t* words, nand::Operation& op, std::uint32_t page);
    void distribute(const std::uint32_t* words, const nand::Operation& op);
    std::uint32_t* unitTable(const std::uint32_t* words, std::uint32_t units);
    void endDescriptor(std::uint32_t unit, std::uint32_t descriptor, std::uint32_t status);
    bool wears(nand::Die& die, std::uint32_t block);
    bool isUnreadable(const nand::Operation& op);
    void addParity(const std::uint32_t* words, nand::Operation& op, std::uint32_t page);

    MockDrive& drive_;
    nand::Part part_;
    std::vector<nand::Die> dies_;
    std::vector<Unit> units_;
    std::uint32_t depth_;
    MockFaults faults_;
    Rng rng_;
    std::uint32_t wornOut_ = 0;
    std::uint64_t stored_ = 0;
    std::vector<SectorTag> unitTags_;      // of the operation with a unit table that is being issued or fetched
    std::vector<nand::Spare> unitRecords_; // the same
    std::unique_ptr<MockSuperchips> superchips_;
    controller::XorEngine xorEngine_;
};

} // namespace strobe::test
