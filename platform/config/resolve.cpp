// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve.h"

#include "models/base/check.h"
#include "models/base/resource_group.h"
#include "models/channel/clocked_times.h"
#include "platform/config/resolve_capacity.h"
#include "platform/config/resolve_channel.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr std::uint32_t maxDies = 512;           // the flash controller has registers for so many units
constexpr std::size_t leastPatternBytes = 4;     // a wrong sample passes for right once in 2^32
constexpr std::uint32_t maxChips = 256;          // of a superchip: descriptors name them in eight bits
constexpr std::uint64_t maxPages = 0xFFFF'FF00;  // page numbers are 32 bits in firmware
constexpr std::uint32_t smallestBufferPages = 8; // firmware: zeros, reads, writes and moves
constexpr std::uint32_t leastFeederSectors = 64; // firmware: the longest piece of the inbound feeder

std::string sizeText(std::uint64_t bytes)
{
    return quantityText(Quantity::Size, static_cast<std::int64_t>(bytes));
}

class Resolver {
public:
    Resolver(ScenarioFile& file, std::vector<Problem>& problems) : file_(file), problems_(problems) {}

    Scenario run()
    {
        result_.name = file_.name;
        result_.description = file_.description;
        result_.seed = file_.seed;
        result_.dataMode = file_.dataMode;
        nand();
        result_.channel = resolveChannel(file_.channel, problems_);
        if (file_.channel.wholeClocks && result_.channel.timing.cycle > Time{})
            result_.nand.part = channel::inWholeClocks(result_.nand.part, result_.channel.timing.cycle);
        calibration();
        controller();
        result_.memory = file_.memory;
        result_.sram = file_.sram;
        result_.fabric = file_.fabric;
        result_.cpu = file_.cpu;
        host();
        firmware();
        memory();
        capacity();
        workload();
        operations();
        energy();
        power();
        result_.report = file_.report;
        return std::move(result_);
    }

private:
    bool expect(bool holds, std::string path, std::string message)
    {
        if (!holds)
            problems_.push_back({std::move(path), std::move(message)});
        return holds;
    }

    void calibration()
    {
        const channel::Environment& e = file_.environment;
        expect(std::is_sorted(e.changes.begin(), e.changes.end(),
                              [](const auto& a, const auto& b) { return a.at < b.at; }),
               "/environment/changes", "must be in order of time");
        result_.environment = e;
        const CalibrationConfig& c = result_.channel.calibration = file_.channel.calibration;
        if (!c.isEnabled)
            return;
        expect(
            file_.firmware.config.cores == 1, "/firmware/cores",
            "2 leave nobody to calibrate data out: the registers belong to one core, the loop to the other; must be 1 "
            "with channel.calibration");
        expect(file_.channel.suspend == channel::Suspend::None, "/channel/suspend",
               "a pattern read would come between a suspended operation and its read; must be none with "
               "channel.calibration");
        const channel::InterfaceTiming& timing = result_.channel.timing;
        const bool isConventional = result_.channel.kind == channel::InterfaceKind::Conv;
        expect(isConventional || timing.name.rfind("ONFI_SDR", 0) == 0, "/channel/calibration",
               fmt::format("data of {} comes with a strobe: CONV and ONFI_SDR_0 to 5 can be calibrated", timing.name));
        expect(c.fastClock < timing.outCycle(), "/channel/calibration/fastClock",
               fmt::format("a period of {} is not below that of data out, {}", toText(c.fastClock),
                           toText(timing.outCycle())));
        const nand::Part& part = result_.nand.part;
        expect(part.id.size() >= leastPatternBytes, "/channel/calibration",
               fmt::format("needs a part with an id of {} bytes at least: it is the pattern", leastPatternBytes));
        const nand::OutputParameters& o = part.output;
        expect(o.fastPermille <= 1'000 && o.slowPermille >= 1'000, "/nand/part/output",
               "the fast corner is 100 % at most, the slow one 100 % at least");
    }

