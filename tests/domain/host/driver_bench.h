#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host driver before a front without a link, which completes a command a fixed time after its issue.

#include "tests/domain/host/sata_bench.h"
#include "tests/support/catch.h"

#include <algorithm>
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

    void issue(const Command& command, Time at) override
    {
        pending.push(at + latency, command);
        issueTimes.push_back(at);
        mostOutstanding = std::max(mostOutstanding, pending.size());
    }
    void advance(Time now)
    {
        while (pending.isDue(now)) {
            const Command command = pending.pop();
            std::vector<std::byte> bytes(command.sectors * stride(DataMode::Tags));
            const Content content{bytes.data(), DataMode::Tags};
            if (command.kind == RequestKind::Write)
                driver->fillWriteData(command.slot, 0, command.sectors, content);
            if (command.kind == RequestKind::Read)
                driver->takeReadData(command.slot, 0, command.sectors, content); // zeros
            driver->completed(command.slot, judge ? judge(command) : CommandStatus::Ok, now);
        }
    }
};

struct DriverBench {
    DirectFront front;
    HostDriver driver;
    Time now = 1ms; // power-on took a while
    Time finishedAt = never;
    int finishedCalls = 0;

    explicit DriverBench(std::vector<PhaseScript> phases, std::uint32_t slots = 32)
        : DriverBench({DataMode::Tags, 8}, std::move(phases), slots)
    {
    }
    DriverBench(const HostDriverConfig& config, std::vector<PhaseScript> phases, std::uint32_t slots = 32)
        : driver(config, script(std::move(phases))), slots_(slots)
    {
        front.driver = &driver;
        driver.connect(front);
        driver.onFinished([this](Time at) {
            finishedAt = at;
            ++finishedCalls;
        });
    }
    void start() { driver.driveReady(1 << 20, slots_, now); }
    bool step()
    {
        const Time next = std::min(front.pending.nextTime(), driver.nextTime());
        if (next == never)
            return false;
        now = next;
        front.advance(now);
        driver.advance(now);
        return true;
    }
    void run()
    {
        start();
        while (step()) {
        }
    }

private:
    std::uint32_t slots_;
};

inline std::vector<Request> reads(std::size_t count, Time gap = {})
{
    std::vector<Request> requests;
    for (std::size_t i = 0; i < count; ++i)
        requests.push_back(read(i * 8, 8, gap * static_cast<std::int64_t>(i)));
    return requests;
}

inline const KindResult& readsOf(const PhaseResult& result)
{
    return result.kinds[static_cast<std::size_t>(RequestKind::Read)];
}

} // namespace strobe::test
