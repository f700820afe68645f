#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A second stack on which work runs and can be suspended and resumed: a CPU inside its firmware.
// Boost.Context switches the stacks (about ten nanoseconds; a kernel thread also costs a pass of the kernel's
// scheduler); this class adds a guard page below the stack and the annotations for AddressSanitizer. Destroying a
// coroutine that has not ended unwinds its stack by an exception of type CoroutineUnwind, which no frame may swallow.

#include <boost/context/fiber.hpp>

#include <cstddef>
#include <functional>

namespace strobe::cpu {

using CoroutineUnwind = boost::context::detail::forced_unwind;

class Coroutine {
public:
    Coroutine(std::size_t stackBytes, std::function<void()> work);
    Coroutine(const Coroutine&) = delete;
    Coroutine& operator=(const Coroutine&) = delete;
    ~Coroutine();

    // Starts the work, or resumes it after its last suspend(); returns at its next one, or when it has ended.
    // REQUIRES: called from outside, and it has not ended. The work throws nothing.
    void resume();
    void suspend(); // called by the work

    bool isEnded() const { return isEnded_; }

private:
    struct Arrival;   // on the coroutine's stack, after a switch to it
    struct Departure; // from it, before the last switch
    struct Stack {
        const void* bottom = nullptr;
        std::size_t bytes = 0;
    };
    void enter(); // both ways: passed before the switch to the coroutine's stack

    Stack own_;
    Stack outside_; // of the last resume(), as the sanitizer records it
    void* ownFake_ = nullptr;
    void* outsideFake_ = nullptr;
    bool isStarted_ = false;
    bool isEnded_ = false;
    boost::context::fiber inside_;
    boost::context::fiber caller_;
};

} // namespace strobe::cpu
