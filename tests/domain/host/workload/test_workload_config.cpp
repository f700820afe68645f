// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_factory.h"
#include "models/host/workload/workload_phase.h"
#include "tests/domain/host/workload/support.h"

#include <algorithm>
#include <cmath>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t megabyteDrive = 2048; // sectors

PhaseConfig phaseOf(SourceKind kind, std::uint64_t requests)
{
    PhaseConfig phase;
    phase.name = "main";
    phase.source.kind = kind;
    phase.source.requests = requests;
    return phase;
}

PhaseConfig tracePhase(const std::string& sample)
{
    PhaseConfig phase = phaseOf(SourceKind::Trace, 0);
    phase.source.trace.file = sampleDirectory + sample;
    return phase;
}

std::vector<Request> requestsOf(const PhaseConfig& config, std::uint64_t capacity = megabyteDrive)
{
    Phase phase(config, capacity, 1);
    std::vector<Request> requests;
    while (const auto request = phase.next(Time{}))
        requests.push_back(*request);
    return requests;
}

std::string onlyProblem(const PhaseConfig& phase)
{
    WorkloadConfig workload;
    workload.phases.push_back(phase);
    const auto found = problems(workload);
    REQUIRE(found.size() == 1);
    return placeText(found.front().place) + ": " + found.front().message;
}

} // namespace

TEST_CASE("every kind of source is made for the capacity of the drive")
{
    const SourceKind kind =
        GENERATE(SourceKind::Sequential, SourceKind::Uniform, SourceKind::Zipf, SourceKind::HotCold);
    const auto requests = requestsOf(phaseOf(kind, 3000));
    REQUIRE(requests.size() == 3000);
    std::uint64_t highest = 0;
    for (const Request& request : requests) {
        REQUIRE(request.lba + request.sectors <= megabyteDrive);
        highest = std::max(highest, request.lba + request.sectors);
    }
    CHECK(highest == megabyteDrive);
}

TEST_CASE("a fill phase writes the whole drive once, an overwrite phase its volume in random blocks")
{
    auto fill = requestsOf(fillPhase(1, 64 * 1024), 2000); // 2000 sectors are no multiple of the block
    REQUIRE(fill.size() == 17);
    CHECK(fill.back().kind == RequestKind::Flush);
    fill.pop_back();
    std::uint64_t expected = 0;
    for (const Request& request : fill) {
        CHECK(request.kind == RequestKind::Write);
        CHECK(request.lba == expected);
        expected += request.sectors;
    }
    CHECK(expected == 2000);
    CHECK_FALSE(fillPhase().measured);

    const auto overwrite = requestsOf(overwritePhase(2));
    CHECK(overwrite.size() == 2 * megabyteDrive / 8 + 1);
    CHECK(overwritePhase(2).source.kind == SourceKind::Uniform);
}

TEST_CASE("regions are bytes or shares of the drive, and volumes are shares of the region")
{
    PhaseConfig phase = phaseOf(SourceKind::Sequential, 0);
    phase.source.region.offset.share = 0.5;
    phase.source.region.size.bytes = 65536;
    phase.source.volume.share = 1.5;
    const auto requests = requestsOf(phase);
    REQUIRE(requests.size() == 24);
    CHECK(requests.front().lba == 1024);
    CHECK(requests[15].lba == 1024 + 15 * 8);
    CHECK(requests[16].lba == 1024);

    phase.source.region.offset.share = 1.0 / 3; // rounded down to 4 KiB
    CHECK(requestsOf(phase).front().lba == 680);
}

TEST_CASE("a trace is folded into its region")
{
    PhaseConfig phase = tracePhase("sample-msr.csv");
    phase.source.region.offset.bytes = 512 * 1024;
    phase.source.region.size.bytes = 256 * 1024;
    for (const Request& request : requestsOf(phase)) {
        CHECK(request.lba >= 1024);
        CHECK(request.lba + request.sectors <= 1536);
    }
}

TEST_CASE("a region that does not fit the drive names the phase and the capacity")
{
    PhaseConfig phase = phaseOf(SourceKind::Uniform, 1);
    const auto message = [&] { return messageOf([&] { makeSource(phase, megabyteDrive, 1); }); };
    phase.source.region.offset.bytes = 1024 * 1024;
    CHECK(message() == "phase 'main': the region begins at 1 MiB, beyond the drive's capacity of 1 MiB");
    phase.source.region.offset.bytes = 512 * 1024;
    phase.source.region.size.bytes = 768 * 1024;
    CHECK(message() == "phase 'main': the region of 768 KiB at 512 KiB ends beyond the drive's capacity of 1 MiB");
    phase.source.region.size.bytes = 2048;
    CHECK(message() == "phase 'main': a block of 4 KiB does not fit into the region of 2 KiB");
    phase.source.region.size = SizeOrShare{0, 0.001};
    CHECK(message() == "phase 'main': the region of 0 B is smaller than a sector");
}

