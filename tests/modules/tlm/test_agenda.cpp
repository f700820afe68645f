// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/agenda.h"
#include "models/tlm/time_bridge.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace strobe;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

using Log = std::vector<std::pair<std::string, Time>>;

// Records when it is woken, and then executes a given action.
struct Sleeper {
    Sleeper(std::string who, Log& log) : name(std::move(who)), log_(log) {}

    void step()
    {
        log_.emplace_back(name, now());
        if (then)
            then();
    }

    std::string name;
    std::function<void()> then;
    Wake wake = Wake::calls<&Sleeper::step>(*this);

private:
    Log& log_;
};

// A process of the kernel that does not use the agenda.
struct Stranger : sc_core::sc_module {
    SC_HAS_PROCESS(Stranger);
    Stranger(const sc_core::sc_module_name& name, Log& log, std::vector<Time> waits)
        : sc_module(name), log_(log), waits_(std::move(waits))
    {
        SC_THREAD(run);
    }
    void run()
    {
        for (const Time time : waits_) {
            wait(toSc(time));
            log_.emplace_back("stranger", fromSc(sc_core::sc_time_stamp()));
            leads.push_back(kernelLead());
        }
    }

    std::vector<Time> leads;

private:
    Log& log_;
    std::vector<Time> waits_;
};

} // namespace

TEST_CASE("a module is woken once, at the earliest time that it was armed for, and then no longer armed")
{
    KernelFixture kernel;
    Log log;
    Sleeper a("a", log);
    a.wake.at(30ns);
    a.wake.at(10ns);
    a.wake.at(20ns);
    sc_core::sc_start(toSc(100ns));
    CHECK(log == Log{{"a", 10ns}});
    a.wake.at(never);
    sc_core::sc_start(toSc(100ns));
    CHECK(log.size() == 1);
}

TEST_CASE("wake-ups of one instant run in order of creation, those armed for the same instant after that")
{
    KernelFixture kernel;
    Log log;
    Sleeper a("a", log);
    Sleeper b("b", log);
    Sleeper c("c", log);
    for (Sleeper* each : {&c, &a})
        each->wake.at(5ns);
    c.then = [&] {
        b.wake.at(0ns); // past: at this instant
        a.wake.at(now());
    };
    sc_core::sc_start(toSc(10ns));
    CHECK(log == Log{{"a", 5ns}, {"c", 5ns}, {"a", 5ns}, {"b", 5ns}});
}

TEST_CASE("the next delta cycle comes after the kernel's processes of this one")
{
    KernelFixture kernel;
    Log log;
    Sleeper a("a", log);
    Stranger stranger("stranger", log, {5ns});
    a.wake.at(5ns);
    a.then = [&] {
        if (log.size() == 1)
            a.wake.atNextDelta();
    };
    sc_core::sc_start(toSc(10ns));
    REQUIRE(log.size() == 3);
    CHECK(log.back() == std::pair<std::string, Time>{"a", 5ns});
    CHECK(log[1].second == 5ns);
}

TEST_CASE("running ahead gives each instant its time, passes nothing that the kernel has to do, and saves activations")
{
    Log logs[2];
    std::uint64_t activations[2] = {};
    for (const bool ahead : {false, true}) {
        KernelFixture kernel;
        const std::shared_ptr<Agenda> agenda = Agenda::ofContext();
        Sleeper a("a", logs[ahead]);
        Stranger stranger("stranger", logs[ahead], {12ns, 20ns});
        a.then = [&] { a.wake.at(now() + 5ns); };
        a.wake.at(5ns);
        if (ahead)
            agenda->runAheadUntil(100ns);
        sc_core::sc_start(toSc(100ns));
        activations[ahead] = agenda->activations();
        CHECK(now() == 100ns);
        CHECK(stranger.leads == std::vector<Time>{0ns, 0ns});
    }
    CHECK(logs[0] == logs[1]);
    CHECK(activations[0] == 19);
    CHECK(activations[1] <= 4); // first, after the stranger's two instants, and at the horizon
}

