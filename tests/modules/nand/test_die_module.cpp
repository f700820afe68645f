// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die_module.h"
#include "tests/domain/nand/die_helpers.h"
#include "tests/modules/nand/probe_initiator.h"
#include "tests/support/backward_die.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;
using strobe::test::BackwardDieModule;
using strobe::test::KernelFixture;
using Seen = ProbeInitiator::Seen;

namespace {

constexpr Time requestTime = picoseconds(1'234'567);
constexpr Time responseTime = picoseconds(7'654'321);

// One die and one probe. No thread: a case that expects an exception must not have run one, because the sanitizers lose
// track of the main stack then.
template <class Module>
struct Wire {
    Wire() { probe.socket.bind(module.socket); }

    Part part = smallPart();
    Die die{DieId{3}, part, 0, Rng(1, "die 3")};
    Module module{"die", die};
    ProbeInitiator probe{"probe"};
};

// And a process that plays the channel.
template <class Module>
struct Rig : Wire<Module> {
    explicit Rig(std::function<void(Rig&)> body) : script("script", [this, body] { body(*this); }) {}

    // One operation from BEGIN_REQ to END_RESP.
    Operation run(const Operation& op) { return this->probe.end(this->probe.begin(op, requestTime), responseTime); }

    Script script;
};

} // namespace

TEST_CASE("a die answers a program by annotation, to the picosecond")
{
    KernelFixture kernel;
    bool played = false;
    PageTags tags = tagsOf(8, 3);
    Rig<DieModule> rig([&](auto& r) {
        sc_core::wait(toSc(1us));
        const Operation op = r.run(makeProgram({2, 0}, tags));
        CHECK(r.probe.firstAnswer == tlm::TLM_UPDATED);
        CHECK(r.probe.seen == std::vector<Seen>{{tlm::BEGIN_RESP, 1us + requestTime + 200us}});
        CHECK(op.ready == 1us + requestTime + 200us);
        CHECK(op.status == Status::Ok);
        CHECK(r.probe.statusBefore == tlm::TLM_INCOMPLETE_RESPONSE);
        CHECK(r.probe.statusAtResponse == tlm::TLM_OK_RESPONSE);
        CHECK(now() == 1us + requestTime + 200us + responseTime);
        played = true;
    });
    kernel.run();
    CHECK(played);
    CHECK(rig.die.counters().array.programs == 1);
    CHECK(rig.probe.inFlight() == 0);
}

TEST_CASE("data and spare of a read arrive when the response has left the bus, not before")
{
    KernelFixture kernel;
    bool played = false;
    PageTags tags = tagsOf(8, 3);
    PageTags out{};
    Rig<DieModule> rig([&](auto& r) {
        r.run(makeProgram({2, 0}, tags));
        Operation read = make(Opcode::Read, {2, 0});
        read.data = contentOf(out);
        tlm::tlm_generic_payload& payload = r.probe.begin(read, requestTime);
        CHECK(out == PageTags{});
        const Operation op = r.probe.end(payload, responseTime);
        CHECK(r.probe.beforeEnd.spare == blankSpare);
        CHECK(out == tags);
        CHECK(op.spare == Spare{1, 2, 3, 4});
        played = true;
    });
    kernel.run();
    CHECK(played);
}

TEST_CASE("an illegal command is answered at the end of its request with its reason")
{
    KernelFixture kernel;
    bool played = false;
    Rig<DieModule> rig([&](auto& r) {
        const Operation op = r.run(make(Opcode::Read, {99, 0}));
        CHECK(op.status == Status::Illegal);
        CHECK(op.reason == IllegalReason::AddressOutOfRange);
        CHECK(op.ready == requestTime);
        CHECK(r.probe.seen == std::vector<Seen>{{tlm::BEGIN_RESP, requestTime}});
        CHECK(r.probe.statusAtResponse == tlm::TLM_COMMAND_ERROR_RESPONSE);
        played = true;
    });
    kernel.run();
    CHECK(played);
}

TEST_CASE("a failed program is a carried-out transaction with a failing status")
{
    KernelFixture kernel;
    bool played = false;
    Rig<DieModule> rig([&](auto& r) {
        r.die.wearOut(2);
        const Operation op = r.run(make(Opcode::Program, {2, 0}));
        CHECK(op.status == Status::ProgramFailed);
        CHECK(op.statusByte == 0xE1);
        CHECK(r.probe.statusAtResponse == tlm::TLM_OK_RESPONSE);
        played = true;
    });
    kernel.run();
    CHECK(played);
}

