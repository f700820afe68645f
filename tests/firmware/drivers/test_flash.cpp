// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <string>

using namespace strobe::test;

namespace {

std::vector<std::pair<std::uint32_t, flash_status>> ended;

// The driver, and the hardware's side of it by hand.
struct Fixture {
    FakeHal hal;
    flash driver{};
    std::uint32_t events = 0;

    Fixture(std::uint32_t dies, std::uint32_t units, std::uint32_t depth)
    {
        ended.clear();
        flash_init(&driver, &hal.arena, dies, units, depth, 32, nullptr,
                   [](void*, std::uint32_t op, flash_status status) { ended.emplace_back(op, status); });
        hal.writes.clear();
    }
    void read(std::uint32_t op, std::uint32_t die, flash_purpose purpose = FLASH_FOR_HOST)
    {
        flash_read(&driver, op, {die, 1, 2, false}, 3, 0x80000, purpose);
    }
    void program(std::uint32_t op, std::uint32_t die)
    {
        flash_program(&driver, op, {die, 1, 0, false}, 4, 0x80000, {{11, 12, 13, 14}}, FLASH_FOR_HOST);
    }
    void end(std::uint32_t op, std::uint32_t status = FLASH_OK)
    {
        auto* entry = const_cast<std::uint32_t*>(&driver.ring.entries[4 * events++]);
        entry[2] = op;
        entry[0] = status | RING_PHASE;
        flash_poll(&driver);
    }
    // Operations handed to the hardware since the last call: unit * 100 + operation.
    std::vector<std::uint32_t> started()
    {
        std::vector<std::uint32_t> list;
        for (const auto& [address, value] : hal.writes) {
            if (address >= FLASH_UNIT_HEAD)
                list.push_back((address - FLASH_UNIT_HEAD) / FLASH_UNIT_HEAD_STEP * 100 +
                               (value - driver.descriptors_at) / 64);
        }
        hal.writes.clear();
        return list;
    }
};

using Ops = std::vector<std::uint32_t>;

void setLimits(flash& driver, std::uint32_t dieDepth, std::uint32_t readUnits, std::uint32_t readDepth = 0)
{
    boot_block boot{};
    boot.die_depth = dieDepth;
    boot.read_units = readUnits;
    boot.read_depth = readDepth;
    flash_set_limits(&driver, &boot);
}

// The governor is on, and allows so many dies.
void limitDies(flash& driver, std::uint32_t dies)
{
    driver.is_special = driver.turns.governor.is_on = true;
    driver.turns.governor.limit = dies;
}

} // namespace

TEST_CASE("a descriptor contains place, operation and purpose")
{
    Fixture f(2, 2, 1);
    f.program(5, 1);
    CHECK(f.driver.descriptors_at % 64 == 0);
    const flash_descriptor& d = f.driver.descriptors[5];
    CHECK(d.next == 0);
    CHECK((d.control & 0xFF) == FLASH_PROGRAM);
    CHECK(d.superchip == 1);
    CHECK(d.blocks == 1);
    CHECK(d.start_sector == 0);
    CHECK(d.sectors == 4);
    CHECK(d.buffer == 0x80000);
    CHECK(d.cookie == 5);
    CHECK(d.spare0 == 11);
    CHECK(d.spare3 == 14);
    flash_copyback(&f.driver, 6, {1, 2, 8, false}, 3, 12, 4, FLASH_FOR_WEAR);
    const flash_descriptor& c = f.driver.descriptors[6];
    CHECK((c.control & 0xFF) == FLASH_COPYBACK);
    CHECK((c.control & FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK) >> FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT ==
          FLASH_FOR_WEAR);
    CHECK(c.source_blocks == 3);
    CHECK(c.source_sector == 12);
    CHECK(f.started() == Ops{105, 106});
}

TEST_CASE("two operations of a die are handed over, the others wait in software")
{
    Fixture f(1, 1, 8);
    for (std::uint32_t op = 0; op < 4; ++op)
        f.program(op, 0);
    CHECK(f.started() == Ops{0, 1});
    f.end(0);
    CHECK(f.started() == Ops{2});
    f.end(1);
    CHECK(f.started() == Ops{3});
    CHECK_FALSE(flash_die_is_idle(&f.driver, 0));
    f.end(2);
    f.end(3);
    CHECK(flash_die_is_idle(&f.driver, 0));
    CHECK(ended.size() == 4);
}

