// SPDX-License-Identifier: Apache-2.0
//
// The request path of Start-Gap on the mock drive, whose host checks the data of every read.
#include "tests/firmware/ftl/start_gap/start_gap_headers.h"
#include "tests/firmware/support/host_model.h"
#include "tests/firmware/support/mock_drive.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

extern "C" void strobe_firmware_entry(const strobe_native_hal* hal);

namespace {

using Kind = HostCommand::Kind;

constexpr std::uint32_t lineSectors = 4;
constexpr std::uint32_t pages = 2 * 4 * 4; // 2 dies with 4 blocks of 4 pages
constexpr std::uint32_t lines = pages - 2; // less the gap and the line of zeros

HostCommand order(Kind kind, std::uint64_t lba, std::uint32_t sectors)
{
    return {kind, false, lba, sectors};
}

HostCommand writeOfLine(std::uint32_t line)
{
    return order(Kind::Write, std::uint64_t{line} * lineSectors, lineSectors);
}

HostCommand readOfLine(std::uint32_t line)
{
    return order(Kind::Read, std::uint64_t{line} * lineSectors, lineSectors);
}

// `interval`: writes between two moves of the gap; 0: it stays.
MockOptions smallMemory(std::uint32_t interval)
{
    MockOptions options;
    cpu::BootBlock& boot = options.boot;
    boot.channels = 2;
    boot.ways = boot.luns = boot.planes = 1;
    boot.blocksPerPlane = 4;
    boot.pagesPerBlock = 4;
    boot.pageBytes = lineSectors * 512;
    boot.units = 2;
    boot.unitDepth = 1;
    boot.hostSlots = 8;
    boot.allocationOrder = 0x3210;
    boot.startGapInterval = interval;
    options.overwritable = true;
    options.bufferPages = 16;
    return options;
}

const start_gap_drive& layer()
{
    return *start_gap_instance();
}

struct Run {
    MockOptions options;
    MockDrive drive{options};
    HostModel host{options.boot.hostSlots, lineSectors, options.seed};

    explicit Run(MockOptions wanted) : options(std::move(wanted)) {}
    Run& script(std::vector<HostCommand> commands)
    {
        host.script(std::move(commands));
        drive.run(strobe_firmware_entry, host);
        return *this;
    }
    std::uint64_t reads() { return drive.flash().counters().reads; }
    std::uint64_t programs() { return drive.flash().counters().programs - 1; } // without the line of zeros
};

std::vector<HostCommand> operator+(std::vector<HostCommand> first, const std::vector<HostCommand>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

std::vector<HostCommand> writesOfLine(std::uint32_t line, std::uint32_t times)
{
    return std::vector<HostCommand>(times, writeOfLine(line));
}

std::vector<HostCommand> allLines(HostCommand (*make)(std::uint32_t line))
{
    std::vector<HostCommand> commands;
    for (std::uint32_t line = 0; line < lines; ++line)
        commands.push_back(make(line));
    return commands;
}

} // namespace

// --- reads and writes -----------------------------------------------------------------------------------------------

TEST_CASE("the capacity is all pages less the gap and the line of zeros, or the capacity of the boot block")
{
    CHECK(Run(smallMemory(0)).script({readOfLine(0)}).host.capacity() == lines * lineSectors);
    MockOptions options = smallMemory(0);
    options.boot.capacityLo = 10 * lineSectors;
    CHECK(Run(options).script({readOfLine(0)}).host.capacity() == 10 * lineSectors);
}

TEST_CASE("lines that were never written read as zeros without an operation of the memory")
{
    Run run(smallMemory(0));
    run.script({order(Kind::Read, 0, 3 * lineSectors), order(Kind::Read, 5, 3)});
    CHECK(run.host.failures(HostStatus::Ok) == 2);
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>{0, 0, 0});
    CHECK(run.reads() == 0);
}

TEST_CASE("a whole line is one program, a read of some of its sectors is one read of these")
{
    Run run(smallMemory(0));
    run.script({writeOfLine(2), order(Kind::Read, 9, 2)});
    CHECK(run.programs() == 1);
    CHECK(run.reads() == 1);
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>{1, 1});
}

TEST_CASE("a write of part of a line keeps the other sectors")
{
    Run run(smallMemory(0));
    run.script({writeOfLine(2), order(Kind::Write, 9, 2), readOfLine(2)});
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>{1, 2, 2, 1});
    CHECK(run.reads() == 2); // the rest of the line, and the host's
}

TEST_CASE("a write of part of a line that was never written completes it with zeros")
{
    Run run(smallMemory(0));
    run.script({order(Kind::Write, 9, 2), readOfLine(2)});
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>{0, 1, 1, 0});
}

TEST_CASE("a command over several lines is cut at their ends, at both of its own ends too")
{
    Run run(smallMemory(0));
    run.script({order(Kind::Write, 2, 9), order(Kind::Read, 0, 3 * lineSectors)});
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0});
    CHECK(run.programs() == 3);
}

