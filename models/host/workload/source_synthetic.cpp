// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_synthetic.h"

#include "models/base/check.h"
#include "models/base/content.h"
#include "models/host/workload/byte_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strobe::host {

SyntheticSource::SyntheticSource(const SyntheticConfig& config)
    : space_(config.space), mix_(config.mix), limits_(config.limits), interval_(config.interval),
      arrivals_(config.arrivals), kindRng_(config.seed, config.name + "/kind"),
      addressRng_(config.seed, config.name + "/address"), arrivalRng_(config.seed, config.name + "/arrival")
{
    check(space_.blockSectors > 0 && space_.stepSectors > 0, "a generator needs blocks of at least one sector");
    check(space_.wholeBlocks() > 0, "a generator needs space for at least one block");
}

std::optional<Request> SyntheticSource::next()
{
    if (counts_.requests >= limits_.requests || volumeSectors_ >= limits_.sectors)
        return std::nullopt;
    ++counts_.requests;
    Request request;
    request.arrival = takeArrival();
    if (mix_.flushEvery != 0 && writesSinceFlush_ == mix_.flushEvery) {
        writesSinceFlush_ = 0;
        request.kind = RequestKind::Flush;
        return request;
    }
    request.kind = pickKind();
    const Extent extent = pick(request.kind);
    request.lba = extent.sector;
    request.sectors = extent.sectors;
    volumeSectors_ += extent.sectors;
    if (request.kind == RequestKind::Write)
        ++writesSinceFlush_;
    if (((request.lba | request.sectors) & 7) != 0)
        ++counts_.unaligned4k;
    return request;
}

RequestKind SyntheticSource::pickKind()
{
    if (mix_.trimRatio > 0 && kindRng_.chance(mix_.trimRatio))
        return RequestKind::Trim;
    if (mix_.readRatio <= 0)
        return RequestKind::Write;
    if (mix_.readRatio >= 1)
        return RequestKind::Read;
    return kindRng_.chance(mix_.readRatio) ? RequestKind::Read : RequestKind::Write;
}

Time SyntheticSource::takeArrival()
{
    const Time now = arrival_;
    if (interval_ == Time{})
        return now;
    Time gap = interval_;
    if (arrivals_ == ArrivalProcess::Exponential)
        gap = Time{std::llround(arrivalRng_.exponential(static_cast<double>(interval_.count())))};
    arrival_ = gap > never - arrival_ ? never : arrival_ + gap; // endless sources saturate instead of overflowing
    return now;
}

std::optional<std::uint64_t> SyntheticSource::blocksFor(std::uint64_t sectors) const
{
    return (sectors + space_.blockSectors - 1) / space_.blockSectors;
}

std::optional<std::uint64_t> SyntheticSource::total() const
{
    if (limits_.sectors == SourceLimits::none)
        return limits_.requests == SourceLimits::none ? std::nullopt : std::optional(limits_.requests);
    const std::optional<std::uint64_t> blocks = blocksFor(limits_.sectors);
    if (!blocks)
        return std::nullopt;
    std::uint64_t requests = *blocks;
    if (mix_.flushEvery != 0 && requests > 0) {
        if (mix_.readRatio > 0 || mix_.trimRatio > 0)
            return std::nullopt; // the number of flushes is random
        requests += (requests - 1) / mix_.flushEvery;
    }
    return std::min(requests, limits_.requests);
}

std::string SyntheticSource::sizeText() const
{
    return byteText(std::uint64_t{space_.blockSectors} * sectorBytes) + " blocks";
}

std::string SyntheticSource::describe() const
{
    std::string text = fmt::format("{} over {}, {}, {:.4g} % reads", patternText(),
                                   byteText(space_.sectors * sectorBytes), sizeText(), mix_.readRatio * 100);
    if (mix_.trimRatio > 0)
        text += fmt::format(", {:.4g} % trims", mix_.trimRatio * 100);
    if (mix_.flushEvery != 0)
        text += fmt::format(", a flush every {} writes", mix_.flushEvery);
    return text;
}

} // namespace strobe::host