    void nand()
    {
        NandSection& c = file_.nand;
        const nand::DieGeometry& geometry = c.part.geometry;
        const auto page = static_cast<std::uint32_t>(geometry.pageBytes);
        expect(page % sectorBytes == 0, "/nand/part/pageSize",
               fmt::format("{} is not a whole number of 512-byte sectors", sizeText(page)));
        const bool isPcm = c.part.isOverwritable();
        expect(c.part.times.tPROG > Time{} && (isPcm || (c.part.times.tR > Time{} && c.part.times.tBERS > Time{})),
               "/nand/part", "tR, tPROG and tBERS must be above zero");
        expect(isPcm || c.part.accessBytes == 0, "/nand/part/accessSize", "only pages of PCM take several accesses");
        wear();
        expect(c.part.maxBadBlocks < geometry.blocks(), "/nand/part/maxBadBlocks",
               fmt::format("must be less than the {} blocks of a die", geometry.blocks()));
        expect(c.array.dies() <= maxDies, "/nand",
               fmt::format("{} channels x {} ways x {} luns are {} dies; up to {} are allowed", c.array.channels,
                           c.array.ways, c.array.luns, c.array.dies(), maxDies));
        expect(c.array.diesPerChannel() <= channel::NandInterface::maxDies, "/nand",
               fmt::format("{} ways x {} luns are {} dies on a channel; up to {} are allowed", c.array.ways,
                           c.array.luns, c.array.diesPerChannel(), channel::NandInterface::maxDies));
        c.factoryBadBlocks = c.factoryBadBlocks.value_or(c.part.maxBadBlocks);
        expect(*c.factoryBadBlocks < geometry.blocks() / 2, "/nand/factoryBadBlocks",
               fmt::format("must be less than half of the {} blocks of a die, not {}", geometry.blocks(),
                           *c.factoryBadBlocks));
        expect(c.conventionalWays <= c.array.ways, "/nand/conventionalWays",
               fmt::format("{} ways cannot be conventional: a channel has {}", c.conventionalWays, c.array.ways));
        expect(c.contents.file != "-", "/nand/contents/file",
               "- is no name of a file that another run can find: give it one");
        result_.nand = {c.part, c.array, *c.factoryBadBlocks, {}, c.conventionalWays, preAged_, c.contents, c.corner};
        for (std::size_t i = 0; i < c.wornBlocks.size(); ++i)
            wornBlock(c.wornBlocks[i], fmt::format("/nand/wornBlocks/{}", i));
    }

    // The curve, and how far along it the drive begins.
    void wear()
    {
        NandSection& c = file_.nand;
        const std::vector<nand::WearPoint>& points = c.part.wear.points;
        expect(points.empty() || c.part.endurance != 0, "/nand/part/endurance",
               "a part that ages (wear) needs a rated endurance");
        for (std::size_t i = 0; i < points.size(); ++i) {
            const nand::WearPoint& p = points[i];
            const std::string path = fmt::format("/nand/part/wear/points/{}", i);
            expect(i == 0 || p.wear > points[i - 1].wear, path + "/wear", "must be more than the one before");
            expect(p.programMin <= p.programMean && p.programMean <= p.programMax, path,
                   "programMin, programMean and programMax must ascend");
        }
        expect(points.empty() || !file_.channel.wholeClocks, "/channel/wholeClocks",
               "program times of a part that ages (wear) are no whole clocks");
        expect(c.preAged == 0 || !c.preAgedCycles, "/nand/preAgedCycles", "and preAged say the same: give one of them");
        const bool isPreAged = c.preAged > 0 || c.preAgedCycles.value_or(0) != 0;
        expect(!isPreAged || !points.empty(), c.preAgedCycles ? "/nand/preAgedCycles" : "/nand/preAged",
               "needs a part that ages (wear)");
        preAged_ = c.preAgedCycles && c.part.endurance != 0 ? static_cast<double>(*c.preAgedCycles) / c.part.endurance
                                                            : c.preAged;
    }