TEST_CASE("a unit never gets more lists than it accepts")
{
    Fixture f(1, 1, 0);
    f.program(0, 0);
    f.program(1, 0);
    CHECK(f.started() == Ops{0});
    f.end(0);
    CHECK(f.started() == Ops{1});
}

TEST_CASE("reads for the host pass operations that wait in software, other operations do not")
{
    Fixture f(1, 1, 8);
    for (std::uint32_t op = 0; op < 4; ++op)
        f.program(op, 0);
    f.read(10, 0, FLASH_FOR_COLLECTION);
    f.read(11, 0, FLASH_FOR_MERGE);
    f.read(12, 0);
    f.started();
    Ops order;
    for (std::uint32_t op : {0u, 1u, 11u, 12u, 2u}) {
        f.end(op);
        for (std::uint32_t next : f.started())
            order.push_back(next);
    }
    CHECK(order == Ops{11, 12, 2, 3, 10});
}

TEST_CASE("after four reads in a row another operation follows")
{
    Fixture f(1, 1, 0);
    f.program(0, 0);
    f.program(1, 0);
    for (std::uint32_t op = 10; op < 16; ++op)
        f.read(op, 0);
    Ops order = f.started();
    for (int i = 0; i < 7; ++i) {
        f.end(order.back());
        order.push_back(f.started().at(0));
    }
    CHECK(order == Ops{0, 10, 11, 12, 13, 1, 14, 15});
}

TEST_CASE("an erase never passes a read that was queued before it")
{
    Fixture f(1, 1, 0);
    f.program(0, 0);
    for (std::uint32_t op = 10; op < 16; ++op)
        f.read(op, 0);
    flash_erase(&f.driver, 1, {0, 1, 0, false}, FLASH_FOR_COLLECTION);
    f.read(16, 0); // queued later: of another block
    Ops order = f.started();
    for (int i = 0; i < 8; ++i) {
        f.end(order.back());
        order.push_back(f.started().at(0));
    }
    CHECK(order == Ops{0, 10, 11, 12, 13, 14, 15, 1, 16});
}

TEST_CASE("with fewer units than dies a die takes a free unit and keeps it until its operations have ended")
{
    Fixture f(3, 2, 1);
    f.program(0, 0);
    f.program(1, 2);
    f.program(2, 0); // the same unit again
    CHECK(f.started() == Ops{0, 101, 2});
    f.program(3, 1);
    CHECK(f.started() == Ops{103}); // the less loaded one
    f.program(4, 2);                // unit 1 is full
    CHECK(f.started().empty());
    f.end(1);
    CHECK(f.started() == Ops{104});
}

TEST_CASE("a failed operation is reported with its status; a refused one is a bug and ends in a panic")
{
    Fixture f(1, 1, 1);
    f.program(7, 0);
    f.end(7, FLASH_PROGRAM_FAILED);
    REQUIRE(ended.size() == 1);
    CHECK(ended[0] == std::make_pair(7u, FLASH_PROGRAM_FAILED));
    f.program(8, 0);
    try {
        f.end(8, FLASH_ILLEGAL);
        FAIL("no panic");
    } catch (const Panic& panic) {
        CHECK(std::string(panic.what()) == "the die rejected flash opcode 2 at die 0 block 1 sector 0");
    }
}

TEST_CASE("the consumer count is written once per batch of events")
{
    Fixture f(4, 4, 1);
    for (std::uint32_t op = 0; op < 3; ++op) {
        f.program(op, op);
        auto* entry = const_cast<std::uint32_t*>(&f.driver.ring.entries[4 * op]);
        entry[2] = op;
        entry[0] = FLASH_OK | RING_PHASE;
    }
    f.hal.writes.clear();
    CHECK(flash_poll(&f.driver) == 3);
    CHECK(f.hal.writes == decltype(f.hal.writes){{FLASH_RING_CONSUMER, 3}});
    CHECK(flash_poll(&f.driver) == 0);
    CHECK(f.hal.writes.size() == 1);
}

