#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the stages of requests: a drive whose events are made by hand, each as the blocks report them in a run,
// and a sink that keeps what a timeline gets.

#include "platform/assembly/request_stages.h"
#include "platform/assembly/stage_sink.h"
#include "tests/domain/assembly/observed_drive.h"
#include "tests/support/catch.h"

#include <array>

namespace strobe::platform {

using namespace std::chrono_literals;
using controller::FlashDescriptor;
using controller::SuperchipOpcode;
using Phase = channel::NandInterface::Phase;

inline constexpr UnitId unit0{0};
inline constexpr UnitId unit1{1};

struct StagedDrive {
    // Lists each request if `listed` is not 0.
    explicit StagedDrive(bool isCounted = true, std::size_t listed = 100, std::uint32_t buses = 1)
        : statistics{StageTally(4), SlowestRequests(listed)},
          stages(observedDrive(4, 8, buses), isCounted ? &statistics : nullptr)
    {
    }

    // A command in the host's and the drive's slot, which firmware can see at `announced`.
    void command(host::RequestKind kind, std::uint16_t slot, Time issued, Time arrived, Time announced)
    {
        const host::Command command{slot, kind, false, 0, 8};
        stages.issued(command, ++number, issued, issued);
        stages.arrived(slot, slot, arrived);
        stages.announced(slot, announced);
    }
    void sleep(Time from, Time until)
    {
        stages.sleep().fellAsleep(0, from);
        stages.sleep().wokeUp(0, until);
    }
    struct Times {
        Time listed, fetched, sent, request, ready, response, done, decoded, retired, visible;
    };
    static constexpr Time onBus = 1us;
    // One page on one die; request and response hold the bus for a microsecond.
    void page(UnitId unit, const FlashDescriptor& descriptor, DieId die, nand::Opcode opcode, const Times& t)
    {
        FlashJobLog& jobs = stages.jobs();
        jobs.listed(unit, false, t.listed);
        jobs.fetched(controller::FlashObserver::Job{unit, 0, descriptor, false, true}, t.fetched);
        jobs.rowStarted(unit, 0, 0, t.fetched);
        nand::Operation op;
        op.opcode = opcode;
        op.purpose = descriptor.purpose;
        op.die = die;
        jobs.sent({unit, 0}, 0, t.fetched, t.sent);
        op.submitted = t.sent;
        op.requestStart = t.request;
        jobs.dies().granted(op, Phase::Request, t.request, t.request, onBus);
        jobs.dies().granted(op, Phase::Response, t.ready, t.response, t.done - t.response);
        jobs.finished({unit, 0}, 0, op, t.done, t.decoded);
        jobs.rowEnded(unit, 0, t.retired);
        jobs.retired(unit, 0, t.retired, t.visible);
        if (jobs.isKeepDue())
            stages.keepJobs();
    }
    // The request in slot 0: the drive sends what page() has read to 0x10000, which has arrived when the request ends.
    void readEnds(Time ordered, Time end)
    {
        stages.ordered({1, 0, true, false, 0, 0x10000, 8}, ordered);
        stages.moved(1, 0, end);
        stages.ended(0, end);
        stages.completed(0, true, end);
    }
    std::vector<TracedRequest> done() const { return statistics.slowest.sorted(); }
    std::array<Time, stageIds> sums() const
    {
        REQUIRE(done().size() == 1);
        return done()[0].path.sums();
    }
    Time sum(RequestStage stage) const { return sums()[idOf(stage)]; }

    std::uint64_t number = 0;
    RequestStatistics statistics;
    RequestStages stages;
};

struct StagedSink final : StageSink {
    Time until() const override { return last; }
    void opened(std::uint64_t, Time) override {}
    bool comesLate() const override { return false; }
    void handOver() override {}
    void takeOver() override {}
    void segment(const ObservedOperation&, Phase, Time, Time) override {}
    void operation(const EndedOperation&, std::uint64_t) override {}
    void job(const EndedJob& job) override { jobs.push_back(job.number); }
    void serves(std::uint64_t job, std::uint64_t request) override { served.emplace_back(job, request); }
    bool wants(Time, bool) const override { return true; }
    void request(const TracedRequest& request, bool) override { requests.push_back(request.id); }
    void skipped(std::uint64_t) override {}
    Time last = never;
    std::vector<std::uint64_t> jobs;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> served;
    std::vector<std::uint64_t> requests;
};

inline FlashDescriptor descriptor(SuperchipOpcode opcode, std::uint32_t buffer,
                                  nand::Purpose purpose = nand::Purpose::Host, std::uint32_t superchip = 0)
{
    FlashDescriptor d;
    d.opcode = opcode;
    d.sectors = 8;
    d.superchip = superchip;
    d.buffer = BusAddress{buffer};
    d.purpose = purpose;
    return d;
}

} // namespace strobe::platform
