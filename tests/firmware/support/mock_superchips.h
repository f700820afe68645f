#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Superchip operations of the mock drive: descriptors over several chips, with sector tables, the host as a sink, and
// tables of firmware as bytes; of single chips too. A descriptor is executed row by row
// (models/controller/superchip.h); the pages of a row run at the same time, each as soon as its die is free. What the
// hardware may do in any order happens in any order: operations of different units on one die, and how long they take.
// A stepped operation is suspended as often as on hardware, but after what it does to the die.
// Everything that it would refuse fails the test.

#include "models/controller/descriptor.h"
#include "models/controller/superchip.h"
#include "models/nand/die.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace strobe::test {

class MockDrive;
class MockFlash;

class MockSuperchips {
public:
    MockSuperchips(MockFlash& flash, MockDrive& drive);

    void execute(std::uint32_t unit, std::uint32_t descriptor);
    void issuePrimitive(std::uint32_t unit, std::uint32_t primitive); // of its suspended operation

private:
    struct Job {
        std::uint32_t unit, address;
        controller::FlashDescriptor descriptor;
        const controller::SuperchipMap* map = nullptr;
        std::uint32_t cursor = 0, end = 0; // sectors, or rows of an erase
        std::uint32_t open = 0;            // page operations of this row
        controller::Outcome outcome;
        std::vector<std::byte> data; // of all sectors, read
        DataMode mode = DataMode::Tags;
        std::uint32_t pages = 0; // done, for spare records
        std::vector<nand::Spare> spares;
    };
    using JobPointer = std::shared_ptr<Job>;
    struct Chain { // page operations of one die, without anything between them
        std::vector<nand::Operation> operations;
        std::vector<std::byte> data;
        std::size_t next = 0;
        std::function<void(const nand::Operation&)> done; // of the last one, or of the first that failed
        std::function<void()> between;                    // before the second
        JobPointer job;
        std::deque<controller::Primitive> primitives; // that firmware issues before a stepped operation ends
    };
    using ChainPointer = std::shared_ptr<Chain>;

    void nextRow(const JobPointer& job);
    bool pageOf(const JobPointer& job, const controller::RowRun& run, std::uint32_t bus);
    void eraseChip(const JobPointer& job, std::uint32_t chip);
    void readPage(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share);
    bool programPage(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share);
    bool mergePage(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share);
    void overlay(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share,
                 std::byte* page);
    void queue(const JobPointer& job, std::uint32_t chip, const ChainPointer& chain);
    void begin(std::uint32_t die);
    void endOrSuspend(std::uint32_t die, const ChainPointer& chain);
    void pageDone(const JobPointer& job, std::uint32_t chip, const nand::Operation& op);
    void end(const JobPointer& job);
    void deliver(Job& job);

    nand::Operation operation(const Job& job, nand::Opcode opcode, std::uint32_t chip, std::uint32_t page) const;
    std::uint32_t block(const Job& job, std::uint32_t list, std::uint32_t chip) const;
    std::uint32_t tableWord(const Job& job, std::uint32_t sector) const; // 0: not buffered
    bool hasTable(const Job& job) const;
    std::uint32_t sectorOf(const Job& job, const controller::RowRun& run, const controller::PageRun& share,
                           std::uint32_t i) const;

    MockFlash& flash_;
    MockDrive& drive_;
    controller::SuperchipMap map_;
    controller::SuperchipMap oneChip_;
    struct DieQueue {
        std::deque<ChainPointer> waiting;
        bool busy = false;
    };
    std::vector<DieQueue> dies_;
    std::map<std::uint32_t, std::pair<std::uint32_t, ChainPointer>> suspended_; // by unit: die and operation
};

} // namespace strobe::test
