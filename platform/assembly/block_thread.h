#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of bytes that one thread fills and another one handles, in the same order. There are `blocks` of them, so
// memory is bounded: the filling thread waits if the other one is that far behind.
//
// Threads: the one that constructs the object fills the blocks and calls all public functions. `handle` is called in a
// thread that this object owns, one call at a time; after wait() it is not running, and what it has written may be
// read. A block belongs to the filling thread until pass(), then to `handle` until that returns. The thread starts with
// the second block, so that a short run has none, and receives no signals. If the system has no thread for it, the
// filling thread handles blocks itself.
// Errors: what `handle` throws is kept, and thrown once by rethrow() or wait(); later blocks are not handled.
// A process must not fork() without exec() while the thread exists: see stayInThread().

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace strobe::platform {

class BlockThread {
public:
    using Handle = std::function<void(const std::byte* begin, const std::byte* end)>;
    static constexpr std::size_t blocks = 4;

    BlockThread(std::size_t blockBytes, Handle handle);
    BlockThread(const BlockThread&) = delete;
    BlockThread& operator=(const BlockThread&) = delete;
    ~BlockThread(); // blocks that are not handled yet are dropped

    void stayInThread() { isOneThread_ = true; } // pass() handles blocks itself. REQUIRES: before the first pass()
    std::byte* block() { return memory_[passed_ % blocks].get(); } // that is to be filled; aligned for any type
    void pass(const std::byte* end); // hands on what the block has up to `end`; block() is the next one
    void wait();                     // until all that was handed on has been handled
    void rethrow();

private:
    bool starts(); // the thread
    void run();
    void handle(std::unique_lock<std::mutex>& lock); // the next block; unlocked meanwhile

    std::size_t blockBytes_;
    Handle handle_;
    bool isOneThread_ = false;
    std::array<std::unique_ptr<std::byte[]>, blocks> memory_;
    std::uint64_t passed_ = 0; // blocks; written by the filling thread
    std::mutex mutex_;         // of what follows
    std::condition_variable changed_;
    std::array<const std::byte*, blocks> ends_{};
    std::uint64_t ready_ = 0; // as passed_
    std::uint64_t handled_ = 0;
    bool isOver_ = false;
    bool hasFailed_ = false;
    std::exception_ptr error_; // not thrown yet
    std::thread thread_;       // last: it uses all of this
};

} // namespace strobe::platform