    void wornBlock(const NandSection::Worn& worn, const std::string& path)
    {
        const nand::ArrayGeometry& array = file_.nand.array;
        const auto below = [&](const char* key, std::uint32_t value, std::uint32_t limit) {
            return expect(value < limit, path + "/" + key, fmt::format("must be 0 to {}, not {}", limit - 1, value));
        };
        const bool inside =
            below("die", worn.die, array.dies()) & below("block", worn.block, file_.nand.part.geometry.blocks());
        if (inside)
            result_.nand.wornBlocks.push_back({DieId{static_cast<std::uint16_t>(worn.die)}, worn.block, worn.at});
    }

    void power()
    {
        result_.power = file_.power.config;
        result_.power.meanCutInterval = file_.power.meanCutInterval.value_or(Time{});
    }

    static std::uint32_t usualQueueDepth(HostInterface interface)
    {
        constexpr std::uint32_t nvmeSlots = 256;
        switch (interface) {
        case HostInterface::Sata:
        case HostInterface::Ahci:
        case HostInterface::Direct: return host::ncqTags;
        case HostInterface::Pata: return host::PataLink::maxSlots;
        case HostInterface::Nvme: return nvmeSlots;
        }
        checkFailed("unknown host interface", __FILE__, __LINE__);
    }

    void host()
    {
        HostSection& c = file_.host;
        const HostInterface interface = c.config.interface;
        c.queueDepth = c.queueDepth.value_or(usualQueueDepth(interface));
        const bool isSata = interface == HostInterface::Sata || interface == HostInterface::Ahci;
        expect(!isSata || *c.queueDepth <= host::ncqTags, "/host/queueDepth",
               fmt::format("SATA has {} tags: must be 1 to {}, not {}", host::ncqTags, host::ncqTags, *c.queueDepth));
        expect(interface != HostInterface::Pata || *c.queueDepth == host::PataLink::maxSlots, "/host/queueDepth",
               fmt::format("parallel ATA has one command at a time: must be 1, not {}", *c.queueDepth));
        expect(c.config.pata.burstBytes % sectorBytes == 0, "/host/pata/burst",
               fmt::format("{} is not a whole number of 512-byte sectors", sizeText(c.config.pata.burstBytes)));
        nvme(c.config.nvme);
        result_.host = c.config;
        result_.host.queueDepth = *c.queueDepth;
        result_.host.pata.hostBytesPerSecond = c.pataHostRate.value_or(0);
    }

    void nvme(const host::NvmeConfig& c)
    {
        const auto powerOfTwo = [&](const char* key, std::uint32_t value) {
            expect((value & (value - 1)) == 0, fmt::format("/host/nvme/{}", key),
                   fmt::format("must be a power of two, not {}", value));
        };
        powerOfTwo("lanes", c.pcie.lanes);
        powerOfTwo("maxPayload", c.pcie.maxPayload);
        powerOfTwo("maxReadRequest", c.pcie.maxReadRequest);
        powerOfTwo("readCompletionBoundary", c.pcie.readCompletionBoundary);
        const std::uint32_t classes = c.classes.urgent + c.classes.high + c.classes.medium;
        expect(classes <= c.queues, "/host/nvme/classes",
               fmt::format("{} queues cannot be urgent, high or medium: there are {}", classes, c.queues));
        expect(c.coalesceTime % std::chrono::microseconds(100) == Time{}, "/host/nvme/coalesceTime",
               fmt::format("{} is not a multiple of 100 us", toText(c.coalesceTime)));
        expect(c.coalesce == 1 || c.coalesceTime > Time{}, "/host/nvme/coalesceTime",
               "completions that wait for others need a time after which they wait no longer");
    }