namespace {

constexpr std::uint32_t noOption = 0xFFFFFFFF;

struct RetryFixture : Fixture {
    RetryFixture(std::uint32_t options, std::uint32_t senses, std::uint32_t units = 2) : Fixture(2, units, 3)
    {
        boot_block boot{};
        boot.channels = 2;
        boot.ways = boot.luns = boot.planes = 1;
        boot.blocks_per_plane = 8;
        boot.retry_options = options;
        boot.soft_senses = senses;
        flash_init_retry(&driver, &boot, &hal.arena, 32);
        hal.writes.clear();
    }
    // SOURCE_BLOCKS of a read that has one.
    std::uint32_t option(std::uint32_t op) const
    {
        const flash_descriptor& d = driver.descriptors[op];
        return (d.control & FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK) != 0 ? d.source_blocks : noOption;
    }
};

constexpr std::uint32_t word(std::uint32_t option, std::uint32_t senses, std::uint32_t failed)
{
    return option | senses << 8 | failed << 12;
}

} // namespace

TEST_CASE("a read that cannot be corrected is tried under all options, then soft, and then has failed")
{
    RetryFixture f(2, 5);
    f.read(3, 1);
    CHECK(f.started() == Ops{103});
    CHECK(f.option(3) == noOption);
    for (const std::uint32_t expected : {word(1, 1, 1), word(2, 1, 2), word(1, 5, 3)}) {
        f.end(3, FLASH_UNCORRECTABLE);
        CHECK(f.started() == Ops{103});
        CHECK(f.option(3) == expected);
        CHECK(ended.empty());
    }
    f.end(3, FLASH_UNCORRECTABLE);
    CHECK(f.started().empty());
    CHECK(ended == decltype(ended){{3, FLASH_UNCORRECTABLE}});
}

TEST_CASE("later reads of a block begin with the option that was good, until it is erased")
{
    RetryFixture f(3, 0);
    f.read(3, 0);
    f.end(3, FLASH_UNCORRECTABLE);
    f.end(3, FLASH_UNCORRECTABLE);
    f.end(3);
    CHECK(ended == decltype(ended){{3, FLASH_OK}});
    f.read(4, 0);
    CHECK(f.option(4) == word(2, 1, 0));
    f.end(4, FLASH_UNCORRECTABLE);
    CHECK(f.option(4) == word(3, 1, 1));
    f.end(4, FLASH_UNCORRECTABLE);
    CHECK(f.option(4) == word(0, 1, 2)); // option 0 has its turn
    f.end(4);
    f.read(5, 0);
    CHECK(f.option(5) == noOption);
    f.end(5, FLASH_UNCORRECTABLE);
    f.end(5);
    flash_erase(&f.driver, 6, {0, 1, 0, false}, FLASH_FOR_COLLECTION);
    f.end(6);
    f.read(7, 0);
    CHECK(f.option(7) == noOption);
}

TEST_CASE("an erase waits for reads that may have to be tried again, and these go before it")
{
    RetryFixture f(1, 0);
    f.read(3, 0);
    flash_erase(&f.driver, 4, {0, 1, 0, false}, FLASH_FOR_COLLECTION);
    CHECK(f.started() == Ops{3});
    f.end(3, FLASH_UNCORRECTABLE);
    CHECK(f.started() == Ops{3});
    f.end(3);
    CHECK(f.started() == Ops{4});
}

TEST_CASE("without retries in the boot block a failed read has failed")
{
    RetryFixture f(0, 0);
    f.read(3, 0);
    f.end(3, FLASH_UNCORRECTABLE);
    CHECK(ended == decltype(ended){{3, FLASH_UNCORRECTABLE}});
}

TEST_CASE("a retry in pSLC mode keeps the mode, and reads of other dies go on")
{
    RetryFixture f(2, 0);
    flash_read(&f.driver, 3, {0, 1, 2, true}, 3, 0x80000, FLASH_FOR_HOST);
    f.started();
    f.end(3, FLASH_UNCORRECTABLE);
    CHECK(f.option(3) == word(1, 1, 1));
    CHECK((f.driver.descriptors[3].control & FLASH_DESCRIPTOR_CONTROL_PSLC_MASK) != 0);
    CHECK((f.driver.descriptors[3].control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) == FLASH_READ);
    CHECK(f.started() == Ops{3});
    f.read(4, 1);
    CHECK(f.option(4) == noOption);
    CHECK(f.started() == Ops{104});
}

