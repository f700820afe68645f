// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/split_ring.h"
#include "tests/modules/guest/guest_peer.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;
using guest::RingError;

namespace {

// The driver's side of a ring of four entries in 64 KiB of shared memory at 0x10000.
struct Driver {
    static constexpr std::uint64_t base = 0x10000;
    static constexpr std::uint64_t available = 0x100;
    static constexpr std::uint64_t used = 0x200;
    enum : std::uint16_t { next = 1, writable = 2, indirect = 4 };

    SharedFile file{0x10000};
    guest::GuestMemory memory;
    guest::SplitRing ring;
    std::uint16_t index = 0;

    Driver()
    {
        CHECK(memory.add(base, file.bytes, file.file, 0));
        ring.setSize(4);
        ring.setPlaces(base, base + available, base + used);
    }
    void describe(std::uint16_t number, std::uint64_t address, std::uint32_t bytes, std::uint16_t flags,
                  std::uint16_t following = 0)
    {
        file.put(16U * number, address);
        file.put(16U * number + 8, bytes);
        file.put(16U * number + 12, flags);
        file.put(16U * number + 14, following);
    }
    void offer(std::uint16_t head)
    {
        file.put(available + 4 + 2U * (index % 4U), head);
        file.put(available + 2, ++index);
    }
    std::string refusal()
    {
        try {
            ring.take(memory, 64);
        } catch (const RingError& error) {
            return error.what();
        }
        return "";
    }
};

} // namespace

TEST_CASE("a chain is taken with its request and its room, and given back with an answer")
{
    Driver driver;
    CHECK_FALSE(driver.ring.take(driver.memory, 64).has_value());
    driver.file.put(0x1000, std::uint32_t{0xABCD});
    driver.describe(2, Driver::base + 0x1000, 4, Driver::next, 0);
    driver.describe(0, Driver::base + 0x2000, 8, Driver::writable);
    driver.offer(2);
    const auto chain = driver.ring.take(driver.memory, 64);
    REQUIRE(chain.has_value());
    CHECK(chain->head == 2);
    CHECK(chain->request.size() == 4);
    const std::uint64_t answer = 0x1122'3344'5566'7788;
    driver.ring.give(driver.memory, *chain, &answer, sizeof answer);
    CHECK(driver.file.get<std::uint64_t>(0x2000) == answer);
    CHECK(driver.file.get<std::uint16_t>(Driver::used + 2) == 1);
    CHECK(driver.file.get<std::uint32_t>(Driver::used + 4) == 2);
    CHECK(driver.file.get<std::uint32_t>(Driver::used + 8) == 8);
    CHECK_FALSE(driver.ring.take(driver.memory, 64).has_value());
}

TEST_CASE("indexes of a ring go on after its end")
{
    Driver driver;
    driver.describe(1, Driver::base + 0x1000, 4, 0);
    for (std::uint32_t i = 0; i < 70'000; ++i) {
        driver.offer(1);
        const auto chain = driver.ring.take(driver.memory, 64);
        if (!chain || chain->head != 1)
            FAIL("chain " << i);
        driver.ring.give(driver.memory, *chain, nullptr, 0);
    }
    CHECK(driver.file.get<std::uint16_t>(Driver::used + 2) == 70'000 % 65'536);
}

TEST_CASE("an answer is cut to the room for it")
{
    Driver driver;
    driver.describe(0, Driver::base + 0x2000, 2, Driver::writable);
    driver.offer(0);
    const auto chain = driver.ring.take(driver.memory, 64);
    REQUIRE(chain.has_value());
    const std::uint64_t answer = ~std::uint64_t{0};
    driver.ring.give(driver.memory, *chain, &answer, sizeof answer);
    CHECK(driver.file.get<std::uint32_t>(0x2000) == 0xFFFF);
    CHECK(driver.file.get<std::uint32_t>(Driver::used + 8) == 2);
}