    void controller()
    {
        ControllerSection& c = file_.controller;
        const std::uint32_t dies = file_.nand.array.dies();
        const bool readsApart = result_.channel.join.suspend != channel::Suspend::None;
        const std::uint32_t needed = readsApart ? 2 * dies : dies;
        c.units = c.units.value_or(c.foreground ? std::min(needed, maxDies - 1) : needed);
        expect(!readsApart || (*c.units >= needed && needed <= maxDies), "/controller/units",
               fmt::format("reads that suspend need units of their own: {} dies need {} units, not {}; up to {} are "
                           "allowed",
                           dies, needed, *c.units, maxDies));
        const std::uint32_t planes = file_.nand.part.geometry.planes;
        expect(c.planesAtOnce.value_or(0) <= planes, "/controller/planesAtOnce",
               fmt::format("must be the {} planes of the part or less, not {}", planes, c.planesAtOnce.value_or(0)));
        const std::uint32_t joined = c.multiPlane ? 2 * c.planesAtOnce.value_or(planes) : 2;
        const std::uint32_t depth = std::max(joined, c.cacheOperations ? 4U : 2U);
        expect(c.unitDepth + 1 >= depth || depth == 2, "/controller/unitDepth",
               fmt::format("must be {} or more: joined operations keep {} of a die in its unit", depth - 1, depth));
        const nand::ArrayGeometry& array = file_.nand.array;
        expect(array.channels % c.superchip.bus == 0, "/controller/superchip/bus",
               fmt::format("{} does not divide the {} channels", c.superchip.bus, array.channels));
        expect(array.diesPerChannel() % c.superchip.chip == 0, "/controller/superchip/chip",
               fmt::format("{} does not divide the {} dies of a channel", c.superchip.chip, array.diesPerChannel()));
        expect(c.superchip.chips() <= maxChips, "/controller/superchip",
               fmt::format("{} x {} are {} chips; up to {} are allowed", c.superchip.bus, c.superchip.chip,
                           c.superchip.chips(), maxChips));
        const FirmwareConfig& firmware = file_.firmware.config;
        const bool isPageMap = firmware.image.empty() ? firmware.ftl == Ftl::PageMap : firmware.image == "page_map";
        expect(c.superchip.chips() == 1 || !isPageMap, "/controller/superchip",
               "page mapping, which firmware.ftl or firmware.image asks for, works with superchips of 1 x 1 only");
        expect(c.foreground || !c.synthesizer, "/controller/synthesizer", "needs a foreground unit (foreground)");
        expect(!c.foreground || *c.units < maxDies, "/controller/units",
               fmt::format("must be {} or less beside a foreground unit", maxDies - 1));
        const bool isSoftware = c.backgroundUnits == BackgroundUnits::Software;
        expect(!isSoftware || file_.firmware.config.ftl == Ftl::SuperblockMap, "/controller/backgroundUnits",
               "software units need superblock mapping: page mapping sequences single chips anyway");
        expect(!isSoftware || dies < maxDies, "/controller/backgroundUnits",
               fmt::format("software units need a low-level controller per die: {} dies or less, not {}", maxDies - 1,
                           dies));
        result_.controller = {
            *c.units,       c.unitDepth,           {c.encodeLatency, c.decodeLatency, c.eccRate.value_or(0), c.eccCode},
            depth,          readsApart ? dies : 0, c.superchip,
            c.foreground,   c.synthesizer,         c.priority,
            c.interleaving, c.backgroundUnits};
        expect(c.eccCode.codewordBytes % sectorBytes == 0, "/controller/ecc/codeword",
               "must be a whole number of 512-byte sectors");
        result_.channel.join.multiPlane = c.multiPlane;
        result_.channel.join.planesAtOnce = c.planesAtOnce.value_or(planes);
        result_.channel.join.cache = c.cacheOperations;
    }

