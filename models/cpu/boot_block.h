#pragma once
// SPDX-License-Identifier: Apache-2.0
// Generated from firmware/regs/strobe.rdl by scripts/generate-registers (a882d654b6099deb). Do not edit.
//
// The boot block as the platform fills it in: one member per word, in order, so that on a little-endian host the
// struct is the image in memory (fill()). bootWords names every member.

#include <cstddef>
#include <cstdint>

namespace strobe::cpu {

struct BootBlock {
    // 0x42525453 ("STRB").
    std::uint32_t magic = 0x42525453;
    // Layout version.
    std::uint32_t version = 9;
    // Channels.
    std::uint32_t channels = 0;
    // Ways (chip enables) per channel.
    std::uint32_t ways = 0;
    // LUNs (dies) per way.
    std::uint32_t luns = 0;
    // Planes per die.
    std::uint32_t planes = 0;
    // Blocks per plane.
    std::uint32_t blocksPerPlane = 0;
    // Pages per block.
    std::uint32_t pagesPerBlock = 0;
    // Data bytes per page.
    std::uint32_t pageBytes = 0;
    // Background flash units.
    std::uint32_t units = 0;
    // Lists that a unit accepts in addition to the one it executes.
    std::uint32_t unitDepth = 0;
    // Control memory for firmware: bus address.
    std::uint32_t memoryBase = 0;
    // Control memory: bytes.
    std::uint32_t memorySize = 0;
    // Data buffer: bus address.
    std::uint32_t bufferBase = 0;
    // Data buffer: bytes.
    std::uint32_t bufferSize = 0;
    // CPU clock in kHz.
    std::uint32_t cpuKhz = 0;
    // Command slots of the host port.
    std::uint32_t hostSlots = 0;
    // Over-provisioning: flash pages kept from the host, in 1/1000 of all good pages.
    std::uint32_t overprovisionPermille = 0;
    // Page mapping: dimensions along which consecutive page writes move. Each of the four occurs once.
    std::uint32_t allocationOrder = 0x3210;
    // Page mapping: choice of the block that garbage collection empties.
    std::uint32_t gcPolicy = 0;
    // Page mapping: garbage collection of a die starts when it has fewer free blocks than this; firmware raises
    // it to 2 per plane.
    std::uint32_t gcLowBlocks = 0;
    // Page mapping: idle dies are collected in the background up to this number of free blocks; 0: never.
    std::uint32_t gcIdleBlocks = 0;
    // Page mapping: 1: garbage collection uses copy-back inside a plane where it can.
    std::uint32_t gcCopyback = 0;
    // When a write is acknowledged.
    std::uint32_t completion = 0;
    // Page mapping: flash pages of the data buffer that may hold write data; 0: half of it, or less if it is so
    // small that reads would have few slots. Slots for reads, garbage collection and zeros are not reduced by it.
    std::uint32_t writeBufferPages = 0;
    // Page and superblock mapping: static wear levelling when erase counts of a plane, or of the superblocks of a
    // superchip, differ by more than this; 0: never.
    std::uint32_t wearThreshold = 0;
    // Bus address of the factory bad block bitmap (bit = die * blocks + block) from the production test; 0:
    // firmware scans the spare bytes.
    std::uint32_t badBlockTable = 0;
    // Blocks per die kept to replace blocks that go bad.
    std::uint32_t spareBlocks = 0;
    // Exported capacity in sectors, low half; capacity 0: derived from over-provisioning.
    std::uint32_t capacityLo = 0;
    // Exported capacity, high half.
    std::uint32_t capacityHi = 0;
    // Cores that run this firmware. The first serves the host, the second the flash controller. Each reads its
    // number from its hardware (mhartid).
    std::uint32_t cores = 1;
    // Page mapping: where the whole pages of one host command go.
    std::uint32_t commandPlacement = 0;
    // Page mapping: 1: flash work of a write begins only when the write before it is complete (on its channel, if
    // commands are placed by channel); its data may be fetched before. Needs write-through.
    std::uint32_t serialWrites = 0;
    // Page mapping, with several channels: how often firmware polls each channel for every sector of a read,
    // before the read begins in flash; 0: not.
    std::uint32_t readPolls = 0;
    // Bus address of the statistics block, zeroed, that firmware updates for an observer; 0: there is none.
    std::uint32_t statistics = 0;
    // Operations of a die that firmware hands to the flash units at a time, so that planes and pages can be
    // joined; 0: two.
    std::uint32_t dieDepth = 0;
    // First of the units that serve host reads only, one per die, so that a read can suspend a program instead of
    // waiting for it, or start in another plane; 0: reads share the die's unit.
    std::uint32_t readUnits = 0;
    // Superchip: bus-level interleaving b.
    std::uint32_t superchipBus = 1;
    // Superchip: chip-level interleaving c.
    std::uint32_t superchipChip = 1;
    // Number of the foreground unit, which follows the background units; 0: there is none.
    std::uint32_t foregroundUnit = 0;
    // 1: the foreground request synthesizer may be used.
    std::uint32_t synthesizer = 0;
    // 1: the flash may hold data of an earlier power cycle, which firmware recovers before it serves the host. 2:
    // the same, but power was switched off when no program and no erase was in progress, so a page that reads as
    // blank is blank. 0: a new drive, all good blocks are erased.
    std::uint32_t recover = 0;
    // Page mapping: pages programmed between two checkpoints of the mapping table; 0: a checkpoint is written
    // only when the journal is full.
    std::uint32_t checkpointPages = 0;
    // Superblock mapping: sectors of the circular sector buffer.
    std::uint32_t sectorBuffer = 0;
    // Superblock mapping: merging begins when fewer sectors of the sector buffer are free than this (flush high-
    // watermark).
    std::uint32_t flushWatermark = 0;
    // Superblock mapping: merging begins when more superblocks than this have sectors in the buffer.
    std::uint32_t superblockLimit = 0;
    // Superblock mapping: superblocks in which a flush parks buffered sectors without merging them (flush
    // handling park); 0 with the other kinds.
    std::uint32_t parkingSuperblocks = 0;
    // Superblock mapping: what a flush of the host does.
    std::uint32_t flushHandling = 0;
    // Superblock mapping: 1: the tables and their log are kept twice, on two superchips where there are two.
    std::uint32_t replicateTables = 0;
    // Superblock mapping: the tables are copied to flash after this many changes, or when the log is full.
    std::uint32_t checkpointRecords = 0;
    // Superblock mapping: 1: a merge goes to the free superblock with the fewest erases (implicit wear
    // levelling); 0: to the one that has been free for longest.
    std::uint32_t implicitWear = 1;
    // What executes the operations of the background units. Software: UNITS is the number of units that firmware
    // implements; UNIT[0] to UNIT[dies - 1] are low-level controllers, each for operations of one chip of its die
    // (one_chip), and FOREGROUND_UNIT follows them.
    std::uint32_t softwareUnits = 0;
    // Calibration of data out: fine steps that a sample keeps from both ends of the window.
    std::uint32_t captureMargin = 0;
    // Calibration of data out: it is repeated when the temperature has changed by more than this, in 1/16 of a
    // degree; 0: nothing is calibrated.
    std::uint32_t captureTemperature = 0;
    // Page mapping: when a block that garbage collection has emptied is erased.
    std::uint32_t gcErase = 0;
    // Start-Gap: pages written between two moves of the gap; 0: the gap does not move.
    std::uint32_t startGapInterval = 0;
    // Bytes of a mapping unit: a page, or a divisor of it that is a multiple of 4096.
    std::uint32_t mappingUnit = 0;
    // Pages that one program writes: those of a word line; a descriptor of a program covers all of them.
    std::uint32_t programPages = 1;
    // Page mapping: planes of a die that one page of the layer spans: 1, or all of them.
    std::uint32_t rowPlanes = 1;
    // Page mapping: dies that one block of the layer spans; divides the number of dies.
    std::uint32_t superblockDies = 1;
    // Page mapping: where host data is programmed in pSLC mode first.
    std::uint32_t pslcCache = 0;
    // Page mapping: blocks of a die, counted over its planes, that the pSLC cache may take.
    std::uint32_t pslcCacheBlocks = 0;
    // Page mapping: a full pSLC cache takes data again when its blocks have fallen to this share of
    // PSLC_CACHE_BLOCKS, in 1/1000.
    std::uint32_t pslcCacheResume = 0x1F4;
    // Page mapping: 1: the data of the pSLC cache is moved to other blocks while the host is idle.
    std::uint32_t pslcCacheFold = 0;
    // Pages of a block in pSLC mode, one for each word line; 0: the part has no such mode.
    std::uint32_t pslcPages = 0;
    // Page mapping: whether a power loss loses the write buffer.
    std::uint32_t writeCache = 0;
    // Page mapping: sequential streams of host reads for which units are read ahead; 0: none.
    std::uint32_t readAheadStreams = 0;
    // Page mapping: mapping units that are read ahead of each stream.
    std::uint32_t readAheadWindow = 0x40;
    // Page mapping: options of the parts' retry table that are tried when a read cannot be corrected, besides
    // option 0; 0: none.
    std::uint32_t retryOptions = 0;
    // Page mapping: senses of the soft read that follows when all options have failed; 0: none.
    std::uint32_t softSenses = 0;
    // Reads of a die that firmware hands to its read unit at a time (READ_UNITS), so that several planes can read
    // independently of each other; 0: as DIE_DEPTH.
    std::uint32_t readDepth = 0;
    // Page mapping: reads of a block of the flash since its erase at which its data is moved; 0: no limit.
    std::uint32_t refreshReads = 0;
    // Page mapping: age of a block, in milliseconds of simulated time, at which its data is moved; 0: no limit.
    std::uint32_t refreshAge = 0;
    // Page mapping: time from one scrub read to the next, in microseconds; 0: no scrubbing.
    std::uint32_t scrubInterval = 0;
    // Page mapping, with scrubbing: corrected bits in a codeword of a read from which on the data of its block is
    // moved; 0: only if the page had to be read again.
    std::uint32_t scrubBits = 0;
    // Page mapping: how garbage collection shares a plane with host data.
    std::uint32_t gcPacing = 0;
    // Page mapping: how many streams the data of the host is divided into.
    std::uint32_t hostStreams = 0;
    // Page mapping, with several channels: the same for a write.
    std::uint32_t writePolls = 0;
    // Zones: dies that a zone spans; divides the number of dies.
    std::uint32_t zoneDies = 1;
    // Zones: open zones at a time.
    std::uint32_t openZones = 0xE;
    // Zones: active zones (open or closed) at a time; at least OPEN_ZONES.
    std::uint32_t activeZones = 0xE;
    // Zones: when the blocks of a zone that was reset are erased.
    std::uint32_t zoneErase = 0;
    // Page mapping: 1: the last die of each stripe of a block holds the parity of the others; SUPERBLOCK_DIES is
    // at least 2.
    std::uint32_t superblockParity = 0;
    // Page mapping: placement handles of the host, each with an open block of its own; a block spans all dies and
    // planes then. 0: no data placement.
    std::uint32_t placementHandles = 0;
    // Page mapping: how collection treats data of several placement handles.
    std::uint32_t placementIsolation = 0;
    // Temperature from which on firmware throttles lightly, in 1/16 of a degree Celsius; 0: firmware does not
    // look at the temperature sensor.
    std::uint32_t thermalLight = 0;
    // Temperature from which on firmware throttles heavily, in the same unit.
    std::uint32_t thermalHeavy = 0;
    // A level of throttling ends when it is colder than its temperature by more than this, in the same unit.
    std::uint32_t thermalHysteresis = 0;
    // Dies that may work at a time with light throttling.
    std::uint32_t thermalLightDies = 1;
    // The same with heavy throttling.
    std::uint32_t thermalHeavyDies = 1;
    // Zones: word lines (pages that one program writes) of each block that a zone takes; the others stay empty.
    // 0: all.
    std::uint32_t zoneRows = 0;