TEST_CASE("blocking and debug calls are refused")
{
    KernelFixture kernel;
    Wire<DieModule> rig;
    kernel.run(0us); // completes the binding
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    rig.probe.socket->b_transport(payload, delay);
    CHECK(payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(rig.probe.socket->transport_dbg(payload) == 0);
}

TEST_CASE("a phase that does not belong to a die's answer by annotation is an internal error")
{
    KernelFixture kernel;
    Wire<DieModule> rig;
    kernel.run(0us);
    PayloadPool<OperationExtension> pool;
    tlm::tlm_generic_payload& payload = pool.acquire();
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_phase phase = tlm::END_REQ;
    CHECK_THROWS_AS(rig.probe.socket->nb_transport_fw(payload, phase, delay), InternalError);
    phase = tlm::BEGIN_REQ;
    delay = sc_core::sc_time(1, sc_core::SC_PS); // begins after op.requestEnd, which is zero
    CHECK_THROWS_AS(rig.probe.socket->nb_transport_fw(payload, phase, delay), InternalError);
    payload.release();
}

TEST_CASE("a die that answers on the backward path sends END_REQ and BEGIN_RESP at the promised times")
{
    KernelFixture kernel;
    bool played = false;
    PageTags tags = tagsOf(8, 3);
    PageTags out{};
    Rig<BackwardDieModule> rig([&](auto& r) {
        r.run(makeProgram({2, 0}, tags));
        CHECK(r.probe.firstAnswer == tlm::TLM_ACCEPTED);
        CHECK(r.probe.seen == std::vector<Seen>{{tlm::END_REQ, requestTime}, {tlm::BEGIN_RESP, requestTime + 200us}});
        Operation read = make(Opcode::Read, {2, 0});
        read.data = contentOf(out);
        r.run(read);
        CHECK(out == tags);
        played = true;
    });
    kernel.run();
    CHECK(played);
    CHECK(rig.module.inFlight() == 0);
    CHECK(rig.probe.inFlight() == 0);
}

TEST_CASE("status while the array works is answered at once on either path")
{
    int played = 0;
    const auto script = [&](auto& r) {
        tlm::tlm_generic_payload& program = r.probe.begin(make(Opcode::Program, {2, 0}), requestTime);
        sc_core::wait(toSc(requestTime));
        tlm::tlm_generic_payload& status = r.probe.begin(make(Opcode::ReadStatus), requestTime);
        sc_core::wait(toSc(requestTime + picoseconds(1)));
        CHECK(operationOf(status).statusByte == 0x80);
        CHECK(operationOf(status).ready == 2 * requestTime);
        CHECK(status.get_response_status() == tlm::TLM_OK_RESPONSE);
        sc_core::wait(toSc(200us));
        CHECK(operationOf(program).ready == requestTime + 200us);
        for (tlm::tlm_generic_payload* payload : {&status, &program})
            r.probe.end(*payload, 0us);
        ++played;
    };
    {
        KernelFixture kernel;
        Rig<DieModule> rig(script);
        kernel.run();
        CHECK(rig.probe.inFlight() == 0);
    }
    {
        KernelFixture kernel;
        Rig<BackwardDieModule> rig(script);
        kernel.run();
        CHECK(rig.probe.inFlight() == 0);
    }
    CHECK(played == 2);
}

TEST_CASE("a random life of a die has the same times and outcomes on both paths")
{
    struct Outcome {
        Status status;
        IllegalReason reason;
        Time ready;
        Time done;
        Spare spare;
        PageTags data;
    };
    const auto live = [](auto& r, std::vector<Outcome>& outcomes) {
        Rng rng(5, "random life");
        r.die.wearOut(5);
        for (std::uint32_t i = 0; i < 2000; ++i) {
            PageTags tags = tagsOf(i * 4, i);
            Operation op = make(static_cast<Opcode>(rng.below(7)),
                                {static_cast<std::uint32_t>(rng.below(9)), static_cast<std::uint32_t>(rng.below(4))});
            op.source = {static_cast<std::uint32_t>(rng.below(8)), static_cast<std::uint32_t>(rng.below(4))};
            op.data = contentOf(tags);
            if (op.opcode == Opcode::Program)
                op.spare = {i, i, i, i};
            const Operation done = r.probe.end(r.probe.begin(op, picoseconds(1 + static_cast<int>(rng.below(100000)))),
                                               picoseconds(static_cast<int>(rng.below(100000))));
            outcomes.push_back({done.status, done.reason, done.ready, now(), done.spare, tags});
        }
    };
    std::vector<Outcome> annotated;
    {
        KernelFixture kernel;
        Rig<DieModule> rig([&](auto& r) { live(r, annotated); });
        kernel.run();
    }
    std::vector<Outcome> backward;
    {
        KernelFixture kernel;
        Rig<BackwardDieModule> rig([&](auto& r) { live(r, backward); });
        kernel.run();
    }
    REQUIRE(annotated.size() == 2000);
    REQUIRE(backward.size() == 2000);
    std::size_t carriedOut = 0;
    std::size_t different = 0;
    for (std::size_t i = 0; i < annotated.size(); ++i) {
        const Outcome& a = annotated[i];
        const Outcome& b = backward[i];
        carriedOut += a.status == Status::Ok ? 1 : 0;
        const bool isSame = a.status == b.status && a.reason == b.reason && a.ready == b.ready && a.done == b.done &&
                            a.spare == b.spare && a.data == b.data;
        different += isSame ? 0 : 1;
    }
    CHECK(different == 0);
    CHECK(carriedOut > 1000);
    CHECK(carriedOut < 2000);
}
