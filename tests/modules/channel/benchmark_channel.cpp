// SPDX-License-Identifier: Apache-2.0
//
// Host time of a page read: 16 channels x 16 dies, closed loop at a queue depth of two per die, PROPOSED on
// a 2 KiB SLC part. The reference of the ratios is a wake-up of an empty SC_METHOD in the same run. Usage:
// benchmark_channel [page reads, default 2,000,000]
#include "models/channel/channel_module.h"
#include "models/nand/die_module.h"
#include "models/tlm/payload_pool.h"
#include "models/tlm/time_bridge.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/backward_die.h"
#include "tests/support/kernel_fixture.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <systemc>
#include <vector>

using namespace strobe;
using namespace strobe::channel;

namespace {

constexpr std::uint16_t channels = 16;
constexpr std::uint16_t diesPerChannel = 16;

class ClosedLoop : public sc_core::sc_module {
public:
    nand::InitiatorSocket<ClosedLoop> socket{"socket"};

    ClosedLoop(const sc_core::sc_module_name& name, std::uint16_t channel, std::uint64_t reads)
        : sc_module(name), channel_(channel), left_(reads)
    {
        socket.register_nb_transport_bw(this, &ClosedLoop::backward);
        SC_METHOD(begin);
    }
    SC_HAS_PROCESS(ClosedLoop);

private:
    void begin()
    {
        for (int depth = 0; depth < 2; ++depth) {
            for (std::uint16_t die = 0; die < diesPerChannel; ++die)
                send(DieId{static_cast<std::uint16_t>(channel_ * diesPerChannel + die)});
        }
    }
    void send(DieId die)
    {
        if (left_ == 0)
            return;
        --left_;
        tlm::tlm_generic_payload& payload = pool_.acquire();
        nand::Operation& op = nand::operationOf(payload);
        op.die = die;
        op.sectors = 4;
        op.target = {static_cast<std::uint32_t>(left_ % 16), static_cast<std::uint32_t>(left_ / 16 % 64)};
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(payload, phase, delay);
    }
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&)
    {
        const DieId die = nand::operationOf(payload).die;
        payload.release();
        send(die);
        return tlm::TLM_COMPLETED;
    }

    PayloadPool<nand::OperationExtension> pool_;
    std::uint16_t channel_;
    std::uint64_t left_;
};

// An SC_METHOD that only wakes itself again: the least that a timed event costs.
class PeriodicMethod : public sc_core::sc_module {
public:
    PeriodicMethod(const sc_core::sc_module_name& name, std::uint64_t times) : sc_module(name), left_(times)
    {
        SC_METHOD(beat);
        sensitive << again_;
    }
    SC_HAS_PROCESS(PeriodicMethod);

private:
    void beat()
    {
        if (left_-- > 0)
            again_.notify(sc_core::sc_time(10, sc_core::SC_NS));
    }
    sc_core::sc_event again_;
    std::uint64_t left_;
};

double secondsOf(strobe::test::KernelFixture& kernel)
{
    const auto start = std::chrono::steady_clock::now();
    kernel.run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double wakeUpNanoseconds()
{
    constexpr std::uint64_t times = 100'000;
    strobe::test::KernelFixture kernel;
    std::vector<std::unique_ptr<PeriodicMethod>> processes;
    for (std::uint16_t i = 0; i < channels; ++i)
        processes.push_back(std::make_unique<PeriodicMethod>(("process" + std::to_string(i)).c_str(), times));
    return secondsOf(kernel) * 1e9 / (double{channels} * times);
}

struct Result {
    double nanoseconds; // per page read
    double activations; // of a channel's process, per page read
};

template <class DieOnTheWire>
Result pageReads(std::uint64_t reads)
{
    strobe::test::KernelFixture kernel;
    const nand::Part part = channel::test::parts()[0];
    const BusSchedule schedule(resolveTiming(InterfaceKind::Proposed, channel::test::table2, {}), part);
    std::vector<std::unique_ptr<nand::Die>> dies;
    std::vector<std::unique_ptr<DieOnTheWire>> dieModules;
    std::vector<std::unique_ptr<ChannelModule>> channelModules;
    std::vector<std::unique_ptr<ClosedLoop>> controllers;
    for (std::uint16_t c = 0; c < channels; ++c) {
        const std::string number = std::to_string(c);
        controllers.push_back(std::make_unique<ClosedLoop>(("controller" + number).c_str(), c, reads / channels));
        channelModules.push_back(std::make_unique<ChannelModule>(("channel" + number).c_str(), ChannelId{c}, schedule,
                                                                 diesPerChannel, SegmentOrder::CommandsFirst));
        controllers.back()->socket.bind(channelModules.back()->host);
        for (std::uint16_t d = 0; d < diesPerChannel; ++d) {
            const DieId id{static_cast<std::uint16_t>(c * diesPerChannel + d)};
            dies.push_back(std::make_unique<nand::Die>(id, part, 0, Rng(1, "die")));
            dieModules.push_back(
                std::make_unique<DieOnTheWire>(("die" + std::to_string(raw(id))).c_str(), *dies.back()));
            channelModules.back()->dies[d].bind(dieModules.back()->socket);
        }
    }
    const double seconds = secondsOf(kernel);
    std::uint64_t done = 0;
    std::uint64_t activations = 0;
    for (const auto& module : channelModules) {
        done += module->interface().finished();
        activations += module->activations();
    }
    return {seconds * 1e9 / static_cast<double>(done), static_cast<double>(activations) / static_cast<double>(done)};
}

// The choice alone: 16 dies that all wait with data, and one that takes its turn.
double choiceNanoseconds()
{
    const BusSchedule schedule(channel::test::roundTiming(), channel::test::roundPart());
    NandInterface interface(schedule, 16, SegmentOrder::CommandsFirst);
    std::vector<nand::Operation> ops(16, channel::test::operation(nand::Opcode::Read, 1));
    Time now{};
    for (std::uint32_t die = 0; die < 16; ++die) {
        interface.submit(die, ops[die], now);
        now = interface.busFreeAt();
        interface.next(now);
        interface.arrayFinished(die, interface.busFreeAt());
    }
    constexpr int rounds = 2'000'000;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) {
        now = interface.nextOpportunity(now);
        const auto grant = interface.next(now);
        now = interface.busFreeAt();
        if (grant->phase == NandInterface::Phase::Response) {
            interface.finish(grant->die, now);
            interface.submit(grant->die, *grant->op, now);
        } else {
            interface.arrayFinished(grant->die, now);
        }
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e9 / rounds;
}

} // namespace

int main(int argc, char* argv[])
{
    const std::uint64_t reads = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
    const double wakeUp = wakeUpNanoseconds();
    const Result annotating = pageReads<nand::DieModule>(reads);
    const Result backward = pageReads<strobe::test::BackwardDieModule>(reads);
    std::printf("wake-up of an empty SC_METHOD           %7.0f ns\n", wakeUp);
    std::printf("one grant of the bus among 16 dies      %7.0f ns\n", choiceNanoseconds());
    std::printf("page read, dies answer by annotation    %7.0f ns  = %.1f wake-ups, %.2f activations\n",
                annotating.nanoseconds, annotating.nanoseconds / wakeUp, annotating.activations);
    std::printf("page read, dies on the backward path    %7.0f ns  = %.1f wake-ups, %.2f activations\n",
                backward.nanoseconds, backward.nanoseconds / wakeUp, backward.activations);
    return 0;
}