    void fill(std::byte* destination) const; // 364 bytes
};

struct BootWord {
    const char* name; // as in the register description
    std::uint32_t offset;
    std::uint32_t BootBlock::*member;
};
inline constexpr BootWord bootWords[] = {
    {"MAGIC", 0x0, &BootBlock::magic},
    {"VERSION", 0x4, &BootBlock::version},
    {"CHANNELS", 0x8, &BootBlock::channels},
    {"WAYS", 0xC, &BootBlock::ways},
    {"LUNS", 0x10, &BootBlock::luns},
    {"PLANES", 0x14, &BootBlock::planes},
    {"BLOCKS_PER_PLANE", 0x18, &BootBlock::blocksPerPlane},
    {"PAGES_PER_BLOCK", 0x1C, &BootBlock::pagesPerBlock},
    {"PAGE_BYTES", 0x20, &BootBlock::pageBytes},
    {"UNITS", 0x24, &BootBlock::units},
    {"UNIT_DEPTH", 0x28, &BootBlock::unitDepth},
    {"MEMORY_BASE", 0x2C, &BootBlock::memoryBase},
    {"MEMORY_SIZE", 0x30, &BootBlock::memorySize},
    {"BUFFER_BASE", 0x34, &BootBlock::bufferBase},
    {"BUFFER_SIZE", 0x38, &BootBlock::bufferSize},
    {"CPU_KHZ", 0x3C, &BootBlock::cpuKhz},
    {"HOST_SLOTS", 0x40, &BootBlock::hostSlots},
    {"OVERPROVISION_PERMILLE", 0x44, &BootBlock::overprovisionPermille},
    {"ALLOCATION_ORDER", 0x48, &BootBlock::allocationOrder},
    {"GC_POLICY", 0x4C, &BootBlock::gcPolicy},
    {"GC_LOW_BLOCKS", 0x50, &BootBlock::gcLowBlocks},
    {"GC_IDLE_BLOCKS", 0x54, &BootBlock::gcIdleBlocks},
    {"GC_COPYBACK", 0x58, &BootBlock::gcCopyback},
    {"COMPLETION", 0x5C, &BootBlock::completion},
    {"WRITE_BUFFER_PAGES", 0x60, &BootBlock::writeBufferPages},
    {"WEAR_THRESHOLD", 0x64, &BootBlock::wearThreshold},
    {"BAD_BLOCK_TABLE", 0x68, &BootBlock::badBlockTable},
    {"SPARE_BLOCKS", 0x6C, &BootBlock::spareBlocks},
    {"CAPACITY_LO", 0x70, &BootBlock::capacityLo},
    {"CAPACITY_HI", 0x74, &BootBlock::capacityHi},
    {"CORES", 0x78, &BootBlock::cores},
    {"COMMAND_PLACEMENT", 0x7C, &BootBlock::commandPlacement},
    {"SERIAL_WRITES", 0x80, &BootBlock::serialWrites},
    {"READ_POLLS", 0x84, &BootBlock::readPolls},
    {"STATISTICS", 0x88, &BootBlock::statistics},
    {"DIE_DEPTH", 0x8C, &BootBlock::dieDepth},
    {"READ_UNITS", 0x90, &BootBlock::readUnits},
    {"SUPERCHIP_BUS", 0x94, &BootBlock::superchipBus},
    {"SUPERCHIP_CHIP", 0x98, &BootBlock::superchipChip},
    {"FOREGROUND_UNIT", 0x9C, &BootBlock::foregroundUnit},
    {"SYNTHESIZER", 0xA0, &BootBlock::synthesizer},
    {"RECOVER", 0xA4, &BootBlock::recover},
    {"CHECKPOINT_PAGES", 0xA8, &BootBlock::checkpointPages},
    {"SECTOR_BUFFER", 0xAC, &BootBlock::sectorBuffer},
    {"FLUSH_WATERMARK", 0xB0, &BootBlock::flushWatermark},
    {"SUPERBLOCK_LIMIT", 0xB4, &BootBlock::superblockLimit},
    {"PARKING_SUPERBLOCKS", 0xB8, &BootBlock::parkingSuperblocks},
    {"FLUSH_HANDLING", 0xBC, &BootBlock::flushHandling},
    {"REPLICATE_TABLES", 0xC0, &BootBlock::replicateTables},
    {"CHECKPOINT_RECORDS", 0xC4, &BootBlock::checkpointRecords},
    {"IMPLICIT_WEAR", 0xC8, &BootBlock::implicitWear},
    {"SOFTWARE_UNITS", 0xCC, &BootBlock::softwareUnits},
    {"CAPTURE_MARGIN", 0xD0, &BootBlock::captureMargin},
    {"CAPTURE_TEMPERATURE", 0xD4, &BootBlock::captureTemperature},
    {"GC_ERASE", 0xD8, &BootBlock::gcErase},
    {"START_GAP_INTERVAL", 0xDC, &BootBlock::startGapInterval},
    {"MAPPING_UNIT", 0xE0, &BootBlock::mappingUnit},
    {"PROGRAM_PAGES", 0xE4, &BootBlock::programPages},
    {"ROW_PLANES", 0xE8, &BootBlock::rowPlanes},
    {"SUPERBLOCK_DIES", 0xEC, &BootBlock::superblockDies},
    {"PSLC_CACHE", 0xF0, &BootBlock::pslcCache},
    {"PSLC_CACHE_BLOCKS", 0xF4, &BootBlock::pslcCacheBlocks},
    {"PSLC_CACHE_RESUME", 0xF8, &BootBlock::pslcCacheResume},
    {"PSLC_CACHE_FOLD", 0xFC, &BootBlock::pslcCacheFold},
    {"PSLC_PAGES", 0x100, &BootBlock::pslcPages},
    {"WRITE_CACHE", 0x104, &BootBlock::writeCache},
    {"READ_AHEAD_STREAMS", 0x108, &BootBlock::readAheadStreams},
    {"READ_AHEAD_WINDOW", 0x10C, &BootBlock::readAheadWindow},
    {"RETRY_OPTIONS", 0x110, &BootBlock::retryOptions},
    {"SOFT_SENSES", 0x114, &BootBlock::softSenses},
    {"READ_DEPTH", 0x118, &BootBlock::readDepth},
    {"REFRESH_READS", 0x11C, &BootBlock::refreshReads},
    {"REFRESH_AGE", 0x120, &BootBlock::refreshAge},
    {"SCRUB_INTERVAL", 0x124, &BootBlock::scrubInterval},
    {"SCRUB_BITS", 0x128, &BootBlock::scrubBits},
    {"GC_PACING", 0x12C, &BootBlock::gcPacing},
    {"HOST_STREAMS", 0x130, &BootBlock::hostStreams},
    {"WRITE_POLLS", 0x134, &BootBlock::writePolls},
    {"ZONE_DIES", 0x138, &BootBlock::zoneDies},
    {"OPEN_ZONES", 0x13C, &BootBlock::openZones},
    {"ACTIVE_ZONES", 0x140, &BootBlock::activeZones},
    {"ZONE_ERASE", 0x144, &BootBlock::zoneErase},
    {"SUPERBLOCK_PARITY", 0x148, &BootBlock::superblockParity},
    {"PLACEMENT_HANDLES", 0x14C, &BootBlock::placementHandles},
    {"PLACEMENT_ISOLATION", 0x150, &BootBlock::placementIsolation},
    {"THERMAL_LIGHT", 0x154, &BootBlock::thermalLight},
    {"THERMAL_HEAVY", 0x158, &BootBlock::thermalHeavy},
    {"THERMAL_HYSTERESIS", 0x15C, &BootBlock::thermalHysteresis},
    {"THERMAL_LIGHT_DIES", 0x160, &BootBlock::thermalLightDies},
    {"THERMAL_HEAVY_DIES", 0x164, &BootBlock::thermalHeavyDies},
    {"ZONE_ROWS", 0x168, &BootBlock::zoneRows},
};

} // namespace strobe::cpu