TEST_CASE("a trim makes whole lines read as zeros and keeps a line that it covers in part")
{
    Run run(smallMemory(0));
    run.script(
        {order(Kind::Write, 0, 3 * lineSectors), order(Kind::Trim, 2, 8), order(Kind::Read, 0, 3 * lineSectors)});
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>{1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_CASE("a flush is complete at once: completed writes are in memory")
{
    Run run(smallMemory(0));
    run.script({writeOfLine(1), order(Kind::Flush, 0, 0)});
    CHECK(run.host.statuses() == std::vector<HostStatus>{HostStatus::Ok, HostStatus::Ok});
}

// --- moves of the gap -----------------------------------------------------------------------------------------------

TEST_CASE("the gap moves once every interval writes, and never with an interval of zero")
{
    for (const std::uint32_t interval : {1U, 3U, 5U}) {
        Run run(smallMemory(interval));
        run.script(allLines(writeOfLine));
        const std::uint32_t moves = lines / interval;
        CHECK(layer().levelling.gap == lines - moves);
    }
    Run(smallMemory(0)).script(allLines(writeOfLine));
    CHECK(layer().levelling.gap == lines);
}

TEST_CASE("a line that moves is read and programmed once; a line that holds nothing moves without the memory")
{
    Run full(smallMemory(1));
    full.script({writeOfLine(lines - 1), readOfLine(lines - 1)}); // the line below the gap
    CHECK(layer().levelling.gap == lines - 1);
    CHECK(full.programs() == 2);
    CHECK(full.reads() == 2);
    CHECK(full.host.lastRead() == std::vector<std::uint32_t>(lineSectors, 1));

    Run empty(smallMemory(1));
    empty.script({writeOfLine(0), readOfLine(0)});
    CHECK(layer().levelling.gap == lines - 1);
    CHECK(empty.programs() == 1);
    CHECK(empty.reads() == 1);
}

TEST_CASE("a trimmed line moves without the memory")
{
    Run run(smallMemory(2));
    run.script({writeOfLine(lines - 1), order(Kind::Trim, (lines - 1) * lineSectors, lineSectors), writeOfLine(0),
                readOfLine(lines - 1)});
    CHECK(layer().levelling.gap == lines - 1);
    CHECK(run.programs() == 2);
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>(lineSectors, 0));
}

TEST_CASE("after the gap has reached the bottom it returns to the top, the start advances, and all data is kept")
{
    Run run(smallMemory(1));
    run.script(allLines(writeOfLine) + writesOfLine(3, 2) + allLines(readOfLine)); // lines + 2 writes and moves
    CHECK(layer().levelling.start == 1);
    CHECK(layer().levelling.gap == lines - 1);
    CHECK(run.host.failures(HostStatus::Ok) == 2 * lines + 2);
}

TEST_CASE("the start wraps around after every line has been in every place")
{
    Run run(smallMemory(1));
    run.script(allLines(writeOfLine) + writesOfLine(5, lines * (lines + 1) - lines) + allLines(readOfLine));
    CHECK(layer().levelling.start == 0);
    CHECK(layer().levelling.gap == lines);
    CHECK(run.host.failures(HostStatus::Ok) == lines * (lines + 1) + lines);
}

TEST_CASE("every read of a random workload returns the last version written, whatever the interval and the buffer")
{
    for (const std::uint32_t interval : {0U, 1U, 2U, 7U}) {
        for (const std::uint32_t bufferPages : {2U, 3U, 64U}) { // 1, 2 and more pieces than commands
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                MockOptions options = smallMemory(interval);
                options.bufferPages = bufferPages;
                options.seed = seed;
                Run run(options);
                WorkloadMix mix;
                mix.trims = 10;
                run.host.random(1500, mix);
                run.drive.run(strobe_firmware_entry, run.host);
                CHECK(run.host.completedCommands() >= 1500);
                CHECK((layer().levelling.start != 0 || layer().levelling.gap != lines) == (interval != 0));
            }
        }
    }
}

// --- refused operations and failures --------------------------------------------------------------------------------

TEST_CASE("commands beyond the capacity are out of range, unknown ones are not supported")
{
    Run run(smallMemory(1));
    const std::uint64_t end = lines * lineSectors;
    run.script({order(Kind::Write, end - 1, 2),
                order(Kind::Read, end, 1),
                order(Kind::Trim, end - 3, 4),
                {static_cast<Kind>(7), false, 0, 1},
                readOfLine(lines - 1)});
    CHECK(run.host.statuses() == std::vector<HostStatus>{HostStatus::OutOfRange, HostStatus::OutOfRange,
                                                         HostStatus::OutOfRange, HostStatus::NotSupported,
                                                         HostStatus::Ok});
    CHECK(run.programs() == 0);
    CHECK(layer().levelling.gap == lines); // a refused write does not count
}

