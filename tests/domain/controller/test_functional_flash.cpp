// SPDX-License-Identifier: Apache-2.0
//
// Flash units without time: the outcomes of the timed ones, turns, and the change between the two.
#include "models/base/bytes.h"
#include "models/controller/functional_flash.h"
#include "tests/domain/controller/controller_bench.h"

#include <functional>

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

// A bench whose controller is replaced.
class Untimed : private HostSink {
public:
    explicit Untimed(const FlashControllerConfig& config = Bench::oneUnit(), const nand::Part& part = benchPart())
        : bench(config, part), buffer(bench.memory, bench.controller.config().die.sectorsPerPage()),
          flash(bench.controller, diesOf(bench), buffer, this, bench.now)
    {
    }
    void head(std::uint32_t unit, BusAddress list)
    {
        CHECK(flash.writeRegister(regs::flash::UNIT_HEAD + regs::flash::UNIT_HEAD_step * unit, raw(list)));
    }
    void acknowledge(std::uint32_t count) { CHECK(flash.writeRegister(regs::flash::RING_CONSUMER, count)); }
    void run()
    {
        while (flash.step()) {
        }
    }

    Bench bench;
    memory::FunctionalBuffer buffer;
    FunctionalFlash flash;
    std::vector<Bench::Sunk> sunk;

private:
    static FunctionalFlash::Dies diesOf(const Bench& bench)
    {
        FunctionalFlash::Dies dies;
        for (const auto& die : bench.dies)
            dies.push_back(die.get());
        return dies;
    }
    bool deliver(const HostRun& run, Time at) override
    {
        if (run.slot == Bench::refusedSlot)
            return false;
        sunk.push_back({run, {run.content.data, run.content.data + run.sectors * stride(run.content.mode)}, at});
        return true;
    }
    void handBack(std::uint16_t, Time) override { FAIL("no synthesizer"); }
    void fail(std::uint16_t, Time) override { FAIL("no synthesizer"); }
};

using Prepare = std::function<void(Bench& bench)>; // fills buffers and tables

struct Step {
    FlashDescriptor descriptor;
    bool continues = false; // the next one is in the same list
};

// The same lists with and without time; afterwards everything that firmware or a die can tell is the same.
void compare(const FlashControllerConfig& config, const Prepare& prepare, const std::vector<Step>& steps,
             const nand::Part& part = benchPart())
{
    Bench timed(config, part);
    Untimed untimed(config, part);
    for (Bench* bench : {&timed, &untimed.bench}) {
        prepare(*bench);
        for (std::uint32_t i = 0; i < steps.size(); ++i) {
            FlashDescriptor d = steps[i].descriptor;
            d.cookie = 100 + i;
            if (steps[i].continues)
                d.next = descriptorAt(i + 1);
            bench->put(i, d);
        }
    }
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        if (i != 0 && steps[i - 1].continues)
            continue;
        timed.head(0, descriptorAt(i));
        timed.run();
        untimed.head(0, descriptorAt(i));
        untimed.run();
    }
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        INFO("descriptor " << i);
        CHECK(timed.descriptorWords(i) == untimed.bench.descriptorWords(i));
    }
    const auto expected = timed.takeEvents();
    const auto found = untimed.bench.takeEvents();
    REQUIRE(expected.size() == found.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO("event " << i);
        CHECK(statusWord(expected[i].outcome) == statusWord(found[i].outcome));
        CHECK(expected[i].descriptor == found[i].descriptor);
        CHECK(expected[i].cookie == found[i].cookie);
        CHECK(expected[i].unit == found[i].unit);
    }
    const std::size_t bytes = 128 * stride(config.dataMode); // none without data
    CHECK((bytes == 0 || std::memcmp(timed.memory.sectors(dataBuffer.base, 128).data,
                                     untimed.bench.memory.sectors(dataBuffer.base, 128).data, bytes) == 0));
    CHECK(std::memcmp(timed.memory.bytes(listsAt, 0x4000), untimed.bench.memory.bytes(listsAt, 0x4000), 0x4000) == 0);
    REQUIRE(timed.sunk.size() == untimed.sunk.size());
    for (std::size_t i = 0; i < timed.sunk.size(); ++i) {
        CHECK(timed.sunk[i].data == untimed.sunk[i].data);
        CHECK(timed.sunk[i].run.first == untimed.sunk[i].run.first);
        CHECK(timed.sunk[i].run.completes == untimed.sunk[i].run.completes);
    }
    for (std::size_t d = 0; d < timed.dies.size(); ++d) {
        const nand::Die& a = *timed.dies[d];
        const nand::Die& b = *untimed.bench.dies[d];
        for (std::uint32_t block = 0; block < a.part().geometry.blocks(); ++block) {
            INFO("die " << d << ", block " << block);
            CHECK(a.block(block).erases == b.block(block).erases);
            CHECK(a.block(block).nextPage == b.block(block).nextPage);
            for (std::uint32_t page = 0; page < a.part().geometry.pagesPerBlock; ++page) {
                for (std::uint32_t record = 0; record < part.geometry.spareRecords(); ++record)
                    CHECK(a.cells().spareOf({block, page}, record) == b.cells().spareOf({block, page}, record));
            }
        }
    }
    CHECK(timed.controller.failures().total() == untimed.flash.failures().total());
}

