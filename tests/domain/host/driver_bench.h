#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host driver before a front without a link, which completes a command a fixed time after its issue.

#include "tests/domain/host/sata_bench.h"
#include "tests/support/catch.h"

#include <functional>
#include <vector>

namespace strobe::test {

using namespace strobe::host;
using namespace std::chrono_literals;

struct DirectFront : HostLink {
    HostDriver* driver = nullptr;
    Time latency = 10us;
    EventHeap<Command> pending;
    std::vector<Time> issueTimes;
    std::size_t mostOutstanding = 0;
    std::function<CommandStatus(const Command&)> judge;

    void issue(const Command& command, Time at) override;
    void advance(Time now);
};

struct DriverBench {
    DirectFront front;
    HostDriver driver;
    Time now = 1ms; // power-on took a while
    Time finishedAt = never;
    int finishedCalls = 0;

    explicit DriverBench(std::vector<PhaseScript> phases, std::uint32_t slots = 32);
    DriverBench(const HostDriverConfig& config, std::vector<PhaseScript> phases, std::uint32_t slots = 32);
    ~DriverBench();

    void start() { driver.driveReady(1 << 20, slots_, now); }
    bool step();
    void run();

private:
    std::uint32_t slots_;
};

std::vector<Request> reads(std::size_t count, Time gap = {});

inline const KindResult& readsOf(const PhaseResult& result)
{
    return result.kinds[static_cast<std::size_t>(RequestKind::Read)];
}

} // namespace strobe::test
