// SPDX-License-Identifier: Apache-2.0
#include "models/channel/nand_interface.h"
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

namespace {

// The wear curve of the part. Returns the initial position of the drive on it, 1: at its rated endurance.
double resolveWear(Resolving& r)
{
    NandSection& c = r.file.nand;
    const std::vector<nand::WearPoint>& points = c.part.wear.points;
    r.checks.expectOfFlash(points.empty() || c.part.endurance != 0, "/nand/part/endurance",
                           "a part that ages (wear) needs a rated endurance");
    resolveErrors(r);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const nand::WearPoint& p = points[i];
        const std::string path = fmt::format("/nand/part/wear/points/{}", i);
        r.checks.expectOfFlash(i == 0 || p.wear > points[i - 1].wear, path + "/wear",
                               "must be more than the one before");
        r.checks.expectOfFlash(p.programMin <= p.programMean && p.programMean <= p.programMax, path,
                               "programMin, programMean and programMax must ascend");
    }
    r.checks.expectOfFlash(c.preAged == 0 || !c.preAgedCycles, "/nand/preAgedCycles",
                           "sets the same quantity as preAged: give one of them");
    return c.preAgedCycles && c.part.endurance != 0 ? static_cast<double>(*c.preAgedCycles) / c.part.endurance
                                                    : c.preAged;
}

void wornBlock(Resolving& r, const NandSection::Worn& worn, const std::string& path)
{
    const nand::ArrayGeometry& array = r.file.nand.array;
    const auto below = [&](const char* key, std::uint32_t value, std::uint32_t limit) {
        return r.checks.expectOfFlash(value < limit, path + "/" + key,
                                      fmt::format("must be 0 to {}, not {}", limit - 1, value));
    };
    const bool inside =
        below("die", worn.die, array.dies()) & below("block", worn.block, r.file.nand.part.geometry.blocks());
    if (inside)
        r.result.nand.wornBlocks.push_back({DieId{static_cast<std::uint16_t>(worn.die)}, worn.block, worn.at});
}

Time longer(Time time, double factor)
{
    return Time{std::llround(static_cast<double>(time.count()) * factor)};
}

void slowDie(Resolving& r, const NandSection::SlowDie& slow, const std::string& path)
{
    const std::uint32_t dies = r.file.nand.array.dies();
    if (!r.checks.expectOfFlash(slow.die < dies, path + "/die",
                                fmt::format("must be 0 to {}, not {}", dies - 1, slow.die)))
        return;
    nand::Part part = r.file.nand.part;
    part.times.tR = longer(part.times.tR, slow.factor);
    part.snapRead.tR = longer(part.snapRead.tR, slow.factor);
    part.times.tPROG = longer(part.times.tPROG, slow.factor);
    part.times.tBERS = longer(part.times.tBERS, slow.factor);
    for (Time* time : {&part.pslc.tR, &part.pslc.tPROG, &part.pslc.tBERS})
        *time = longer(*time, slow.factor);
    for (nand::PageType& type : part.pageTypes) {
        type.tR = longer(type.tR, slow.factor);
        type.tPROG = longer(type.tPROG, slow.factor);
    }
    r.result.nand.slowDies.push_back({DieId{static_cast<std::uint16_t>(slow.die)}, std::move(part)});
}

// A part whose program writes a word line, and what does not work with it.
void wordLines(Resolving& r)
{
    const nand::Part& part = r.file.nand.part;
    const nand::DieGeometry& die = part.geometry;
    if (!die.hasWordLines())
        return;
    const std::string key = "/nand/part/pagesPerProgram";
    const std::uint32_t pages = die.pagesPerProgram;
    const std::uint32_t bits = bitsPerCell(part.cell);
    r.checks.expectOfFlash(
        pages == bits, key,
        bits == 1 ? fmt::format("{} cells have one page in a word line: must be 1, not {}", enumName(part.cell), pages)
                  : fmt::format("a word line of {} cells has {} pages: must be 1 or {}, not {}", enumName(part.cell),
                                bits, bits, pages));
    r.checks.expectOfFlash(die.pagesPerBlock % pages == 0, key,
                           fmt::format("{} does not divide the {} pages of a block", pages, die.pagesPerBlock));
    const bool haveTimes = std::any_of(part.pageTypes.begin(), part.pageTypes.end(),
                                       [](const nand::PageType& type) { return type.tPROG != Time{}; });
    r.checks.expectOfFlash(!haveTimes, "/nand/part/pageTypes",
                           "a program writes a whole word line (pagesPerProgram): page types have no tPROG");
    const auto excludes = [&](bool isUsed, const char* path, std::string_view what) {
        r.checks.expectOfFlash(
            !isUsed, path,
            fmt::format("{}: not with a part whose programs write word lines of {} pages (nand.part.pagesPerProgram)",
                        what, pages));
    };
    const ControllerSection& controller = r.file.controller;
    excludes(controller.interleaving != controller::Interleaving::Fine, "/controller/interleaving",
             "a bus that is reserved for whole operations");
    // Superchips of several chips need another mapping, too.
    const Ftl ftl = r.file.firmware.config.ftl;
    excludes(ftl != Ftl::PageMap && ftl != Ftl::Zoned, "/firmware/ftl", "a mapping other than page_map or zoned");
    excludes(r.file.firmware.config.gcCopyBack, "/firmware/pageMap/gc/copyBack", "copy-backs of single pages");
}