TEST_CASE("reads apart: a retry goes first, on the unit of the reads, and an erase waits for it")
{
    RetryFixture f(1, 0, 4);
    setLimits(f.driver, 1, 2);
    f.read(3, 0);
    f.read(4, 0);
    flash_erase(&f.driver, 5, {0, 1, 0, false}, FLASH_FOR_COLLECTION);
    CHECK(f.started() == Ops{203});
    f.end(3, FLASH_UNCORRECTABLE);
    CHECK(f.started() == Ops{203});
    f.end(3);
    CHECK(f.started() == Ops{204});
    f.end(4);
    CHECK(f.started() == Ops{5});
}

TEST_CASE("an erase also waits for reads of garbage collection that may have to be tried again")
{
    RetryFixture f(1, 0, 4);
    setLimits(f.driver, 2, 2);
    f.read(3, 0, FLASH_FOR_COLLECTION);
    flash_erase(&f.driver, 5, {0, 1, 0, false}, FLASH_FOR_COLLECTION);
    CHECK(f.started() == Ops{3});
    f.end(3);
    CHECK(f.started() == Ops{5});
}

TEST_CASE("reads apart have a depth of their own, and programs keep theirs")
{
    Fixture f(2, 4, 7);
    setLimits(f.driver, 2, 2, 4);
    for (std::uint32_t op = 0; op < 6; ++op)
        f.read(op, 0);
    for (std::uint32_t op = 10; op < 14; ++op)
        f.program(op, 0);
    CHECK(f.started() == Ops{200, 201, 202, 203, 10, 11});
    f.end(2); // reads of other planes end at their own times
    CHECK(f.started() == Ops{204});
    f.end(10);
    CHECK(f.started() == Ops{12});
}

TEST_CASE("without a depth of their own, reads apart have that of the die")
{
    Fixture f(2, 4, 7);
    setLimits(f.driver, 2, 2);
    for (std::uint32_t op = 0; op < 3; ++op)
        f.read(op, 1);
    CHECK(f.started() == Ops{300, 301});
}

TEST_CASE(
    "with a limit of dies all operations are done, never on more dies at a time, in the order in which dies waited")
{
    Fixture f(4, 4, 8);
    limitDies(f.driver, 2);
    for (std::uint32_t op = 0; op < 16; ++op)
        f.program(op, op % 4);
    std::vector<std::uint32_t> working = f.started();
    CHECK(working == Ops{0, 101}); // when their second operations come, dies 2 and 3 wait
    std::size_t most = 0;
    while (!working.empty()) {
        std::vector<bool> dies(4);
        for (const std::uint32_t op : working)
            dies[op / 100] = true;
        most = std::max<std::size_t>(most, static_cast<std::size_t>(std::count(dies.begin(), dies.end(), true)));
        const std::uint32_t first = working.front();
        working.erase(working.begin());
        f.end(first % 100);
        const Ops more = f.started();
        working.insert(working.end(), more.begin(), more.end());
    }
    CHECK(most == 2);
    CHECK(ended.size() == 16);
    CHECK(flash_is_idle(&f.driver));
    CHECK(f.driver.turns.active == 0);
}

TEST_CASE("reads apart wait for the turn of their die, too")
{
    Fixture f(2, 4, 8);
    setLimits(f.driver, 2, 2);
    limitDies(f.driver, 1);
    f.program(0, 0);
    f.read(1, 1);
    f.read(2, 0); // another die waits
    CHECK(f.started() == Ops{0});
    f.end(0);
    CHECK(f.started() == Ops{301});
    f.end(1);
    CHECK(f.started() == Ops{202});
    f.end(2);
    CHECK(flash_is_idle(&f.driver));
}

TEST_CASE("a read that is tried again keeps the turn of its die")
{
    Fixture f(2, 4, 8);
    boot_block boot{};
    boot.channels = 2;
    boot.ways = boot.luns = boot.planes = 1;
    boot.blocks_per_plane = 4;
    boot.retry_options = 1;
    flash_init_retry(&f.driver, &boot, &f.hal.arena, 32);
    limitDies(f.driver, 1);
    f.read(0, 0);
    f.read(1, 1); // waits for its turn
    CHECK(f.started() == Ops{0});
    f.end(0, FLASH_UNCORRECTABLE);
    CHECK(f.started() == Ops{0});
    f.end(0, FLASH_UNCORRECTABLE);
    CHECK(f.started() == Ops{101});
    f.end(1);
    CHECK(flash_is_idle(&f.driver));
    CHECK(f.driver.turns.active == 0);
}