Step withSpare(FlashDescriptor d, std::uint32_t mark)
{
    d.inlineSpare = true;
    d.spare = {mark, mark + 1, mark + 2, mark + 3};
    return {d};
}

FlashControllerConfig fourBusesTwoChips()
{
    FlashControllerConfig config = Bench::oneUnit();
    config.array = {4, 2, 1};
    config.superchip = {4, 2};
    return config;
}

} // namespace

TEST_CASE("operations of one die end without time as they do with it")
{
    for (const DataMode mode : {DataMode::Tags, DataMode::Bytes, DataMode::None}) {
        FlashControllerConfig config = Bench::oneUnit();
        config.dataMode = mode;
        const auto fill = [mode](Bench& bench) {
            if (mode == DataMode::Tags)
                bench.putTags(0, 500, 32);
        };
        FlashDescriptor silent = pages(SuperchipOpcode::Program, 0, {2, 2}, 1, 8);
        silent.report = false;
        FlashDescriptor copy = descriptor(SuperchipOpcode::CopyBack, 0, 4);
        copy.sectors = 4;
        copy.sourceBlocks = 2;
        FlashDescriptor part = pages(SuperchipOpcode::Read, 0, {2, 1}, 1, 16);
        part.startSector += 1;
        part.sectors = 2;
        FlashDescriptor table = pages(SuperchipOpcode::Program, 0, {3, 0}, 1, 0);
        table.buffer = BusAddress{0x80009000};
        FlashDescriptor tableBack = pages(SuperchipOpcode::Read, 0, {3, 0}, 1, 0);
        tableBack.buffer = BusAddress{0x8000A000};
        FlashDescriptor nowhere = pages(SuperchipOpcode::Program, 0, {3, 1}, 1, 0);
        nowhere.buffer = BusAddress{0x10000};
        FlashDescriptor beyond = pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 0);
        beyond.superchip = 7;
        compare(config, fill,
                {withSpare(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0), 10),
                 {pages(SuperchipOpcode::Program, 0, {2, 1}, 1, 4), true}, // two in one list
                 {silent},
                 withSpare(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 12), 0),
                 {part},
                 withSpare(pages(SuperchipOpcode::Read, 0, {2, 3}, 1, 20), 0), // blank
                 withSpare(copy, 40),                                          // the record of the source goes along
                 {pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0)},           // twice
                 {pages(SuperchipOpcode::Read, 0, {2, 0}, 3, 24)},             // several pages
                 {descriptor(SuperchipOpcode::Erase, 0, 2)},
                 {pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 28)},
                 {table},
                 {tableBack},
                 {nowhere},
                 {beyond}});
    }
}

TEST_CASE("unit tables end without time as they do with it")
{
    constexpr BusAddress programTable = listsAt;
    constexpr BusAddress readTable = listsAt + 0x100;
    constexpr BusAddress partTable = listsAt + 0x200;
    constexpr BusAddress wrongTable = listsAt + 0x300;
    for (const DataMode mode : {DataMode::Tags, DataMode::Bytes, DataMode::None}) {
        FlashControllerConfig config = Bench::oneUnit();
        config.dataMode = mode;
        const auto fill = [mode](Bench& bench) {
            if (mode == DataMode::Tags)
                bench.putTags(0, 500, 64);
            bench.putUnitTable(programTable, {2, 3, -1, 7, 0, 1, 5, 4},
                               {{1, 1, 1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}});
            bench.putUnitTable(readTable, {8, 11, -1, 10}, std::vector<nand::Spare>(4));
            bench.putUnitTable(partTable, {15, 14}, std::vector<nand::Spare>(2));
            bench.putUnitTable(wrongTable, {100, 1, 2, 3}, std::vector<nand::Spare>(4));
        };
        const auto units = [](SuperchipOpcode opcode, std::uint32_t first, std::uint32_t count, BusAddress table) {
            FlashDescriptor d = descriptor(opcode, 0, 2);
            d.startSector = first * 8;
            d.sectors = count * 8;
            d.hasUnitTable = true;
            d.spareAddress = table;
            return d;
        };
        FlashDescriptor whole = descriptor(SuperchipOpcode::Read, 0, 2); // an inline record of the second unit
        whole.startSector = 8;
        whole.sectors = 8;
        whole.buffer = bufferAt(13 * 8);
        compare(config, fill,
                {{units(SuperchipOpcode::Program, 0, 8, programTable)},
                 {units(SuperchipOpcode::Read, 0, 4, readTable), true},
                 {units(SuperchipOpcode::Read, 3, 2, partTable)},
                 withSpare(whole, 0),
                 {units(SuperchipOpcode::Program, 4, 4, readTable)}, // twice
                 {units(SuperchipOpcode::Program, 8, 4, wrongTable)},
                 {units(SuperchipOpcode::Read, 8, 4, readTable)}}, // blank
                largePagePart());
    }
}

