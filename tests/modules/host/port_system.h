#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Driver, a port module and the fake drive in simulated time, and a mixture of requests for it.

#include "models/base/rng.h"
#include "models/host/host_driver_module.h"
#include "tests/domain/host/link_bench.h"
#include "tests/modules/host/fake_ssd_module.h"

namespace strobe::test {

template <class Port, class Config>
struct PortSystem {
    Port port;
    FakeSsdModule ssd;
    host::HostDriver driver;
    host::HostDriverModule host;
    Time finishedAt = never;

    PortSystem(const Config& config, const FakeSsd::Config& drive, std::vector<PhaseScript> phases)
        : port("port", config, drive.mode), ssd("ssd", drive),
          driver({drive.mode, drive.unitSectors}, script(std::move(phases))), host("host", driver)
    {
        port.connect(ssd, host);
        ssd.ssd.connect(port);
        host.connect(port);
        host.driver().onFinished([this](Time at) { finishedAt = at; });
        port.driveReady(Time{});
    }
};

// Reads, writes, trims and flushes of all sizes, many of them on the same sectors at once.
inline std::vector<host::Request> mixture(std::size_t count, std::uint64_t span)
{
    Rng rng(7, "mixture");
    std::vector<host::Request> requests;
    for (std::size_t i = 0; i < count; ++i) {
        const auto sectors = static_cast<std::uint32_t>(1 + rng.below(48));
        const std::uint64_t lba = rng.below(span - sectors);
        const std::uint64_t kind = rng.below(100);
        requests.push_back(kind < 50   ? read(lba, sectors)
                           : kind < 95 ? write(lba, sectors)
                           : kind < 97 ? trim(lba, sectors)
                                       : flush());
        requests.back().arrival = std::chrono::microseconds(10) * static_cast<std::int64_t>(i);
    }
    return requests;
}

} // namespace strobe::test