    void firmware()
    {
        FirmwareSection& c = file_.firmware;
        expect(c.config.cores == 1 || c.config.image.find_first_of("./") == std::string::npos, "/firmware/cores",
               fmt::format("an image from a file, \"{}\", has one core: it would start on both at the same place; "
                           "must be 1",
                           c.config.image));
        if (c.config.image.empty())
            c.config.image = enumName(c.config.ftl);
        if (c.config.ftl == Ftl::SuperblockMap)
            superblockMap();
        result_.firmware = c.config;
        pcm();
        const std::uint32_t page = std::max(file_.nand.part.geometry.pageBytes, 512U);
        const std::uint32_t bufferPages = file_.memory.bufferSize / page;
        c.writeBufferPages = c.writeBufferPages.value_or(std::max(bufferPages / 2, 1U));
        expect(*c.writeBufferPages < bufferPages, "/firmware/writeBufferPages",
               fmt::format("{} pages leave nothing for reads: the buffer of {} has {} pages of {}", *c.writeBufferPages,
                           sizeText(file_.memory.bufferSize), bufferPages, sizeText(page)));
        result_.firmware.writeBufferPages = *c.writeBufferPages;
        expect(!c.config.serialWrites || c.config.completion == Completion::WriteThrough, "/firmware/serialWrites",
               "needs completion \"write-through\": a write that completes in the buffer has no end in flash to wait "
               "for");
        result_.firmware.capacitySectors = c.capacityBytes.value_or(0) / sectorBytes;
        expect(c.capacityBytes.value_or(0) % sectorBytes == 0, "/firmware/capacity",
               "must be a whole number of 512-byte sectors");
    }

    // What memory that is overwritten in place does not go with.
    void pcm()
    {
        const bool isPcm = file_.nand.part.isOverwritable();
        const bool isStartGap = file_.firmware.config.ftl == Ftl::StartGap;
        expect(!isPcm || isStartGap || file_.workload.phases.empty(), "/nand/part/cell",
               "PCM has no erase, which this firmware needs: firmware.ftl is to be start_gap");
        expect(isPcm || !isStartGap, "/firmware/ftl",
               "start_gap overwrites in place: the part is to be PCM (nand.part.cell)");
        if (!isPcm)
            return;
        expect(*file_.nand.factoryBadBlocks == 0, "/nand/factoryBadBlocks", "start_gap knows no bad blocks");
        expect(!file_.controller.multiPlane && !file_.controller.cacheOperations, "/controller",
               "PCM has neither multi-plane nor cache commands");
        expect(file_.channel.suspend == channel::Suspend::None, "/channel/suspend",
               "programs of PCM are not suspended");
        expect(file_.controller.superchip.chips() == 1, "/controller/superchip",
               "start_gap works with superchips of 1 x 1 only");
        const PowerSection& power = file_.power;
        expect(power.config.cuts.empty() && !power.meanCutInterval, "/power",
               "start_gap keeps its registers in memory: power cannot be cut");
        expect(file_.nand.contents.file.empty(), "/nand/contents/file",
               "start_gap keeps its registers in memory: what the dies hold is of no use to another run");
    }

    void superblockMap()
    {
        FirmwareSection& c = file_.firmware;
        SuperblockMapConfig& map = c.config.superblockMap;
        expect(file_.controller.foreground, "/controller/foreground", "superblock mapping needs a foreground unit");
        expect(c.config.badBlockScan == BadBlockScan::Table, "/firmware/badBlockScan",
               "superblock mapping needs the table");
        const auto room = static_cast<std::uint32_t>(file_.memory.bufferSize / sectorBytes);
        std::uint32_t circle = leastFeederSectors;
        while (circle <= room / 2 && 2 * circle < room)
            circle *= 2;
        map.sectorBuffer =
            c.sectorBufferBytes ? static_cast<std::uint32_t>(*c.sectorBufferBytes / sectorBytes) : circle;
        const std::uint32_t needed = circleFor(map.sectorBuffer) + 1;
        expect(needed <= room, "/firmware/superblockMap/sectorBuffer",
               fmt::format("{} take {} sectors of the data buffer (a power of two, and one of zeros); it has {}: make "
                           "/memory/bufferSize larger",
                           sizeText(map.sectorBuffer * sectorBytes), needed, room));
        c.sectorBufferBytes = map.sectorBuffer * sectorBytes;
    }

    static std::uint32_t circleFor(std::uint32_t sectors)
    {
        std::uint32_t circle = leastFeederSectors;
        while (circle < sectors)
            circle *= 2;
        return circle;
    }