TEST_CASE("a page that is kept as a run of tags is programmed as its tags would be")
{
    const std::uint32_t sectors = 4; // of a page
    Bench timed;
    Untimed untimed;
    timed.putTags(0, 500, sectors, 7);
    const auto keep = [&] { untimed.buffer.putRun(bufferAt(0), sectors, 500, 7); };
    FlashDescriptor silent = pages(SuperchipOpcode::Program, 0, {2, 1}, 1, 0);
    silent.report = false;
    FlashDescriptor late = pages(SuperchipOpcode::Program, 0, {3, 2}, 1, 0);
    late.purpose = nand::Purpose::Metadata;
    FlashDescriptor beyond = pages(SuperchipOpcode::Program, 0, {2, 2}, 1, 0);
    beyond.blocks = 100000;
    const std::vector<FlashDescriptor> steps{
        withSpare(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0), 10).descriptor,
        silent,
        withSpare(late, 30).descriptor,
        withSpare(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0), 50).descriptor, // twice
        withSpare(pages(SuperchipOpcode::Program, 0, {3, 1}, 1, 0), 60).descriptor, // not in order
        withSpare(pages(SuperchipOpcode::Program, 0, {4, 0}, 1, 0), 70).descriptor, // worn out
        beyond};
    for (Bench* bench : {&timed, &untimed.bench}) {
        bench->dies[0]->wearOut(4);
        for (std::uint32_t i = 0; i < steps.size(); ++i)
            bench->put(i, steps[i]);
    }
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        INFO("descriptor " << i);
        timed.head(0, descriptorAt(i));
        timed.run();
        keep();
        untimed.head(0, descriptorAt(i));
        untimed.run();
        CHECK(timed.descriptorWords(i) == untimed.bench.descriptorWords(i));
        CHECK(timed.takeEvents().size() == untimed.bench.takeEvents().size());
    }
    CHECK(timed.controller.failures().total() == untimed.flash.failures().total());
    const auto saved = [](const Bench& bench) {
        ByteWriter file;
        bench.dies[0]->save(file);
        return file.bytes();
    };
    CHECK(saved(timed) == saved(untimed.bench));
    CHECK(timed.dies[0]->counters().array.programs == untimed.bench.dies[0]->counters().array.programs);
    CHECK(timed.dies[0]->block(3).metadata == untimed.bench.dies[0]->block(3).metadata);
}

