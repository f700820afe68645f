// SPDX-License-Identifier: Apache-2.0
//
// What a chosen alternative leaves without effect in other sections. Such a value is put back to that of a drive
// without it, so that later steps see only what has an effect; it is a mistake if it was written after the choice.
#include "platform/config/resolve.h"
#include "platform/config/resolve_sections.h"

#include <string>
#include <vector>

namespace strobe::platform {

namespace {

using Places = std::vector<std::string>;

Places placesOfPart()
{
    return {"/nand/part/cell", "/nand/part/extends"};
}

Places placesOfLayer()
{
    Places places = placesOfPart();
    places.emplace_back("/firmware/ftl");
    places.emplace_back("/firmware/image");
    return places;
}

// Value `none` unless `holds`.
template <class T>
void only(Resolving& r, bool holds, T& value, const T& none, const char* path, const char* message,
          const Places& choices)
{
    if (!r.checks.expectEffect(holds, path, message, choices))
        value = none;
}

void agingPart(Resolving& r)
{
    NandSection& c = r.file.nand;
    const bool hasErrors = c.part.errors.isOn();
    const bool takesTime = !c.part.wear.points.empty();
    const bool ages = takesTime || hasErrors;
    only(r, ages || c.preAged == 0, c.preAged, 0.0, "/nand/preAged", "needs a part that ages (wear, errors)",
         placesOfPart());
    only(r, ages || c.preAgedCycles.value_or(0) == 0, c.preAgedCycles, {}, "/nand/preAgedCycles",
         "needs a part that ages (wear, errors)", placesOfPart());
    const char* const needsErrors = "needs a part with an error model (errors)";
    only(r, hasErrors || c.age.seconds == 0, c.age.seconds, std::int64_t{0}, "/nand/age/retention", needsErrors,
         placesOfPart());
    only(r, hasErrors || c.age.reads == 0, c.age.reads, 0U, "/nand/age/readsPerBlock", needsErrors, placesOfPart());
    only(r, !takesTime || !r.file.channel.wholeClocks, r.file.channel.wholeClocks, false, "/channel/wholeClocks",
         "must be false with a part that ages (wear): its program times are not whole clocks", placesOfPart());
}

void pcm(Resolving& r)
{
    ControllerSection& c = r.file.controller;
    const bool isFlash = !r.file.nand.part.isOverwritable();
    only(r, isFlash || !c.multiPlane, c.multiPlane, false, "/controller/multiPlane", "PCM has no multi-plane commands",
         placesOfPart());
    only(r, isFlash || !c.cacheOperations, c.cacheOperations, false, "/controller/cacheOperations",
         "PCM has no cache commands", placesOfPart());
    only(r, isFlash || r.file.channel.suspend == channel::Suspend::None, r.file.channel.suspend, channel::Suspend::None,
         "/channel/suspend", "programs of PCM are not suspended", placesOfPart());
    only(r, isFlash || r.file.nand.factoryBadBlocks.value_or(0) == 0, r.file.nand.factoryBadBlocks, {0},
         "/nand/factoryBadBlocks", "must be 0: start_gap does not handle bad blocks", placesOfPart());
}

void layers(Resolving& r)
{
    ControllerSection& c = r.file.controller;
    const FirmwareConfig& firmware = r.file.firmware.config;
    const bool isSuperblockMap = firmware.ftl == Ftl::SuperblockMap;
    const bool isPageMap =
        firmware.image.empty() ? firmware.ftl == Ftl::PageMap : isImageOf(firmware.image, Ftl::PageMap);
    const bool isSingle = c.superchip.chips() == 1;
    only(r, isSingle || !isPageMap, c.superchip, {}, "/controller/superchip",
         "page mapping, which firmware.ftl or firmware.image selects, works with superchips of 1 x 1 only",
         placesOfLayer());
    only(r, c.superchip.chips() == 1 || firmware.ftl != Ftl::StartGap, c.superchip, {}, "/controller/superchip",
         "start_gap works with superchips of 1 x 1 only", placesOfLayer());
    only(r, c.superchip.chips() == 1 || firmware.ftl != Ftl::Zoned, c.superchip, {}, "/controller/superchip",
         "zoned works with superchips of 1 x 1 only", placesOfLayer());
    only(r, isSuperblockMap || c.backgroundUnits == BackgroundUnits::Hardware, c.backgroundUnits,
         BackgroundUnits::Hardware, "/controller/backgroundUnits",
         "software units need superblock mapping: page mapping sequences single chips anyway", placesOfLayer());
    only(r, !isSuperblockMap || c.foreground.value_or(true), c.foreground, {}, "/controller/foreground",
         "superblock mapping needs a foreground unit", placesOfLayer());
    only(r, !c.synthesizer || c.foreground.value_or(true), c.synthesizer, false, "/controller/synthesizer",
         "needs a foreground unit (foreground)", {"/controller/foreground"});
    c.foreground = c.foreground.value_or(isSuperblockMap || c.synthesizer);
}

void writes(Resolving& r)
{
    FirmwareConfig& c = r.file.firmware.config;
    only(r, !c.serialWrites || c.completion == Completion::WriteThrough, c.serialWrites, false,
         "/firmware/pageMap/serialWrites",
         "needs completion \"write-through\": a write that completes in the buffer is not waited for in flash",
         {"/firmware/completion"});
}

} // namespace

void resolveAlternatives(Resolving& r)
{
    FirmwareSection& firmware = r.file.firmware;
    firmware.ftl = firmware.config.ftl = firmware.layerFor(r.file.nand.part);
    agingPart(r);
    pcm(r);
    layers(r);
    writes(r);
}

} // namespace strobe::platform
