// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/driver_bench.h"

#include <algorithm>
#include <utility>

namespace strobe::test {

void DirectFront::issue(const Command& command, Time at)
{
    pending.push(at + latency, command);
    issueTimes.push_back(at);
    mostOutstanding = std::max(mostOutstanding, pending.size());
}

void DirectFront::advance(Time now)
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

DriverBench::DriverBench(std::vector<PhaseScript> phases, std::uint32_t slots)
    : DriverBench({DataMode::Tags, 8}, std::move(phases), slots)
{
}

DriverBench::DriverBench(const HostDriverConfig& config, std::vector<PhaseScript> phases, std::uint32_t slots)
    : driver(config, script(std::move(phases))), slots_(slots)
{
    front.driver = &driver;
    driver.connect(front);
    driver.onFinished([this](Time at) {
        finishedAt = at;
        ++finishedCalls;
    });
}

DriverBench::~DriverBench() = default;

bool DriverBench::step()
{
    const Time next = std::min(front.pending.nextTime(), driver.nextTime());
    if (next == never)
        return false;
    now = next;
    front.advance(now);
    driver.advance(now);
    return true;
}

void DriverBench::run()
{
    start();
    while (step()) {
    }
}

std::vector<Request> reads(std::size_t count, Time gap)
{
    std::vector<Request> requests;
    for (std::size_t i = 0; i < count; ++i)
        requests.push_back(read(i * 8, 8, gap * static_cast<std::int64_t>(i)));
    return requests;
}

} // namespace strobe::test