TEST_CASE("chains and tables that the specification does not allow are refused")
{
    const auto refused = [](const std::function<void(Driver&)>& prepare) {
        Driver driver;
        prepare(driver);
        return driver.refusal();
    };
    CHECK(refused([](Driver& d) { d.offer(4); }) == "a descriptor beyond the end of its table");
    CHECK(refused([](Driver& d) {
              d.describe(0, Driver::base, 4, Driver::next, 0);
              d.offer(0);
          }) == "a chain of descriptors without end");
    CHECK(refused([](Driver& d) {
              d.describe(0, Driver::base, 16, Driver::indirect);
              d.offer(0);
          }) == "an indirect descriptor, which was not offered");
    CHECK(refused([](Driver& d) {
              d.describe(0, Driver::base, 65, 0);
              d.offer(0);
          }) == "a request of more than 64 bytes");
    CHECK(refused([](Driver& d) {
              d.describe(0, Driver::base + 0xFFFE, 4, 0);
              d.offer(0);
          }) == "a request outside the guest's memory");
    CHECK(refused([](Driver& d) {
              d.describe(0, Driver::base, 4, Driver::writable | Driver::next, 1);
              d.describe(1, Driver::base, 4, 0);
              d.offer(0);
          }) == "a descriptor for the device to read after one for it to write");
    CHECK(refused([](Driver& d) { d.file.put(Driver::available + 2, std::uint16_t{5}); }) ==
          "a virtqueue has more chains available than entries");
    CHECK(refused([](Driver& d) { d.ring.setPlaces(0x1000, 0x1000, 0x1000); }) ==
          "a virtqueue lies outside the guest's memory");
    CHECK_THROWS_WITH(Driver().ring.setSize(3), "a virtqueue of 3 entries; must be a power of two from 1 to 32768");
    CHECK_THROWS_AS(Driver().ring.setSize(0), RingError);
    CHECK_THROWS_WITH(Driver().ring.setPlaces(8, 0, 0), "a part of a virtqueue is misaligned");
}

TEST_CASE("an answer's room outside the guest's memory is refused when the answer is written")
{
    Driver driver;
    driver.describe(0, Driver::base - 4, 8, Driver::writable);
    driver.offer(0);
    const auto chain = driver.ring.take(driver.memory, 64);
    REQUIRE(chain.has_value());
    const std::uint64_t answer = 0;
    CHECK_THROWS_WITH(driver.ring.give(driver.memory, *chain, &answer, 8),
                      "room for an answer outside the guest's memory");
}

TEST_CASE("guest memory is reached only within one region, and a region only within its file")
{
    SharedFile file{0x2000};
    guest::GuestMemory memory;
    CHECK_FALSE(memory.add(0x1000, 0x3000, file.file, 0));
    CHECK_FALSE(memory.add(0x1000, 0x1000, file.file, 0x2000));
    CHECK_FALSE(memory.add(0x1000, 0, file.file, 0));
    CHECK_FALSE(memory.add(~std::uint64_t{0} - 0xFFF, 0x2000, file.file, 0));
    CHECK(memory.add(0x1000, 0x2000, file.file, 0));
    CHECK(memory.at(0x1000, 0x2000) != nullptr);
    CHECK(memory.at(0x1001, 0x2000) == nullptr);
    CHECK(memory.at(0xFFF, 1) == nullptr);
    CHECK(memory.at(0x3000, 1) == nullptr);
    CHECK(memory.at(0x2FFF, ~std::uint64_t{0}) == nullptr);
    std::uint32_t value = 7;
    CHECK(memory.write(0x2FFC, &value, 4));
    CHECK(file.get<std::uint32_t>(0x1FFC) == 7);
    CHECK_FALSE(memory.read(0x2FFD, &value, 4));
    CHECK(memory.read(0x1000, nullptr, 0)); // an empty descriptor
    CHECK(memory.write(0x1000, nullptr, 0));
}