TEST_CASE("a closed loop ends at its time limit and carries no arrival times")
{
    PhaseConfig config = tracePhase("sample.iolog3");
    config.maxTime = 10us;
    Phase phase(config, megabyteDrive, 1);
    CHECK(phase.next(9us).value().arrival == Time{});
    CHECK(phase.next(9us).value().arrival == Time{});
    CHECK_FALSE(phase.isExhausted());
    CHECK_FALSE(phase.next(10us));
    CHECK_FALSE(phase.next(Time{})); // for ever
    CHECK(phase.isExhausted());
    CHECK(phase.issued() == 2);
}

TEST_CASE("an open loop scales arrival times and ends with the first arrival at its time limit")
{
    PhaseConfig config = tracePhase("sample.iolog3");
    config.pacing.mode = PacingMode::Open;
    config.pacing.timeScale = 0.5;
    config.maxTime = 200us;
    const auto requests = requestsOf(config);
    REQUIRE(requests.size() == 5); // 0, 125, 125, 150 and 195 us; the next would be at 200
    CHECK(requests[1].arrival == Time{125us});
    CHECK(requests[4].arrival == Time{195us});

    config.maxTime = never;
    config.pacing.timeScale = 3;
    CHECK(requestsOf(config).back().arrival == Time{3ms});
}

TEST_CASE("a time scale that exceeds the range of time is an error")
{
    PhaseConfig config = phaseOf(SourceKind::Uniform, 3);
    config.pacing.mode = PacingMode::Open;
    config.pacing.interval = 1'000'000s;
    config.pacing.timeScale = 100;
    CHECK(messageOf([&] { requestsOf(config); }) ==
          "phase 'main': with a time scale of 100 the arrival after 1e+06 s lies beyond 106 days");
}

TEST_CASE("an open loop of a generator follows its rate, a closed one has none")
{
    PhaseConfig config = phaseOf(SourceKind::Uniform, 4);
    config.pacing.interval = 10us;
    CHECK(requestsOf(config).back().arrival == Time{});
    config.pacing.mode = PacingMode::Open;
    CHECK(requestsOf(config).back().arrival == Time{30us});
}

TEST_CASE("a workload hands out its phases in order and keeps their counts")
{
    WorkloadConfig config;
    config.phases = {fillPhase(), phaseOf(SourceKind::Zipf, 5)};
    Workload workload(config, megabyteDrive, 1);
    REQUIRE(workload.size() == 2);
    std::vector<std::string> names;
    for (; Phase* phase = workload.current(); workload.advance()) {
        names.push_back(phase->config().name);
        while (phase->next(Time{})) {
        }
    }
    CHECK(names == std::vector<std::string>{"fill", "main"});
    CHECK(workload.phase(0).issued() == 9); // the closing flush is one of them
    CHECK(workload.phase(0).total() == 9U);
    CHECK(workload.phase(1).counts().requests == 5);
    CHECK(workload.current() == nullptr);
}

TEST_CASE("preconditioning ends with one flush, measured phases and those configured so do not")
{
    PhaseConfig phase = phaseOf(SourceKind::Uniform, 4);
    CHECK(requestsOf(phase).size() == 4);
    phase.measured = false;
    const auto flushed = requestsOf(phase);
    REQUIRE(flushed.size() == 5);
    CHECK(flushed.back().kind == RequestKind::Flush);
    phase.flush = false;
    CHECK(requestsOf(phase).size() == 4);

    phase.flush = true; // an open loop: the flush arrives with the last request
    phase.pacing.mode = PacingMode::Open;
    phase.pacing.interval = 10us;
    CHECK(requestsOf(phase).back().arrival == Time{30us});
}

TEST_CASE("a mistake in the last phase is found before the first has run")
{
    WorkloadConfig config;
    config.phases = {fillPhase(), tracePhase("missing.iolog3")};
    CHECK(messageOf([&] { Workload(config, megabyteDrive, 1); }) ==
          sampleDirectory + "missing.iolog3: cannot open the trace: No such file or directory");
}

TEST_CASE("a valid workload has no problems")
{
    WorkloadConfig config;
    PhaseConfig open = phaseOf(SourceKind::Zipf, 10);
    open.pacing.mode = PacingMode::Open;
    open.pacing.interval = 1us;
    config.phases = {fillPhase(), overwritePhase(1), open, tracePhase("sample.iolog2")};
    config.phases.back().name = "replay";
    CHECK(problems(config).empty());
}

