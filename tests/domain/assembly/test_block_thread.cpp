// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/block_thread.h"
#include "tests/support/catch.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace strobe::platform;

namespace {

constexpr std::size_t blockBytes = 64;

// Blocks of one number each, and what their handler has seen.
struct Numbers {
    explicit Numbers(std::function<void(int)> also = [](int) {})
        : thread(blockBytes, [this, also = std::move(also)](const std::byte* begin, const std::byte* end) {
              int number = -1;
              std::memcpy(&number, begin, static_cast<std::size_t>(end - begin));
              seen.push_back(number);
              handledIn = std::this_thread::get_id();
              also(number);
          })
    {
    }
    void pass(int number)
    {
        std::memcpy(thread.block(), &number, sizeof number);
        thread.pass(thread.block() + sizeof number);
    }
    std::vector<int> seen; // before `thread`, which uses it
    std::thread::id handledIn;
    BlockThread thread;
};

} // namespace

TEST_CASE("blocks are handled in order, in another thread")
{
    Numbers numbers;
    for (int i = 0; i < 1000; ++i)
        numbers.pass(i);
    numbers.thread.wait();
    REQUIRE(numbers.seen.size() == 1000);
    for (int i = 0; i < 1000; ++i)
        CHECK(numbers.seen[static_cast<std::size_t>(i)] == i);
    CHECK(numbers.handledIn != std::this_thread::get_id());
    numbers.pass(1000); // goes on after a wait
    numbers.thread.wait();
    CHECK(numbers.seen.size() == 1001);
}

TEST_CASE("one block takes no thread, nor does any if all are to stay in the caller's")
{
    for (const int blocks : {1, 10}) {
        Numbers numbers;
        if (blocks > 1)
            numbers.thread.stayInThread();
        for (int i = 0; i < blocks; ++i)
            numbers.pass(i);
        numbers.thread.wait();
        CHECK(numbers.seen.size() == static_cast<std::size_t>(blocks));
        CHECK(numbers.handledIn == std::this_thread::get_id());
    }
}

TEST_CASE("who fills blocks waits if all of them are full")
{
    std::promise<void> opened;
    Numbers numbers([gate = opened.get_future().share()](int) { gate.wait(); });
    std::atomic<int> passed = 0;
    int before = 0;
    std::thread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        before = passed;
        opened.set_value();
    });
    for (; passed < 20; ++passed)
        numbers.pass(passed);
    opener.join();
    CHECK(before < static_cast<int>(BlockThread::blocks)); // the last one is being filled
    numbers.thread.wait();
    CHECK(numbers.seen.size() == 20);
}

TEST_CASE("what the handler throws is thrown to who fills the blocks, once")
{
    for (const bool isOneThread : {false, true}) {
        Numbers numbers([](int number) {
            if (number == 3)
                throw std::runtime_error("the third");
        });
        if (isOneThread)
            numbers.thread.stayInThread();
        for (int i = 0; i < 20; ++i)
            numbers.pass(i);
        CHECK_THROWS_WITH(numbers.thread.wait(), "the third");
        CHECK_NOTHROW(numbers.thread.rethrow());
        CHECK(numbers.seen.size() == 4); // later ones are not handled
    }
}

TEST_CASE("blocks that are not handled yet are dropped with the object")
{
    std::promise<void> opened;
    std::thread opener;
    std::atomic<int> handled = 0;
    {
        const std::shared_future<void> gate = opened.get_future().share();
        BlockThread thread(blockBytes, [&handled, gate](const std::byte*, const std::byte*) {
            ++handled;
            gate.wait();
        });
        thread.pass(thread.block());
        thread.pass(thread.block());
        while (handled == 0)
            std::this_thread::yield();
        opener = std::thread([&opened] {
            std::this_thread::sleep_for(std::chrono::milliseconds(10)); // the object is going
            opened.set_value();
        });
    }
    opener.join();
    CHECK(handled == 1);
}