TEST_CASE("units that are kept as runs of tags are programmed as their tags would be, in pages and in word lines")
{
    constexpr BusAddress table = listsAt;
    const std::uint32_t pagesPerProgram = GENERATE(1U, 2U);
    nand::Part part = largePagePart();
    part.geometry.pagesPerProgram = pagesPerProgram;
    if (pagesPerProgram != 1)
        part.times.tPBSY = 500ns;
    FlashControllerConfig config = Bench::oneUnit();
    config.unitOperations = 2;
    Bench timed(config, part);
    Untimed untimed(config, part);
    const std::uint32_t units = part.geometry.sectorsPerPage() / 8 * pagesPerProgram;
    std::vector<int> places;
    std::vector<nand::Spare> records;
    for (std::uint32_t i = 0; i < units; ++i) {
        places.push_back(static_cast<int>(i == 1 ? 2 : i == 2 ? 1 : i)); // the first page is not one run
        records.push_back({i, 2, 3, 4});
    }
    FlashDescriptor d = descriptor(SuperchipOpcode::Program, 0, 2);
    d.sectors = units * 8;
    d.hasUnitTable = true;
    d.spareAddress = table;
    FlashDescriptor failing = d;
    failing.blocks = 4;
    FlashDescriptor bad = d;
    bad.blocks = 100000;
    const std::vector<FlashDescriptor> steps{d, d, failing, bad}; // the second one is refused: it is programmed
    for (Bench* bench : {&timed, &untimed.bench}) {
        bench->putUnitTable(table, places, records);
        bench->dies[0]->wearOut(4);
        for (std::uint32_t i = 0; i < steps.size(); ++i)
            bench->put(i, steps[i]);
    }
    timed.putTags(0, 500, units * 8, 7);
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        INFO("descriptor " << i);
        untimed.buffer.putRun(bufferAt(0), units * 8, 500, 7);
        timed.head(0, descriptorAt(i));
        timed.run();
        untimed.head(0, descriptorAt(i));
        untimed.run();
        CHECK(timed.descriptorWords(i) == untimed.bench.descriptorWords(i));
        CHECK(timed.takeEvents().size() == untimed.bench.takeEvents().size());
    }
    CHECK(timed.outcome(0).code == StatusCode::Ok);
    CHECK(timed.controller.failures().total() == untimed.flash.failures().total());
    const auto saved = [](const Bench& bench) {
        ByteWriter file;
        bench.dies[0]->save(file);
        return file.bytes();
    };
    CHECK(saved(timed) == saved(untimed.bench));
    CHECK(timed.dies[0]->counters().array.programs == untimed.bench.dies[0]->counters().array.programs);
    CHECK(timed.dies[0]->counters().array.illegal == untimed.bench.dies[0]->counters().array.illegal);
}

TEST_CASE("superchips, sector tables, merges and reads to the host end without time as they do with it")
{
    const FlashControllerConfig config = fourBusesTwoChips();
    const std::uint32_t perSuperpage = 32;
    const BusAddress blocks = listsAt;
    const BusAddress targets = listsAt + 64;
    const BusAddress table = listsAt + 128;
    const auto prepare = [&](Bench& bench) {
        bench.putTags(0, 1000, 64);
        bench.putTags(64, 2000, 32, 2);
        bench.putWords(blocks, std::array<std::uint32_t, 8>{2, 2, 2, 2, 2, 2, 2, 2});
        bench.putWords(targets, std::array<std::uint32_t, 8>{4, 4, 4, 4, 4, 4, 4, 4});
        std::vector<int> sectors(perSuperpage, -1); // of some pages all, of some none
        for (int i = 0; i < 20; i += 1 + i % 2)
            sectors[static_cast<std::size_t>(i)] = 64 + i;
        bench.putTable(table, sectors);
    };
    const auto whole = [&](SuperchipOpcode opcode) {
        FlashDescriptor d;
        d.opcode = opcode;
        d.report = true;
        d.sectors = perSuperpage;
        d.buffer = bufferAt(0);
        d.blocks = raw(blocks);
        return d;
    };
    FlashDescriptor program = whole(SuperchipOpcode::Program);
    program.commonSpare = true;
    program.spare = {7, 8, 9, 10};
    FlashDescriptor merge = whole(SuperchipOpcode::CopyBack);
    merge.blocks = raw(targets);
    merge.sourceBlocks = raw(blocks);
    merge.hasSectorTable = true;
    merge.spareAddress = table;
    FlashDescriptor read = whole(SuperchipOpcode::Read);
    read.blocks = raw(targets);
    read.buffer = bufferAt(96);
    FlashDescriptor toHost = read;
    toHost.buffer = hostInterfaceBuffer;
    toHost.sourceSector = 5;
    toHost.completes = true;
    FlashDescriptor refused = toHost;
    refused.sourceSector = Bench::refusedSlot;
    FlashDescriptor erase = whole(SuperchipOpcode::Erase);
    compare(config, prepare, {{program}, {merge}, {read}, {toHost}, {refused}, {erase}});
}

