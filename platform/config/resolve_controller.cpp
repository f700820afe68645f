// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

namespace {

constexpr std::uint32_t maxChips = 256; // of a superchip: descriptors name them in eight bits

void slowEcc(Resolving& r, const ControllerSection::SlowEcc& slow, const std::string& path)
{
    const std::uint32_t channels = r.file.nand.array.channels;
    if (!r.checks.expectOfFlash(slow.channel < channels, path + "/channel",
                                fmt::format("must be 0 to {}, not {}", channels - 1, slow.channel), {"/nand/channels"}))
        return;
    const auto longer = [&slow](Time time) {
        return Time{std::llround(static_cast<double>(time.count()) * slow.factor)};
    };
    std::vector<controller::EccConfig>& all = r.result.controller.eccOfChannels;
    all.resize(channels, r.result.controller.ecc);
    controller::EccConfig& ecc = all[slow.channel];
    ecc.encodeLatency = longer(ecc.encodeLatency);
    ecc.decodeLatency = longer(ecc.decodeLatency);
    ecc.code.iterationTime = longer(ecc.code.iterationTime);
    if (ecc.bytesPerSecond != 0)
        ecc.bytesPerSecond = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(static_cast<double>(ecc.bytesPerSecond) / slow.factor));
}

} // namespace

void resolveController(Resolving& r)
{
    ControllerSection& c = r.file.controller;
    const std::uint32_t dies = r.file.nand.array.dies();
    const nand::Part& part = r.file.nand.part;
    const bool suspends = r.result.channel.join.suspend != channel::Suspend::None;
    const bool readsApart = suspends || part.hasPlaneReads();
    const std::uint32_t needed = readsApart ? 2 * dies : dies;
    c.units = c.units.value_or(*c.foreground ? std::min(needed, maxDies - 1) : needed);
    r.checks.expectOfFlash(
        !readsApart || (*c.units >= needed && needed <= maxDies), "/controller/units",
        fmt::format("reads that {} need separate units: {} dies need {} units, not {}; up to {} are allowed",
                    suspends ? "suspend" : "are independent by plane", dies, needed, *c.units, maxDies),
        {"/nand/channels", "/nand/ways", "/nand/luns", "/nand/part", "/channel/suspend"});
    const std::uint32_t planes = part.geometry.planes;
    r.checks.expectOfFlash(
        c.planesAtOnce.value_or(0) <= planes, "/controller/planesAtOnce",
        fmt::format("must be the {} planes of the part or less, not {}", planes, c.planesAtOnce.value_or(0)),
        {"/nand/part"});
    const std::uint32_t joined = c.multiPlane ? 2 * c.planesAtOnce.value_or(planes) : 2;
    const std::uint32_t fewest = std::max(joined, c.cacheOperations ? 4U : 2U);
    // n random reads keep n / (n + planes - 1) of the planes at work: four for each plane, 84 % of four planes.
    const std::uint32_t readDepth = part.hasPlaneReads() ? 4 * planes : 0;
    const bool chainsPlanes = c.multiPlane && c.cacheOperations && part.hasPlaneCache();
    const std::uint32_t cached = chainsPlanes ? std::max(joined / 2, 2U) : 2;
    c.unitDepth = c.unitDepth.value_or(
        std::max({4U, (chainsPlanes ? joined + cached : fewest) - 1, readDepth - (readDepth != 0 ? 1 : 0)}));
    // A cache command holds two operations besides those that could be planes of the next command; of several planes,
    // one command is in the array, one on the bus, and one waits.
    const std::uint32_t depth = c.cacheOperations ? std::clamp(*c.unitDepth + 1, fewest, joined + cached) : fewest;
    r.checks.expectOfFlash(
        *c.unitDepth + 1 >= fewest || fewest == 2, "/controller/unitDepth",
        fmt::format("must be {} or more: joined operations keep {} of a die in its unit", fewest - 1, fewest),
        {"/nand/part", "/controller/multiPlane", "/controller/planesAtOnce", "/controller/cacheOperations"});
    const nand::ArrayGeometry& array = r.file.nand.array;
    r.checks.expectOfFlash(array.channels % c.superchip.bus == 0, "/controller/superchip/bus",
                           fmt::format("{} does not divide the {} channels", c.superchip.bus, array.channels),
                           {"/nand/channels"});
    r.checks.expectOfFlash(
        array.diesPerChannel() % c.superchip.chip == 0, "/controller/superchip/chip",
        fmt::format("{} does not divide the {} dies of a channel", c.superchip.chip, array.diesPerChannel()),
        {"/nand/ways", "/nand/luns"});
    r.checks.expectOfFlash(c.superchip.chips() <= maxChips, "/controller/superchip",
                           fmt::format("{} x {} are {} chips; up to {} are allowed", c.superchip.bus, c.superchip.chip,
                                       c.superchip.chips(), maxChips));
    r.checks.expectOfFlash(!*c.foreground || *c.units < maxDies, "/controller/units",
                           fmt::format("must be {} or less with a foreground unit", maxDies - 1),
                           {"/controller/foreground"});
    const bool isSoftware = c.backgroundUnits == BackgroundUnits::Software;
    r.checks.expectOfFlash(
        !isSoftware || dies < maxDies, "/controller/backgroundUnits",
        fmt::format("software units need a low-level controller per die: {} dies or less, not {}", maxDies - 1, dies),
        dieCountKeys());
    r.result.controller = {
        *c.units,    *c.unitDepth,          {c.encodeLatency, c.decodeLatency, c.eccRate.value_or(0), c.eccCode},
        depth,       readsApart ? dies : 0, readDepth,
        c.superchip, *c.foreground,         c.synthesizer,
        c.priority,  c.interleaving,        c.backgroundUnits};
    r.result.controller.unitRegisterCycles = c.unitRegisterCycles;
    for (std::size_t i = 0; i < c.slowEcc.size(); ++i)
        slowEcc(r, c.slowEcc[i], fmt::format("/controller/ecc/slowChannels/{}", i));
    r.checks.expectOfFlash(c.eccCode.codewordBytes % sectorBytes == 0, "/controller/ecc/codeword",
                           "must be a whole number of 512-byte sectors");
    r.result.channel.join.multiPlane = c.multiPlane;
    r.result.channel.join.planesAtOnce = c.planesAtOnce.value_or(planes);
    r.result.channel.join.cache = c.cacheOperations;
}

} // namespace strobe::platform