// A time of the part that no page has, because each page type has its own: it is the mean of these, or a mistake.
void timeOfPageTypes(Resolving& r, const std::string& name, Time ofPart, Time nand::PageType::*own)
{
    const std::vector<nand::PageType>& types = r.file.nand.part.pageTypes;
    const auto has = [own](const nand::PageType& type) { return type.*own != Time{}; };
    if (types.empty() || !std::all_of(types.begin(), types.end(), has))
        return;
    Time sum{};
    for (const nand::PageType& type : types)
        sum += type.*own;
    const Time mean = sum / static_cast<Time::rep>(types.size());
    constexpr Time rounding = picoseconds(1'000); // of times as data sheets give them
    r.checks.expectEffect(ofPart > mean - rounding && ofPart < mean + rounding, "/nand/part/" + name,
                          fmt::format("each page type has its own {0} (nand.part.pageTypes), which this one does not "
                                      "change: must be their mean, {1}, not {2}",
                                      name, toText(mean), toText(ofPart)),
                          {"/nand/part/pageTypes"});
}

// pSLC mode, which needs cells of several bits.
void pslc(Resolving& r)
{
    nand::Part& part = r.file.nand.part;
    nand::DieGeometry& die = part.geometry;
    const std::string key = "/nand/part/pslc";
    if (part.pslc.tPROG == Time{})
        return;
    const std::uint32_t bits = bitsPerCell(part.cell);
    r.checks.expectOfFlash(bits > 1, key,
                           fmt::format("pSLC mode stores one bit in cells of several: not with {} cells, allowed with "
                                       "MLC, TLC and QLC",
                                       enumName(part.cell)));
    r.checks.expectOfFlash(
        die.hasWordLines() || die.pagesPerBlock % bits == 0, key, // else refused as word lines
        fmt::format("a block of {} pages is not whole word lines of {} bits per cell", die.pagesPerBlock, bits));
    die.pslcPages = pslcPagesOf(die, part.cell, part.pslc);
}

// Reads of a section of a page.
void snapReads(Resolving& r)
{
    const nand::Part& part = r.file.nand.part;
    const nand::SnapRead& snap = part.snapRead;
    const std::string key = "/nand/part/snapRead";
    if (snap.bytes == 0)
        return;
    const auto page = static_cast<std::uint32_t>(part.geometry.pageBytes);
    r.checks.expectOfFlash(snap.bytes % sectorBytes == 0 && page % snap.bytes == 0 && snap.bytes < page, key + "/size",
                           fmt::format("{} is not a section of whole 512-byte sectors that divides a page of {}",
                                       sizeText(snap.bytes), sizeText(page)));
    r.checks.expectOfFlash(snap.tR > Time{} && snap.tR <= part.times.tR, key + "/tR",
                           fmt::format("must be above zero and at most the {} of a page", toText(part.times.tR)));
    r.checks.expectOfFlash(!part.isOverwritable(), key, "not with PCM, whose reads take several accesses");
}

// Plane-independent reads, for which each plane has a place of its own on its channel.
void planeReads(Resolving& r)
{
    const nand::Part& part = r.file.nand.part;
    const std::string key = "/nand/part/planeIndependentReads";
    if (!part.planeIndependentReads)
        return;
    r.checks.expectOfFlash(part.geometry.planes > 1, key, "a part with one plane has none to be independent of");
    r.checks.expectOfFlash(!part.isOverwritable(), key, "not with PCM, whose reads take several accesses");
    const std::uint32_t dies = r.file.nand.array.diesPerChannel();
    const std::uint32_t lanes = channel::NandInterface::lanesFor(part, dies);
    r.checks.expectOfFlash(lanes <= channel::NandInterface::maxDies, key,
                           fmt::format("{} dies of {} planes on a channel are {} dies and planes; up to {} are allowed",
                                       dies, part.geometry.planes, lanes, channel::NandInterface::maxDies));
}

} // namespace