    void memory()
    {
        const MemoryConfig& c = file_.memory;
        const nand::DieGeometry& geometry = file_.nand.part.geometry;
        const std::uint64_t dies = file_.nand.array.dies();
        expect(c.bufferSize % sectorBytes == 0 && c.size % sectorBytes == 0, "/memory",
               "size and bufferSize must be whole numbers of 512-byte sectors");
        expect(
            dies * geometry.pages() < maxPages, "/nand",
            fmt::format("{} pages of flash are too many; less than {} are allowed", dies * geometry.pages(), maxPages));
        const std::uint64_t smallest = std::uint64_t{smallestBufferPages} * geometry.pageBytes;
        expect(c.bufferSize >= smallest, "/memory/bufferSize",
               fmt::format("{} is too small: firmware needs {} pages of {}, {}", sizeText(c.bufferSize),
                           smallestBufferPages, sizeText(geometry.pageBytes), sizeText(smallest)));
        if (!expect(c.bufferSize < c.size, "/memory/bufferSize",
                    fmt::format("{} leaves nothing of the memory of {} for firmware", sizeText(c.bufferSize),
                                sizeText(c.size))))
            return;
        const std::uint64_t tables = firmwareTables();
        constexpr std::uint64_t mebibyte = 1024 * 1024;
        const std::uint64_t suffices = (tables + c.bufferSize + mebibyte - 1) / mebibyte * mebibyte;
        expect(tables <= c.size - c.bufferSize, "/memory/size",
               fmt::format("{} less the buffer of {} is too small for firmware's tables: {:.1f} MiB for {:.1f} million "
                           "pages; {} suffices",
                           sizeText(c.size), sizeText(c.bufferSize), static_cast<double>(tables) / mebibyte,
                           static_cast<double>(geometry.pages() * dies) * 1e-6, sizeText(suffices)));
    }

    // What superblock mapping puts into control memory, rounded up: block lists, map, erase counts and the copy of both
    // on its way to flash; tables of buffered sectors; rings.
    std::uint64_t superblockTables() const
    {
        constexpr std::uint64_t perBlock = 5;
        constexpr std::uint64_t perSuperblock = 68;
        constexpr std::uint64_t perSector = 8;
        constexpr std::uint64_t rest = 256 * 1024;
        const nand::DieGeometry& geometry = file_.nand.part.geometry;
        const std::uint64_t chips = file_.controller.superchip.chips();
        const std::uint64_t dies = file_.nand.array.dies();
        const std::uint64_t sectors = chips * geometry.pages() / geometry.blocks() * geometry.sectorsPerPage();
        const SuperblockMapConfig& map = file_.firmware.config.superblockMap;
        const std::uint64_t tables = std::uint64_t{map.superblockLimit} + *file_.controller.units + 16;
        constexpr std::uint64_t perUnit = 192;
        return perUnit * *file_.controller.units + perBlock * geometry.blocks() * dies +
               perSuperblock * geometry.blocks() * dies / chips + perSector * map.sectorBuffer + 4 * sectors * tables +
               16 * std::uint64_t{file_.firmware.config.spareBlocks} * dies + rest;
    }

    // What Start-Gap puts there, rounded up: two bits per page, pieces, commands, queues, rings.
    std::uint64_t startGapTables() const
    {
        constexpr std::uint64_t perDie = 256;
        constexpr std::uint64_t rest = 128 * 1024;
        const std::uint64_t dies = file_.nand.array.dies();
        return file_.nand.part.geometry.pages() * dies / 4 + perDie * dies + rest;
    }