TEST_CASE("a list without an end is refused without time as it is with it")
{
    // Reads of one page; NEXT of the last one is the descriptor of that number.
    for (const auto& [length, target] : {std::pair{1U, 0U}, {2U, 0U}, {2U, 1U}, {9U, 0U}, {9U, 3U}}) {
        INFO(length << " descriptors, NEXT of the last one: " << target);
        Bench timed(Bench::oneUnit());
        Untimed untimed;
        for (Bench* bench : {&timed, &untimed.bench}) {
            for (std::uint32_t i = 0; i < length; ++i) {
                FlashDescriptor d = pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 0);
                d.next = descriptorAt(i + 1 == length ? target : i + 1);
                bench->put(i, d);
            }
        }
        timed.head(0, descriptorAt(0));
        timed.run();
        untimed.head(0, descriptorAt(0));
        untimed.run();
        for (std::uint32_t i = 0; i < length; ++i)
            CHECK(timed.descriptorWords(i) == untimed.bench.descriptorWords(i));
        CHECK(timed.takeEvents().size() == untimed.bench.takeEvents().size());
        const FailureLog& failures = untimed.flash.failures();
        REQUIRE(failures.total() == 1);
        CHECK(failures.first()[0].malformed == MalformedReason::ListLoops);
        CHECK(failures.first()[0].descriptor == timed.controller.failures().first()[0].descriptor);
    }
}

TEST_CASE("each unit executes one list per step, so its die stays busy meanwhile")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.array = {2, 1, 1};
    config.units = 2;
    Untimed untimed(config);
    for (std::uint32_t i = 0; i < 3; ++i)
        untimed.bench.put(i, pages(SuperchipOpcode::Program, i / 2, {2, i % 2}, 1, 0));
    untimed.head(0, descriptorAt(0));
    untimed.head(0, descriptorAt(1));
    untimed.head(1, descriptorAt(2));
    CHECK(untimed.bench.takeEvents().empty()); // nothing happens before
    CHECK(untimed.flash.step());
    CHECK(untimed.bench.takeEvents().size() == 2); // one of each unit
    CHECK(untimed.flash.lineAsserted());
    CHECK(untimed.flash.step());
    CHECK(untimed.bench.takeEvents().size() == 1);
    CHECK_FALSE(untimed.flash.step());
    untimed.acknowledge(3);
    CHECK_FALSE(untimed.flash.lineAsserted());
}

TEST_CASE("a list beyond the depth of a unit is refused, as is an acknowledgement of events that were not put")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.unitDepth = 1;
    Untimed untimed(config);
    for (std::uint32_t i = 0; i < 3; ++i) {
        untimed.bench.put(i, pages(SuperchipOpcode::Program, 0, {2, i}, 1, 0));
        untimed.head(0, descriptorAt(i));
    }
    untimed.run();
    CHECK(untimed.flash.failures().count(FailureKind::ListRefused) == 1);
    CHECK(untimed.bench.dies[0]->block(2).nextPage == 2);
    untimed.acknowledge(3);
    CHECK(untimed.flash.failures().count(FailureKind::RingConsumerRefused) == 1);
    CHECK_FALSE(untimed.flash.writeRegister(regs::flash::RING_BASE, 0)); // not one of its registers
    std::uint32_t value = 1;
    CHECK(untimed.flash.readRegister(regs::flash::UNIT_STATUS, value));
    CHECK(value == 0);
    CHECK_FALSE(untimed.flash.readRegister(regs::flash::UNIT_HEAD, value));
}

TEST_CASE("the controller goes on where its substitute ends, with the lists that are left")
{
    Untimed untimed;
    Bench& bench = untimed.bench;
    // More events than the ring has entries: the phase changes on the way.
    std::uint32_t count = 0;
    for (std::uint32_t round = 0; round < 5; ++round) {
        for (std::uint32_t page = 0; page < 4; ++page) {
            bench.put(page, pages(SuperchipOpcode::Program, 0, {2, page}, 1, 0));
            untimed.head(0, descriptorAt(page));
        }
        bench.put(4, descriptor(SuperchipOpcode::Erase, 0, 2));
        untimed.head(0, descriptorAt(4));
        untimed.run();
        count += static_cast<std::uint32_t>(bench.takeEvents().size());
        untimed.acknowledge(count);
    }
    CHECK(count == 25);
    bench.put(0, pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0));
    bench.put(1, pages(SuperchipOpcode::Program, 0, {2, 1}, 1, 0));
    untimed.head(0, descriptorAt(0));
    untimed.head(0, descriptorAt(1));

    const std::vector<FunctionalFlash::List> left = untimed.flash.takeLists();
    REQUIRE(left.size() == 2);
    CHECK(untimed.flash.isIdle());
    bench.controller.continueAfter(untimed.flash.events(), untimed.flash.failures());
    for (const FunctionalFlash::List& list : left)
        bench.head(raw(list.unit), list.head);
    bench.run();
    CHECK(bench.takeEvents().size() == 2); // in the entries and with the phase that firmware expects
    bench.acknowledge();
    CHECK(bench.controller.failures().total() == 0);
    CHECK(bench.dies[0]->block(2).nextPage == 2);
    CHECK(bench.dies[0]->block(2).erases == 5);
}
