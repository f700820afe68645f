// SPDX-License-Identifier: Apache-2.0
//
// What AddressSanitizer must not take for an overflow. Without the sanitizer these cases pass in any case.
#include "models/tlm/agenda.h"
#include "models/tlm/time_bridge.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"
#include "tests/support/marked_frames.h"

#include <functional>
#include <utility>

using namespace strobe;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

struct Thread : sc_core::sc_module {
    SC_HAS_PROCESS(Thread);
    Thread(const sc_core::sc_module_name& name, std::function<void()> work) : sc_module(name), work_(std::move(work))
    {
        SC_THREAD(run);
    }
    void run() { work_(); }

private:
    std::function<void()> work_;
};

struct Thrower {
    void step() { isDone = canThrowHere(); }

    bool isDone = false;
    Wake wake = Wake::calls<&Thrower::step>(*this);
};

} // namespace

TEST_CASE("an exception on the main stack is caught, whether an SC_THREAD waits or has ended")
{
    for (const bool ends : {false, true}) {
        KernelFixture kernel;
        Thread thread("thread", [ends] {
            if (!ends)
                sc_core::wait(1, sc_core::SC_SEC);
        });
        Thrower thrower;
        thrower.wake.at(5ns);
        kernel.run(10ns);
        CHECK(thrower.isDone); // during sc_start()
        CHECK(canThrowHere());
    }
}

TEST_CASE("SC_THREADs of one context after another may have the same stack")
{
    {
        KernelFixture kernel;
        Thread thread("thread", [] { inDeepFrames(10, [] { sc_core::wait(1, sc_core::SC_SEC); }); });
        kernel.run(10ns);
    }
    KernelFixture kernel;
    bool isDone = false;
    Thread thread("thread", [&isDone] { isDone = canUseLargeFrame(); });
    kernel.run(10ns);
    CHECK(isDone);
}