    // What firmware puts into control memory, rounded up: maps, block table, free lists, buffer slots, rings; and the
    // table of bad blocks beside it.
    std::uint64_t firmwareTables() const
    {
        switch (file_.firmware.config.ftl) {
        case Ftl::SuperblockMap: return superblockTables();
        case Ftl::StartGap: return startGapTables();
        case Ftl::PageMap: break;
        }
        constexpr std::uint64_t perPage = 8;
        constexpr std::uint64_t perBlock = 40;
        constexpr std::uint64_t perBufferPage = 256;
        constexpr std::uint64_t rest = 128 * 1024;
        const nand::DieGeometry& geometry = file_.nand.part.geometry;
        const std::uint64_t dies = file_.nand.array.dies();
        const std::uint64_t blocks = geometry.blocks() * dies;
        return perPage * geometry.pages() * dies + perBlock * blocks + blocks / 8 +
               4 * dies * geometry.planes * (std::uint64_t{geometry.pagesPerBlock} + 1) +
               perBufferPage * (file_.memory.bufferSize / std::max(geometry.pageBytes, 512U)) + rest;
    }

    // Only of a drive whose other numbers are right.
    void capacity()
    {
        const auto isOfFlash = [](const Problem& p) {
            return p.path.rfind("/nand", 0) == 0 || p.path.rfind("/controller", 0) == 0;
        };
        if (std::none_of(problems_.begin(), problems_.end(), isOfFlash))
            resolveCapacity(result_, problems_);
    }

    void workload()
    {
        for (host::WorkloadProblem& problem : host::problems(file_.workload))
            problems_.push_back({"/workload" + problem.path, std::move(problem.message)});
        result_.workload = file_.workload;
    }

    void operations()
    {
        OperationsSection& c = file_.operations;
        result_.operations = c.config;
        const nand::DieGeometry& die = file_.nand.part.geometry;
        expect(c.list.empty() || !c.config.hasMix(), "/operations/list",
               "there is a mix of reads, programs, erases or copyBacks already: one of the two");
        const bool isAsked = !c.list.empty() || c.config.hasMix();
        expect(!isAsked || c.config.preparedBlocks < die.blocksPerPlane, "/operations/preparedBlocks",
               fmt::format("must be less than the {} blocks of a plane, not {}", die.blocksPerPlane,
                           c.config.preparedBlocks));
        expect(!c.config.hasMix() || c.config.preparedBlocks > 0, "/operations/preparedBlocks",
               "0 leaves a mix nothing to read, to copy or to erase: must be 1 or more");
        for (std::size_t i = 0; i < c.list.size(); ++i)
            operation(c.list[i], fmt::format("/operations/list/{}", i));
    }

    void operation(const OperationsSection::Item& item, const std::string& path)
    {
        const nand::DieGeometry& die = file_.nand.part.geometry;
        const auto below = [&](const char* key, std::uint32_t value, std::uint32_t limit) {
            return expect(value < limit, path + "/" + key, fmt::format("must be 0 to {}, not {}", limit - 1, value));
        };
        expect(item.opcode <= nand::Opcode::CopyBack, path + "/op",
               fmt::format("must be read, program, erase or copyback, not {}", enumName(item.opcode)));
        below("die", item.die, file_.nand.array.dies());
        below("block", item.target.block, die.blocks());
        below("page", item.target.page, die.pagesPerBlock);
        below("sourceBlock", item.source.block, die.blocks());
        below("sourcePage", item.source.page, die.pagesPerBlock);
        result_.operations.list.push_back(
            {item.opcode, DieId{static_cast<std::uint16_t>(item.die)}, item.target, item.source});
    }

    void energy()
    {
        const auto& components = file_.energy.components;
        for (std::size_t i = 0; i < components.size(); ++i) {
            const EnergyComponent& c = components[i];
            const auto group = enumValue<ResourceGroup>(c.group);
            expect(c.group.empty() || (group && rowOf(*group).hasEnergy), fmt::format("/energy/components/{}/group", i),
                   fmt::format("\"{}\" is not a group of resources; must be {}, or \"\" for a constant consumer",
                               c.group, energyGroups()));
        }
        result_.energy = file_.energy;
    }

    ScenarioFile& file_;
    std::vector<Problem>& problems_;
    Scenario result_;
    double preAged_ = 0;
};

} // namespace

Scenario resolve(ScenarioFile& file, std::vector<Problem>& problems)
{
    return Resolver(file, problems).run();
}

} // namespace strobe::platform