void resolveNand(Resolving& r)
{
    NandSection& c = r.file.nand;
    pslc(r);
    const nand::DieGeometry& geometry = c.part.geometry;
    const auto page = static_cast<std::uint32_t>(geometry.pageBytes);
    r.checks.expectOfFlash(page % sectorBytes == 0, "/nand/part/pageSize",
                           fmt::format("{} is not a whole number of 512-byte sectors", sizeText(page)));
    const bool isPcm = c.part.isOverwritable();
    r.checks.expectOfFlash(c.part.times.tPROG > Time{} &&
                               (isPcm || (c.part.times.tR > Time{} && c.part.times.tBERS > Time{})),
                           "/nand/part", "tR, tPROG and tBERS must be above zero");
    r.checks.expectOfFlash(isPcm || c.part.accessBytes == 0, "/nand/part/accessSize",
                           "only pages of PCM take several accesses");
    timeOfPageTypes(r, "tR", c.part.times.tR, &nand::PageType::tR);
    timeOfPageTypes(r, "tPROG", c.part.times.tPROG, &nand::PageType::tPROG);
    wordLines(r);
    planeReads(r);
    snapReads(r);
    const double preAged = resolveWear(r);
    r.checks.expectOfFlash(c.part.maxBadBlocks < geometry.blocks(), "/nand/part/maxBadBlocks",
                           fmt::format("must be less than the {} blocks of a die", geometry.blocks()));
    r.checks.expectOfFlash(c.array.dies() <= maxDies, "/nand",
                           fmt::format("{} channels x {} ways x {} luns are {} dies; up to {} are allowed",
                                       c.array.channels, c.array.ways, c.array.luns, c.array.dies(), maxDies));
    r.checks.expectOfFlash(c.array.diesPerChannel() <= channel::NandInterface::maxDies, "/nand",
                           fmt::format("{} ways x {} luns are {} dies on a channel; up to {} are allowed", c.array.ways,
                                       c.array.luns, c.array.diesPerChannel(), channel::NandInterface::maxDies));
    // start_gap, the layer of PCM, does not handle bad blocks.
    c.factoryBadBlocks = c.factoryBadBlocks.value_or(c.part.isOverwritable() ? 0 : c.part.maxBadBlocks);
    r.checks.expectOfFlash(
        *c.factoryBadBlocks < geometry.blocks() / 2, "/nand/factoryBadBlocks",
        fmt::format("must be less than half of the {} blocks of a die, not {}", geometry.blocks(), *c.factoryBadBlocks),
        {"/nand/part"});
    r.checks.expectOfFlash(
        c.conventionalWays <= c.array.ways, "/nand/conventionalWays",
        fmt::format("{} ways cannot be conventional: a channel has {}", c.conventionalWays, c.array.ways),
        {"/nand/ways"});
    r.checks.expectOfFlash(c.contents.file != "-", "/nand/contents/file",
                           "\"-\" is not a file name that another run can find: give a name");
    r.result.nand = {c.part, c.array, *c.factoryBadBlocks, {}, c.conventionalWays, preAged, 0, 0, c.contents, c.corner};
    const nand::ErrorModel& errors = c.part.errors;
    r.result.nand.storedHours = static_cast<double>(c.age.seconds) / 3'600 *
                                nand::acceleration(errors.activation, c.age.celsius, errors.celsius);
    r.result.nand.storedReads = c.age.reads;
    for (std::size_t i = 0; i < c.wornBlocks.size(); ++i)
        wornBlock(r, c.wornBlocks[i], fmt::format("/nand/wornBlocks/{}", i));
    for (std::size_t i = 0; i < c.slowDies.size(); ++i)
        slowDie(r, c.slowDies[i], fmt::format("/nand/slowDies/{}", i));
}

} // namespace strobe::platform