TEST_CASE("problems name their place and what is allowed")
{
    PhaseConfig phase = phaseOf(SourceKind::Zipf, 10);
    SECTION("block size")
    {
        phase.source.blockSize = 1000;
        CHECK(onlyProblem(phase) == "phase 0, blockSize: must be a multiple of 512B, at most 32MiB, not 1000B");
    }
    SECTION("alignment")
    {
        phase.source.alignment = 100;
        CHECK(onlyProblem(phase) == "phase 0, alignment: must be a multiple of 512B, at most 1024GiB, not 100B");
    }
    SECTION("ratios")
    {
        phase.source.mix.readRatio = 1.5;
        CHECK(onlyProblem(phase) == "phase 0, readRatio: 1.5 is not allowed; 0 to 1 is");
        phase.source.mix.readRatio = std::nan("");
        CHECK(onlyProblem(phase) == "phase 0, readRatio: nan is not allowed; 0 to 1 is");
    }
    SECTION("theta")
    {
        phase.source.theta = -1;
        CHECK(onlyProblem(phase) == "phase 0, zipf.theta: -1 is not allowed; 0 to 10 is");
    }
    SECTION("no end")
    {
        phase.source.requests = 0;
        CHECK(onlyProblem(phase) == "phase 0, requests: a generator has no end: give requests, volume or maxTime");
    }
    SECTION("queue depth")
    {
        phase.pacing.queueDepth = 0;
        CHECK(onlyProblem(phase) == "phase 0, pacing.queueDepth: 0 is not allowed; 1 to 65535 is");
    }
    SECTION("an open loop without a rate")
    {
        phase.pacing.mode = PacingMode::Open;
        CHECK(onlyProblem(phase) == "phase 0, pacing.rate: an open loop needs a rate above zero");
    }
    SECTION("time scale")
    {
        phase.pacing.mode = PacingMode::Open;
        phase.pacing.interval = 1us;
        phase.pacing.timeScale = 0;
        CHECK(onlyProblem(phase) == "phase 0, pacing.timeScale: 0 is not allowed; 1e-06 to 1000000 is");
    }
    SECTION("a trace with a rate")
    {
        phase = tracePhase("sample.iolog3");
        phase.pacing.mode = PacingMode::Open;
        phase.pacing.interval = 1us;
        CHECK(onlyProblem(phase) ==
              "phase 0, pacing.rate: a trace has its own arrival times; stretch them with timeScale");
    }
    SECTION("a trace in a closed loop with a rate")
    {
        phase = tracePhase("sample.iolog3");
        phase.pacing.interval = 1us;
        CHECK(onlyProblem(phase) ==
              "phase 0, pacing.rate: the rate of a trace cannot be limited; open replays it at its own times");
    }
    SECTION("a limited rate where no time passes")
    {
        phase.measured = false;
        phase.isFunctional = true;
        phase.pacing.interval = 1us;
        CHECK(onlyProblem(phase) == "phase 0, pacing.rate: no time passes in a functional phase: must be none");
    }
    SECTION("a trace that is missing")
    {
        phase = phaseOf(SourceKind::Trace, 0);
        CHECK(onlyProblem(phase) == "phase 0, trace.file: a trace phase needs a file");
        phase.source.trace.file = "no/such/trace";
        CHECK(onlyProblem(phase) ==
              "phase 0, trace.file: no/such/trace: cannot open the trace: No such file or directory");
    }
    SECTION("dependent requests of a generator")
    {
        phase.pacing.mode = PacingMode::Dependent;
        CHECK(onlyProblem(phase) ==
              "phase 0, pacing.mode: only a trace has dependent requests; a generator is closed or open");
    }
    SECTION("times of a trace that has none")
    {
        phase = tracePhase("sample.arc");
        phase.pacing.mode = GENERATE(PacingMode::Open, PacingMode::Dependent);
        CHECK(onlyProblem(phase) ==
              "phase 0, pacing.mode: a trace in the format arc has no times: only a closed loop can replay it");
    }
    SECTION("a name that is missing")
    {
        phase.name.clear();
        CHECK(onlyProblem(phase) == "phase 0, name: a phase needs a name");
    }
}

