// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/coroutine.h"

#include "models/base/check.h"

#include <boost/context/protected_fixedsize_stack.hpp>

#include <memory>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace strobe::cpu {

namespace {

// Annotations for AddressSanitizer: before a switch the target stack, after it the current one. A null `fake`: the
// current stack is left permanently.
void aboutToSwitch([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
                   [[maybe_unused]] std::size_t bytes)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(fake, bottom, bytes);
#endif
}

void haveSwitched([[maybe_unused]] void* fake, [[maybe_unused]] const void** bottom,
                  [[maybe_unused]] std::size_t* bytes)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, bottom, bytes);
#endif
}

} // namespace

// On the coroutine's stack, whether it continues or is unwound.
struct Coroutine::Arrival {
    Coroutine& coroutine;
    ~Arrival() { haveSwitched(coroutine.ownFake_, &coroutine.outside_.bottom, &coroutine.outside_.bytes); }
};

// Leaves the coroutine's stack for the last time.
struct Coroutine::Departure {
    Coroutine& coroutine;
    ~Departure()
    {
        coroutine.isEnded_ = true;
        aboutToSwitch(nullptr, coroutine.outside_.bottom, coroutine.outside_.bytes);
    }
};

Coroutine::Coroutine(std::size_t stackBytes, std::function<void()> work)
{
    boost::context::protected_fixedsize_stack allocator(stackBytes);
    const boost::context::stack_context stack = allocator.allocate();
    own_ = {static_cast<const char*>(stack.sp) - stack.size, stack.size};
    inside_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                    allocator, [this, work = std::move(work)](boost::context::fiber&& caller) {
                                        {
                                            const Arrival first{*this};
                                        }
                                        caller_ = std::move(caller);
                                        isStarted_ = true;
                                        const Departure last{*this};
                                        work();
                                        return std::move(caller_);
                                    });
}

Coroutine::~Coroutine()
{
    if (isEnded_ || !inside_)
        return;
    enter();
    if (isStarted_) {
        inside_ = boost::context::fiber(); // unwinds it
    } else {                               // it has no frame yet that announces the switches
        {
            const Arrival first{*this};
        }
        const Departure last{*this};
        inside_ = boost::context::fiber();
    }
    haveSwitched(outsideFake_, nullptr, nullptr);
}

void Coroutine::enter()
{
    aboutToSwitch(&outsideFake_, own_.bottom, own_.bytes);
}

void Coroutine::resume()
{
    check(!isEnded_, "a coroutine that has ended cannot continue");
    enter();
    inside_ = std::move(inside_).resume();
    haveSwitched(outsideFake_, nullptr, nullptr);
}

void Coroutine::suspend()
{
    aboutToSwitch(&ownFake_, outside_.bottom, outside_.bytes);
    const Arrival back{*this};
    caller_ = std::move(caller_).resume();
}

} // namespace strobe::cpu
