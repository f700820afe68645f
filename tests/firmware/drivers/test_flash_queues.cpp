// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/firmware_headers.h"
#include "tests/support/catch.h"

#include <array>
#include <vector>

namespace {

// The queues of one die, without units or registers.
struct Die {
    flash_queues queues{};
    std::array<flash_wait, 16> wait{};
    std::array<flash_descriptor, 16> descriptors{};

    Die() { flash_queues_init(&queues); }
    void add(std::uint32_t op, flash_opcode opcode, flash_purpose purpose)
    {
        const flash_place place{0, 1, 0, false};
        flash_fill(descriptors.data(), op, opcode, place, 1, purpose);
        flash_queues_add(&queues, wait.data(), op, flash_is_passing_read(&descriptors.at(op)));
    }
    std::vector<std::uint32_t> takeAll(std::size_t count)
    {
        std::vector<std::uint32_t> order;
        for (std::size_t i = 0; i < count; ++i)
            order.push_back(flash_queues_take(&queues, wait.data(), descriptors.data(), true));
        return order;
    }
    std::uint32_t take(bool eraseMayGo)
    {
        return flash_queues_take(&queues, wait.data(), descriptors.data(), eraseMayGo);
    }
    std::uint32_t takeOther(bool eraseMayGo)
    {
        return flash_queues_take_other(&queues, wait.data(), descriptors.data(), eraseMayGo);
    }
    std::uint32_t takeRead() { return flash_queues_take_read(&queues, wait.data()); }
};

using Ops = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("reads for the host and for merges pass other operations, reads for collection do not")
{
    Die die;
    die.add(0, FLASH_PROGRAM, FLASH_FOR_HOST);
    die.add(1, FLASH_READ, FLASH_FOR_COLLECTION);
    die.add(2, FLASH_READ, FLASH_FOR_HOST);
    die.add(3, FLASH_READ, FLASH_FOR_MERGE);
    CHECK(die.takeAll(4) == Ops{2, 3, 0, 1});
}

TEST_CASE("after a streak of reads a program follows, and then reads again")
{
    Die die;
    die.add(0, FLASH_PROGRAM, FLASH_FOR_HOST);
    die.add(1, FLASH_PROGRAM, FLASH_FOR_HOST);
    for (std::uint32_t op = 2; op < 8; ++op)
        die.add(op, FLASH_READ, FLASH_FOR_HOST);
    CHECK(die.takeAll(8) == Ops{2, 3, 4, 5, 0, 6, 7, 1});
}

TEST_CASE("an erase passes only reads that were queued after it, and these only after a streak")
{
    Die die;
    for (std::uint32_t op = 0; op < 5; ++op)
        die.add(op, FLASH_READ, FLASH_FOR_HOST);
    die.add(5, FLASH_ERASE, FLASH_FOR_COLLECTION);
    die.add(6, FLASH_READ, FLASH_FOR_HOST);
    CHECK(die.takeAll(7) == Ops{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("with reads apart, an erase waits for reads in hardware and for those queued before it")
{
    Die die;
    CHECK(die.takeRead() == FLASH_NONE);
    CHECK(die.takeOther(true) == FLASH_NONE);
    die.add(0, FLASH_READ, FLASH_FOR_HOST);
    die.add(1, FLASH_ERASE, FLASH_FOR_COLLECTION);
    die.add(2, FLASH_READ, FLASH_FOR_HOST);
    CHECK(die.takeOther(true) == FLASH_NONE);
    CHECK(die.takeRead() == 0);
    CHECK(die.takeOther(false) == FLASH_NONE);
    CHECK(die.takeOther(true) == 1);
    CHECK(die.takeRead() == 2);
    CHECK(die.takeRead() == FLASH_NONE);
}

TEST_CASE("with reads apart, a program does not wait for reads")
{
    Die die;
    die.add(0, FLASH_READ, FLASH_FOR_HOST);
    die.add(1, FLASH_PROGRAM, FLASH_FOR_HOST);
    CHECK(die.takeOther(false) == 1);
    CHECK(die.takeOther(false) == FLASH_NONE);
}

TEST_CASE("an erase that may not go yet keeps its place, and reads that are not after it still pass")
{
    Die die;
    die.add(0, FLASH_READ, FLASH_FOR_HOST);
    die.add(1, FLASH_ERASE, FLASH_FOR_COLLECTION);
    die.add(2, FLASH_PROGRAM, FLASH_FOR_HOST);
    CHECK(die.take(false) == 0);
    CHECK(die.take(false) == FLASH_NONE);
    die.add(3, FLASH_READ, FLASH_FOR_HOST);
    CHECK(die.take(false) == 3);
    CHECK(die.take(false) == FLASH_NONE);
    CHECK(die.take(true) == 1);
    CHECK(die.take(false) == 2);
}

TEST_CASE("a read that comes back is the next of its queue, with its old place in the order")
{
    Die die;
    die.add(0, FLASH_READ, FLASH_FOR_HOST);
    die.add(1, FLASH_READ, FLASH_FOR_COLLECTION);
    die.add(2, FLASH_ERASE, FLASH_FOR_COLLECTION);
    CHECK(die.takeAll(2) == Ops{0, 1});
    die.add(3, FLASH_READ, FLASH_FOR_HOST);
    flash_queues_return(&die.queues, die.wait.data(), 1, false);
    flash_queues_return(&die.queues, die.wait.data(), 0, true);
    CHECK(die.takeOther(true) == 1);
    CHECK(die.takeOther(true) == FLASH_NONE); // the read 0 was queued before the erase
    CHECK(die.takeAll(3) == Ops{0, 3, 2});
    flash_queues_return(&die.queues, die.wait.data(), 3, true); // into an empty queue
    CHECK(die.takeAll(1) == Ops{3});
}
