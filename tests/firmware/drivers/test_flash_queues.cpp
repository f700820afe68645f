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
            order.push_back(flash_queues_take(&queues, wait.data(), descriptors.data()));
        return order;
    }
    std::uint32_t takeOther(std::uint32_t readsOutstanding)
    {
        return flash_queues_take_other(&queues, wait.data(), descriptors.data(), readsOutstanding);
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
    CHECK(die.takeOther(0) == FLASH_NONE);
    die.add(0, FLASH_READ, FLASH_FOR_HOST);
    die.add(1, FLASH_ERASE, FLASH_FOR_COLLECTION);
    die.add(2, FLASH_READ, FLASH_FOR_HOST);
    CHECK(die.takeOther(0) == FLASH_NONE);
    CHECK(die.takeRead() == 0);
    CHECK(die.takeOther(1) == FLASH_NONE);
    CHECK(die.takeOther(0) == 1);
    CHECK(die.takeRead() == 2);
    CHECK(die.takeRead() == FLASH_NONE);
}

TEST_CASE("with reads apart, a program does not wait for reads")
{
    Die die;
    die.add(0, FLASH_READ, FLASH_FOR_HOST);
    die.add(1, FLASH_PROGRAM, FLASH_FOR_HOST);
    CHECK(die.takeOther(1) == 1);
    CHECK(die.takeOther(1) == FLASH_NONE);
}