TEST_CASE("an uncorrectable read fails the command, and the line is read again by the next one")
{
    Run run(smallMemory(0));
    run.host.toleratesLoss = true;
    run.drive.onSleep = [&run] {
        run.drive.flash().faults().uncorrectable = run.host.statuses().size() == 1 ? 10000 : 0;
    };
    run.script({writeOfLine(1), readOfLine(1), readOfLine(1)});
    CHECK(run.host.statuses() == std::vector<HostStatus>{HostStatus::Ok, HostStatus::Uncorrectable, HostStatus::Ok});
}

TEST_CASE("a line that a move cannot read is lost until all of it is written again")
{
    Run run(smallMemory(2));
    const std::uint32_t last = lines - 1;
    run.host.toleratesLoss = true;
    run.drive.onSleep = [&run] {
        const bool moved = layer().levelling.gap != lines && layer().levelling.lines == lines;
        run.drive.flash().faults().uncorrectable = run.host.statuses().empty() || moved ? 0 : 10000;
    };
    run.script({writeOfLine(last), writeOfLine(0), readOfLine(last), order(Kind::Write, last * lineSectors, 1),
                readOfLine(0), writeOfLine(last), readOfLine(last)});
    CHECK(run.host.statuses() == std::vector<HostStatus>{HostStatus::Ok, HostStatus::Ok, HostStatus::Uncorrectable,
                                                         HostStatus::Uncorrectable, HostStatus::Ok, HostStatus::Ok,
                                                         HostStatus::Ok});
    CHECK(run.host.lastRead() == std::vector<std::uint32_t>(lineSectors, 4));
}

TEST_CASE("a line whose program fails is lost: the write is a device fault, reads are uncorrectable, a trim ends it")
{
    Run run(smallMemory(0));
    run.host.toleratesLoss = run.host.toleratesFaults = true;
    run.drive.onSleep = [&run] {
        if (run.host.statuses().size() == 1)
            run.drive.flash().die(0).wearOut(0); // lines 0, 2, 4 and 6
    };
    run.script({writeOfLine(0), writeOfLine(0), readOfLine(0), order(Kind::Trim, 0, lineSectors), readOfLine(0),
                writeOfLine(1), readOfLine(1)});
    CHECK(run.host.statuses() == std::vector<HostStatus>{HostStatus::Ok, HostStatus::DeviceFault,
                                                         HostStatus::Uncorrectable, HostStatus::Ok, HostStatus::Ok,
                                                         HostStatus::Ok, HostStatus::Ok});
}

TEST_CASE("a gap that cannot be programmed stays, levelling ends with a message, and the data is kept")
{
    Run run(smallMemory(1));
    bool worn = false;
    run.drive.onSleep = [&run, &worn] {
        if (!worn && run.drive.isReady())
            run.drive.flash().die(lines % 2).wearOut(lines / 2 / 4); // block of the gap
        worn = worn || run.drive.isReady();
    };
    run.script({writeOfLine(lines - 1), writeOfLine(0), writeOfLine(1), writeOfLine(3), readOfLine(lines - 1),
                order(Kind::Read, 0, lineSectors), readOfLine(3)});
    CHECK(layer().stuck);
    CHECK(layer().levelling.gap == lines);
    CHECK(run.host.failures(HostStatus::Ok) == 7);
    REQUIRE(run.drive.console().size() == 1);
    CHECK(run.drive.console()[0] == "start-gap: the gap cannot be programmed, wear levelling ends");
}

TEST_CASE("without a line of zeros, which is tried three times, only whole lines can be written for the first time")
{
    Run run(smallMemory(0));
    run.drive.flash().die((pages - 1) % 2).wearOut((pages - 1) / 2 / 4);
    run.host.toleratesLoss = run.host.toleratesFaults = true;
    run.script({order(Kind::Write, 0, 1), readOfLine(0), writeOfLine(0), order(Kind::Write, 1, 1), readOfLine(0)});
    CHECK(run.host.statuses() == std::vector<HostStatus>{HostStatus::DeviceFault, HostStatus::Ok, HostStatus::Ok,
                                                         HostStatus::Ok, HostStatus::Ok});
    CHECK(run.programs() == 2 + 2); // two more tries, two writes
    REQUIRE(run.drive.console().size() == 1);
    CHECK(run.drive.console()[0] ==
          "start-gap: the last page cannot be programmed: writes of part of an unwritten line are refused");
}

TEST_CASE("a boot block that does not fit is a panic")
{
    const auto panicOf = [](const MockOptions& options) -> std::string {
        try {
            Run(options).script({readOfLine(0)});
        } catch (const FirmwarePanic& panic) {
            return panic.what();
        }
        return "";
    };
    MockOptions options = smallMemory(1);
    options.boot.recover = 1;
    CHECK(panicOf(options) == "start-gap: recovery from a power loss is not supported");
    options = smallMemory(1);
    options.bufferPages = 1;
    CHECK(panicOf(options) == "start-gap: the data buffer is too small; it must hold two pages");
    options = smallMemory(1);
    options.boot.capacityLo = (lines + 1) * lineSectors;
    CHECK(panicOf(options) == "start-gap: the capacity is too large; it can be all pages except two");
}
