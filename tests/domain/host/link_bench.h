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
    explicit ScriptedSource(std::vector<host::Request> requests) : requests_(std::move(requests)) {}

    std::optional<host::Request> next() override
    {
        if (counts_.requests == requests_.size())
            return std::nullopt;
        return requests_[counts_.requests++];
    }
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
    std::vector<PhaseScript> beside = {};
};

inline host::PhaseConfig closedLoop(std::uint32_t queueDepth)
{
    host::PhaseConfig config;
    config.name = "closed";
    config.pacing.queueDepth = queueDepth;
    return config;
}
inline host::PhaseConfig openLoop()
{
    host::PhaseConfig config;
    config.name = "open";
    config.pacing.mode = host::PacingMode::Open;
    return config;
}

inline host::HostDriver::PhaseMaker script(std::vector<PhaseScript> phases)
{
    return [phases = std::move(phases)](std::uint64_t) {
        std::vector<host::Phase> made;
        for (const PhaseScript& phase : phases) {
            host::PhaseConfig config = phase.config;
            for (const PhaseScript& job : phase.beside)
                config.beside.push_back({job.config.name, job.config.source, job.config.pacing});
            made.emplace_back(config, std::make_unique<ScriptedSource>(phase.requests));
            for (std::size_t job = 0; job < phase.beside.size(); ++job)
                made.back().beside().emplace_back(host::besideAsPhase(config, job),
                                                  std::make_unique<ScriptedSource>(phase.beside[job].requests));
        }
        return made;
    };
}

template <class Link, class Config>
struct LinkBench {
    Link link;
    FakeSsd ssd;
    host::HostDriver driver;
    Time now{};
    Time finishedAt = never;

    LinkBench(const Config& config, const FakeSsd::Config& drive, std::vector<PhaseScript> phases)
        : link(config, drive.mode), ssd(drive), driver({drive.mode, drive.unitSectors}, script(std::move(phases)))
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
