#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Driver, a link and a fake drive, stepped without a kernel.

#include "models/host/driver.h"
#include "tests/domain/host/fake_ssd.h"

#include <algorithm>
#include <string>
#include <vector>

namespace strobe::test {

class ScriptedSource : public host::RequestSource {
public:
    explicit ScriptedSource(std::vector<host::Request> requests);

    std::optional<host::Request> next() override;
    std::optional<std::uint64_t> total() const override { return requests_.size(); }
    const host::SourceCounts& counts() const override { return counts_; }
    std::string describe() const override { return "scripted"; }

private:
    std::vector<host::Request> requests_;
    host::SourceCounts counts_;
};

inline host::Request read(std::uint64_t lba, std::uint32_t sectors, Time arrival = {})
{
    return {host::RequestKind::Read, false, lba, sectors, arrival};
}
inline host::Request write(std::uint64_t lba, std::uint32_t sectors, Time arrival = {})
{
    return {host::RequestKind::Write, false, lba, sectors, arrival};
}
inline host::Request trim(std::uint64_t lba, std::uint32_t sectors)
{
    return {host::RequestKind::Trim, false, lba, sectors, {}};
}
inline host::Request flush()
{
    return {host::RequestKind::Flush, false, 0, 0, {}};
}

struct PhaseScript {
    std::vector<host::Request> requests;
    host::PhaseConfig config;
    std::vector<PhaseScript> concurrentJobs = {};
};

host::PhaseConfig closedLoop(std::uint32_t queueDepth);
host::PhaseConfig openLoop();

host::HostDriver::PhaseMaker script(std::vector<PhaseScript> phases);

template <class Link, class Config>
struct LinkBench {
    Link link;
    FakeSsd ssd;
    host::HostDriver driver;
    Time now{};
    Time finishedAt = never;

    LinkBench(const Config& config, const FakeSsd::Config& drive, std::vector<PhaseScript> phases)
        : LinkBench(config, drive, {drive.mode, drive.unitSectors}, std::move(phases))
    {
    }
    LinkBench(const Config& config, const FakeSsd::Config& drive, const host::HostDriverConfig& host,
              std::vector<PhaseScript> phases)
        : link(config, drive.mode), ssd(drive), driver(host, script(std::move(phases)))
    {
        link.connect(ssd, driver);
        ssd.connect(link);
        driver.connect(link);
        driver.onFinished([this](Time at) { finishedAt = at; });
        link.driveReady(Time{});
    }

    bool step()
    {
        const Time next = std::min({link.nextTime(), ssd.nextTime(), driver.nextTime()});
        if (next == never)
            return false;
        check(next >= now, "the bench went back in time");
        now = next;
        ssd.advance(now);
        link.advance(now);
        driver.advance(now);
        return true;
    }
    void run()
    {
        while (step()) {
        }
    }
    Time elapsed() const { return finishedAt - driver.readyTime(); }
};

} // namespace strobe::test