TEST_CASE("an event notified while a module runs ahead happens at its time, and nothing passes it")
{
    KernelFixture kernel;
    const std::shared_ptr<Agenda> agenda = Agenda::ofContext();
    Log log;
    Sleeper a("a", log);
    sc_core::sc_event event("event");
    sc_core::sc_spawn([&] {
        for (;;) {
            sc_core::wait(event);
            log.emplace_back("woken", fromSc(sc_core::sc_time_stamp()));
        }
    });
    a.then = [&] {
        if (now() == 10ns)
            event.notify(kernelDelay(13ns));
        a.wake.at(now() + 5ns);
    };
    a.wake.at(5ns);
    agenda->runAheadUntil(16ns);
    sc_core::sc_start(toSc(16ns));
    CHECK(log == Log{{"a", 5ns}, {"a", 10ns}, {"woken", 13ns}, {"a", 15ns}});
}

TEST_CASE("a pause ends the run at its instant, with the kernel's clock there, ahead or not")
{
    for (const bool ahead : {false, true}) {
        KernelFixture kernel;
        const std::shared_ptr<Agenda> agenda = Agenda::ofContext();
        Log log;
        Sleeper a("a", log);
        a.then = [&] {
            if (now() == 15ns)
                agenda->pause();
            a.wake.at(now() + 5ns);
        };
        a.wake.at(5ns);
        if (ahead)
            agenda->runAheadUntil(100ns);
        sc_core::sc_start(toSc(100ns));
        CHECK(fromSc(sc_core::sc_time_stamp()) == 15ns);
        CHECK(log.size() == 3);
        agenda->runAheadUntil(ahead ? 25ns : 0ns);
        sc_core::sc_start(toSc(10ns));
        CHECK(log.size() == 4);
    }
}

TEST_CASE("a pause soon ends the run at the next instant, ahead of the kernel or not, and the next run goes on")
{
    for (const bool ahead : {false, true}) {
        KernelFixture kernel;
        const std::shared_ptr<Agenda> agenda = Agenda::ofContext();
        Log log;
        Sleeper a("a", log);
        a.then = [&] {
            if (now() == 15ns)
                Agenda::pauseSoon();
            a.wake.at(now() + 5ns);
        };
        a.wake.at(5ns);
        if (ahead)
            agenda->runAheadUntil(100ns);
        sc_core::sc_start(toSc(100ns));
        CHECK(fromSc(sc_core::sc_time_stamp()) == 20ns);
        CHECK(agenda->lastInstant() == 20ns);
        agenda->runAheadUntil(ahead ? 45ns : 0ns);
        sc_core::sc_start(toSc(25ns));
        CHECK(fromSc(sc_core::sc_time_stamp()) == 45ns);
    }
}

TEST_CASE("a destroyed module is not woken")
{
    KernelFixture kernel;
    Log log;
    Sleeper a("a", log);
    {
        Sleeper b("b", log);
        b.wake.at(5ns);
    }
    a.wake.at(6ns);
    sc_core::sc_start(toSc(10ns));
    CHECK(log == Log{{"a", 6ns}});
}

TEST_CASE("a decoupled module sees when coupled ones are due, past others of its kind")
{
    struct Runner {
        explicit Runner(std::function<void(Runner&)> does) : then(std::move(does)) {}
        void step() { then(*this); }
        std::function<void(Runner&)> then;
        Wake wake = Wake::decoupledCalls<&Runner::step>(*this);
    };
    KernelFixture kernel;
    Log log;
    std::vector<Time> coupled;
    std::vector<Time> others;
    Runner first([&](Runner& who) {
        coupled.push_back(who.wake.nextOfCoupled());
        others.push_back(who.wake.nextOfOthers());
    });
    Runner second([](Runner&) {});
    Runner third([](Runner&) {});
    Sleeper sleeper("sleeper", log);
    first.wake.at(10ns); // alone at its instant
    second.wake.at(20ns);
    third.wake.at(20ns);
    sleeper.wake.at(50ns);
    sleeper.then = [&] { first.wake.at(50ns); };
    kernel.run(30ns);
    first.wake.at(50ns); // before the sleeper, at the same instant
    second.wake.at(50ns);
    kernel.run(100ns);
    CHECK(coupled == std::vector<Time>{50ns, 50ns, never});
    CHECK(others == std::vector<Time>{20ns, 50ns, never});
}