TEST_CASE("jobs beside a phase's own one are checked like phases, with their place")
{
    PhaseConfig phase = phaseOf(SourceKind::Uniform, 10);
    phase.concurrentJobs = {JobConfig{"writer", {}, {}}, JobConfig{"reader", {}, {}}};
    WorkloadConfig workload;
    workload.phases.push_back(phase);
    CHECK(problems(workload).empty()); // they need no end of their own
    SECTION("a trace")
    {
        phase.concurrentJobs[1].source.kind = SourceKind::Trace;
        CHECK(onlyProblem(phase) ==
              "phase 0, concurrentJobs.1.kind: trace is not allowed beside another job: only the phase's "
              "own job can be a trace");
    }
    SECTION("a block that no command can move")
    {
        phase.concurrentJobs[0].source.blockSize = 100;
        CHECK(onlyProblem(phase).rfind("phase 0, concurrentJobs.0.blockSize: must be a multiple of 512B", 0) == 0);
    }
    SECTION("an open loop without a rate")
    {
        phase.concurrentJobs[1].pacing.mode = PacingMode::Open;
        CHECK(onlyProblem(phase) == "phase 0, concurrentJobs.1.pacing.rate: an open loop needs a rate above zero");
    }
    SECTION("dependent requests")
    {
        phase.concurrentJobs[1].pacing.mode = PacingMode::Dependent;
        CHECK(onlyProblem(phase) == "phase 0, concurrentJobs.1.pacing.mode: only a trace has dependent requests; a "
                                    "generator is closed or open");
    }
    SECTION("names that are missing or taken")
    {
        phase.concurrentJobs[0].name.clear();
        CHECK(onlyProblem(phase) == "phase 0, concurrentJobs.0.name: a job needs a name");
        phase.concurrentJobs[0].name = phase.name;
        CHECK(onlyProblem(phase) == "phase 0, concurrentJobs.0.name: 'main' names the phase or an earlier job already");
        phase.concurrentJobs[0].name = "reader";
        CHECK(onlyProblem(phase) ==
              "phase 0, concurrentJobs.1.name: 'reader' names the phase or an earlier job already");
    }
    SECTION("in a functional phase")
    {
        phase.measured = false;
        phase.isFunctional = true;
        CHECK(onlyProblem(phase).rfind("phase 0, concurrentJobs: no time passes in a functional phase", 0) == 0);
    }
    SECTION("a region that the drive does not have")
    {
        phase.concurrentJobs[1].source.region.size.bytes = 1 << 30;
        workload.phases = {phase};
        const auto found = misfits(workload, 1 << 20);
        REQUIRE(found.size() == 1);
        CHECK(placeText(found[0].place) == "phase 0, concurrentJobs.1.region.size");
        CHECK_THROWS_AS(makePhases(workload, 1 << 20, 1), WorkloadError);
        try {
            makePhases(workload, 1 << 20, 1);
        } catch (const WorkloadError& error) {
            CHECK(placeText(error.place()) == "phase 0, concurrentJobs.1.region.size");
            CHECK(std::string(error.what()).rfind("phase 'main/reader': ", 0) == 0);
        }
    }
}

TEST_CASE("each job of a phase has random streams of its own")
{
    WorkloadConfig workload;
    workload.phases = {phaseOf(SourceKind::Uniform, 50)};
    std::vector<Phase> alone = makePhases(workload, 1 << 20, 7);
    workload.phases[0].concurrentJobs = {JobConfig{"one", {}, {}}, JobConfig{"two", {}, {}}};
    std::vector<Phase> together = makePhases(workload, 1 << 20, 7);
    REQUIRE(together[0].concurrentJobs().size() == 2);
    int equal = 0;
    for (int i = 0; i < 50; ++i) {
        const auto own = together[0].next({});
        const auto one = together[0].concurrentJobs()[0].next({});
        const auto two = together[0].concurrentJobs()[1].next({});
        CHECK(own->lba == alone[0].next({})->lba); // not changed by its neighbours
        equal += own->lba == one->lba || one->lba == two->lba || own->lba == two->lba ? 1 : 0;
    }
    CHECK(equal < 10);
}

TEST_CASE("all problems are found at once")
{
    WorkloadConfig config;
    CHECK(problems(config).front().message == "a workload needs at least one phase");
    config.phases = {phaseOf(SourceKind::HotCold, 1), phaseOf(SourceKind::Uniform, 0)};
    config.phases[0].source.hot.space = 2;
    config.phases[0].source.mix.trimRatio = -1;
    const auto found = problems(config);
    REQUIRE(found.size() == 4);
    CHECK(placeText(found[0].place) == "phase 0, trimRatio");
    CHECK(placeText(found[1].place) == "phase 0, hotCold.space");
    CHECK(placeText(found[2].place) == "phase 1, requests");
    CHECK((placeText(found[3].place) == "phase 1, name" &&
           found[3].message == "the name \"main\" is already used by an earlier phase"));
}
