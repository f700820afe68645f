// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/sampling.h"

#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe::platform {

// The slice that is being simulated may be longer than an interval: it ends here.
void Sampling::begin()
{
    if (!lasting_.series)
        return;
    lasting_.series->start(now());
    agenda_.pause();
}

void Sampling::end()
{
    if (lasting_.series)
        lasting_.series->stop(now());
}

Observed Sampling::observe() const
{
    return {measurement_.figures(), lasting_.driver.results(), lasting_.driver.outstandingTime(now())};
}

void Sampling::takeDue()
{
    if (lasting_.series && now() >= lasting_.series->nextSample())
        lasting_.series->sample(now(), observe());
    takeWear();
}

// Without power nothing changes: samples that were due then are one sample.
void Sampling::takeWear()
{
    if (now() < lasting_.nextWearSample)
        return;
    lasting_.sampleWear(now());
    const Time every = scenario_.report.wearEvery;
    lasting_.nextWearSample += every * ((now() - lasting_.nextWearSample) / every + 1);
}

Time Sampling::next() const
{
    return std::min(lasting_.nextWearSample, lasting_.series ? lasting_.series->nextSample() : never);
}

void Sampling::finish(Report& report) const
{
    if (lasting_.series)
        report.series = lasting_.series->finish(observe());
}

} // namespace strobe::platform
