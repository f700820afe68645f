#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A resolved scenario: defaults filled in, units converted, cross-checks done. This is all that the assembly needs to
// build a drive, and a test may write one as a literal. Times are picoseconds, rates bytes per second, clocks hertz,
// powers watt, energies joule. Loaded from JSON by platform/config/load.h; what may be written there, with ranges and
// defaults, is described once in platform/config/describe_*.cpp.

#include "models/base/boot_enums.h"
#include "models/base/content.h"
#include "models/base/enum_table.h"
#include "models/base/ids.h"
#include "models/channel/die_environment.h"
#include "models/channel/interface_timing.h"
#include "models/channel/join_policy.h"
#include "models/channel/policy.h"
#include "models/controller/bus_reservations.h"
#include "models/controller/ecc.h"
#include "models/controller/superchip.h"
#include "models/host/ahci/ahci_config.h"
#include "models/host/direct_link.h"
#include "models/host/host_faults.h"
#include "models/host/link_errors.h"
#include "models/host/lost_commands.h"
#include "models/host/nvme/nvme_config.h"
#include "models/host/pata_link.h"
#include "models/host/sata_frame.h"
#include "models/host/workload/workload_config.h"
#include "models/nand/flash_faults.h"
#include "models/nand/geometry.h"
#include "models/nand/part.h"
#include "models/operations/operation_plan.h"
#include "models/thermal/thermal_network.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strobe {

inline constexpr std::array<EnumRow<DataMode>, 3> dataModeTable{
    {{DataMode::Tags, "tags", "address, version and checksum: proves every read, at almost no cost"},
     {DataMode::Bytes, "bytes", "512 real bytes"},
     {DataMode::None, "none", "nothing: timing alone"}}};
constexpr const auto& enumTable(DataMode)
{
    return dataModeTable;
}

} // namespace strobe

namespace strobe::platform {

// --- flash array ----------------------------------------------------------------------------------------------------

// A block whose programs and erases fail (nand::Die::wearOut), from `at` on: failure injection.
struct WornBlock {
    DieId die{};
    std::uint32_t block = 0;
    Time at{};
};

enum class ContentsMode : std::uint8_t { Load, Save, Keep, Image };
inline constexpr std::array<EnumRow<ContentsMode>, 4> contentsModeTable{
    {{ContentsMode::Load, "load", "the drive begins as the file says"},
     {ContentsMode::Save, "save", "the drive begins new, and the file is written at the end"},
     {ContentsMode::Keep, "keep", "both; without a file the drive begins new"},
     {ContentsMode::Image, "image", "the drive begins as the file says, in place of its preconditioning phases"}}};
constexpr const auto& enumTable(ContentsMode)
{
    return contentsModeTable;
}

struct ContentsConfig {
    std::string file; // empty: none
    ContentsMode mode = ContentsMode::Keep;

    bool loads() const { return !file.empty() && mode != ContentsMode::Save; }
    bool saves() const { return !file.empty() && (mode == ContentsMode::Save || mode == ContentsMode::Keep); }
    bool isImage() const { return !file.empty() && mode == ContentsMode::Image; }
};

struct NandConfig {
    nand::Part part;
    nand::ArrayGeometry array;
    std::uint32_t factoryBadBlocks = 0; // per die
    std::vector<WornBlock> wornBlocks;
    std::uint32_t conventionalWays = 0; // the last chip enables of each channel: chips without a data strobe
    double preAged = 0;                 // normalised wear of every cell at the beginning
    double storedHours = 0;             // age of data from before the run, at the reference temperature of the part
    std::uint32_t storedReads = 0;      // reads of its blocks
    ContentsConfig contents{};
    nand::Corner corner = nand::Corner::Typical;
    struct SlowDie {
        DieId die;
        nand::Part part; // with its times
    };
    std::vector<SlowDie> slowDies{};

    const nand::Part& partOf(DieId die) const
    {
        for (const SlowDie& slow : slowDies) {
            if (slow.die == die)
                return slow.part;
        }
        return part;
    }
};

// --- channels -------------------------------------------------------------------------------------------------------

// Data out by a clock that firmware finds for each die (models/controller/read_capture.h).
struct CalibrationConfig {
    bool isEnabled = false;
    Time fastClock = picoseconds(2'500); // period
    std::uint32_t margin = 2;            // fine steps from both ends of the window
    std::uint32_t threshold = 10;        // degrees Celsius to the next calibration
    Time drift{};                        // failure injection: pages are sampled late by this time
};

struct ChannelConfig {
    std::optional<channel::InterfaceKind> kind; // nothing: the interface is a row, named by timing.name
    channel::ElectricalParameters parameters;
    channel::Derivation derivation;        // derivation of the minimum period of a kind
    channel::InterfaceTiming timing;       // resolved, at the period chosen
    channel::InterfaceTiming conventional; // for dies without a data strobe, which fall back to CONV
    channel::SegmentOrder order = channel::SegmentOrder::CommandsFirst;
    channel::JoinPolicy join;
    CalibrationConfig calibration;
};

// --- controller, memory, CPU ----------------------------------------------------------------------------------------

using regs::BackgroundUnits; // what executes the descriptors of background units

struct ControllerConfig {
    std::uint32_t units = 1; // background units
    std::uint32_t unitDepth = 4;
    controller::EccConfig ecc;   // one encoder and one decoder per channel
    std::uint32_t dieDepth = 2;  // operations of a die that firmware hands to the units, and a unit works on, at a time
    std::uint32_t readUnits = 0; // first of the units that serve host reads alone; 0: none does
    std::uint32_t readDepth = 0; // the same for reads in such a unit; 0: dieDepth
    controller::SuperchipGeometry superchip;
    bool hasForeground = false;  // a unit with priority; its number follows those of the background units
    bool hasSynthesizer = false; // serves host reads without firmware
    bool hasPriority = true;     // unless it is taken from it
    controller::Interleaving interleaving = controller::Interleaving::Fine;
    BackgroundUnits backgroundUnits = BackgroundUnits::Hardware;
    std::vector<controller::EccConfig> eccOfChannels{}; // by channel; empty: all as `ecc`
    std::uint32_t unitRegisterCycles = 0;               // of the NAND bus, for an access to a register of a unit
};

struct MemoryConfig { // bulk SDRAM
    std::uint32_t size = 0;
    std::uint32_t bufferSize = 0; // part of it that holds sectors
    std::uint64_t bytesPerSecond = 0;
    Time latency{};
};

struct SramConfig {
    std::uint32_t size = 0;
    Time latency{};
};

struct FabricConfig {
    Time latency{}; // per access, on top of the target's own
};

struct CpuConfig {
    std::uint64_t hertz = 0;
    Time quantum{}; // how far the CPU's local time may run ahead
};

// --- firmware -------------------------------------------------------------------------------------------------------

enum class FirmwareMode : std::uint8_t { Native, Rv32 };
inline constexpr std::array<EnumRow<FirmwareMode>, 2> firmwareModeTable{
    {{FirmwareMode::Native, "native", "compiled for the host, time by cost points"},
     {FirmwareMode::Rv32, "rv32", "an ELF file, instruction by instruction on the modelled core"}}};
constexpr const auto& enumTable(FirmwareMode)
{
    return firmwareModeTable;
}

enum class Ftl : std::uint8_t { PageMap, SuperblockMap, StartGap, Zoned };
inline constexpr std::array<EnumRow<Ftl>, 4> ftlTable{
    {{Ftl::PageMap, "page_map", "any page of the host may lie in any page of the flash"},
     {Ftl::SuperblockMap, "superblock_map", "superblocks as a whole are mapped; writes are buffered and merged"},
     {Ftl::StartGap, "start_gap", "memory overwritten in place; a gap that moves spreads the wear"},
     {Ftl::Zoned, "zoned", "zones that the host writes in order and resets as a whole (ZNS)"}}};
constexpr const auto& enumTable(Ftl)
{
    return ftlTable;
}

// Policies passed unchanged to firmware; their values, names and help come from firmware/regs/strobe.rdl.
using regs::CommandPlacement;
using regs::Completion;
using regs::Dimension;
using regs::FlushHandling;
using regs::GcErase;
using regs::GcPacing;
using regs::GcPolicy;
using regs::HostStreams;
using regs::PlacementIsolation;
using regs::PslcCacheMode;
using regs::WriteCache;
using regs::ZoneErase;

enum class BadBlockScan : std::uint8_t { Table, Scan };
inline constexpr std::array<EnumRow<BadBlockScan>, 2> badBlockScanTable{
    {{BadBlockScan::Table, "table", "firmware gets the table kept from the production test"},
     {BadBlockScan::Scan, "scan", "firmware reads the marks in the spare bytes at power-on"}}};
constexpr const auto& enumTable(BadBlockScan)
{
    return badBlockScanTable;
}

struct CostSetting {
    std::string name;
    std::uint32_t cycles = 0;
};

struct SuperblockMapConfig {        // of the superblock-mapping layer
    std::uint32_t sectorBuffer = 0; // sectors
    std::uint32_t flushHighWatermarkPermille = 300;
    std::uint32_t superblockLimit = 8;
    FlushHandling flush = FlushHandling::Merge;
    std::uint32_t parkingSuperblocks = 4;
    bool replicateTables = false;
    std::uint32_t checkpointRecords = 1'000;
    bool implicitWear = true;
};

struct PslcCacheConfig {
    PslcCacheMode kind = PslcCacheMode::None;
    std::uint32_t blocks = 0; // of a die
    std::uint32_t resumePermille = 500;
    bool foldsWhileIdle = true;
};

struct RefreshConfig {           // of page mapping; nothing by default
    std::uint32_t readLimit = 0; // of a block of the flash
    Time ageLimit{};             // of a block
    Time scrubInterval{};        // between two scrub reads
    std::uint32_t scrubBits = 0; // corrected ones of a codeword; 0: no limit

    bool isOn() const { return readLimit != 0 || ageLimit != Time{} || scrubInterval != Time{}; }
};

struct ZonedConfig {        // of the layer of zones
    std::uint32_t dies = 1; // that a zone spans
    std::uint32_t openZones = 14;
    std::uint32_t activeZones = 14;
    ZoneErase erase = ZoneErase::AtReset;
    std::uint32_t rows = 0; // word lines of each block that a zone takes; 0: all
};

struct PlacementConfig {       // of page mapping: data placement by the host
    std::uint32_t handles = 0; // 0: none
    PlacementIsolation isolation = PlacementIsolation::Initially;
};

struct FirmwareConfig {
    FirmwareMode mode = FirmwareMode::Native;
    Ftl ftl = Ftl::PageMap;
    std::string image;       // name of an image, or a path to one (native: a shared object, rv32: an ELF file)
    std::string imageSource; // the file or option that chose it, for messages; empty: none did
    std::uint32_t cores = 1;
    std::optional<Time> stallAfter = std::chrono::seconds(10); // nothing: never
    SuperblockMapConfig superblockMap;
    ZonedConfig zoned;
    std::uint32_t overProvisioningPermille = 70;
    std::array<Dimension, 4> allocation{Dimension::Channel, Dimension::Way, Dimension::Lun, Dimension::Plane};
    CommandPlacement commandPlacement = CommandPlacement::Striped;
    GcPolicy gcPolicy = GcPolicy::Greedy;
    std::uint32_t gcLowBlocks = 0;
    std::uint32_t gcIdleBlocks = 0;
    bool gcCopyBack = false;
    HostStreams hostStreams = HostStreams::One;
    GcErase gcErase = GcErase::AtOnce;
    GcPacing gcPacing = GcPacing::None;
    bool readRetry = true;        // page mapping: for parts with a retry table
    std::uint32_t softSenses = 3; // the same, for parts with an error model
    Completion completion = Completion::WriteBack;
    WriteCache writeCache = WriteCache::Volatile;
    bool serialWrites = false;
    std::uint32_t readPolls = 0;  // of each channel per sector, before a read; with several channels
    std::uint32_t writePolls = 0; // the same before a write
    std::uint32_t writeBufferPages = 0;
    std::uint32_t readAheadStreams = 0; // page_map; 0: no read-ahead
    std::uint32_t readAheadWindow = 64; // mapping units per stream
    std::uint32_t mappingUnitBytes = 0; // page_map: a page, or a part of it
    std::uint32_t rowPlanes = 1;      // page_map: planes of a die that are programmed together as one page of the layer
    std::uint32_t superblockDies = 1; // page_map: dies that a block of the layer spans
    bool superblockParity = false;    // page_map: one of these dies holds parity
    PslcCacheConfig pslcCache;        // page_map
    PlacementConfig placement;        // page_map
    RefreshConfig refresh;            // page_map
    std::uint32_t wearThreshold = 0;
    std::uint32_t startGapInterval = 100; // start_gap: writes between two moves of the gap; 0: it stays
    std::uint32_t spareBlocks = 0;
    std::uint32_t checkpointPages = 0; // programmed between two checkpoints; 0: when the journal is full
    BadBlockScan badBlockScan = BadBlockScan::Table;
    std::uint64_t capacitySectors = 0; // 0: from the over-provisioning
    std::vector<CostSetting> costs;    // all of firmware/hal/cost_points.def, in its order
};

// --- host link ------------------------------------------------------------------------------------------------------

enum class HostProtocol : std::uint8_t { Sata, Direct, Pata, Nvme, Ahci };
inline constexpr std::array<EnumRow<HostProtocol>, 5> hostProtocolTable{
    {{HostProtocol::Sata, "sata", "Serial ATA with native command queuing"},
     {HostProtocol::Direct, "direct", "no protocol: full duplex, any number of commands"},
     {HostProtocol::Pata, "pata", "parallel ATA with Ultra DMA, one command at a time"},
     {HostProtocol::Nvme, "nvme", "NVM Express over PCI Express"},
     {HostProtocol::Ahci, "ahci", "Serial ATA through the registers of an AHCI adapter"}}};
constexpr const auto& enumTable(HostProtocol)
{
    return hostProtocolTable;
}

struct HostConfig {
    HostProtocol interface = HostProtocol::Sata;
    host::SataConfig sata;
    host::DirectConfig direct;
    host::PataConfig pata;
    host::NvmeConfig nvme;
    host::AhciConfig ahci;
    std::uint32_t queueDepth = 0; // maximum number of commands that the host's driver keeps in the drive
};

// --- energy, report -------------------------------------------------------------------------------------------------

// One consumer: `active` while a resource of `group` is busy, `idle` otherwise (times the number of resources in the
// group), `perJob` for each job it served. A group that the drive does not have: a constant consumer (idle only).
// The array operations of the dies are in the part.
struct EnergyComponent {
    std::string name;
    std::string group;
    double activeWatt = 0;
    double idleWatt = 0;
    double perJobJoule = 0;
    std::string source;
};

struct EnergyConfig {
    std::vector<EnergyComponent> components;
};

// Temperature of the drive and what firmware does about it (docs/thermal.md). Temperatures in degrees Celsius.
struct ThermalConfig {
    static constexpr std::int32_t lowestManaged = 30; // that the host may set; the highest one is throttle.heavy

    bool isEnabled = false;
    Time interval = std::chrono::milliseconds(1); // of the temperature sensor's samples
    thermal::NetworkConfig network;
    std::int32_t warning = 70; // of the composite temperature, as Identify reports them
    std::int32_t critical = 85;
    struct Throttle {
        bool isEnabled = true;
        std::int32_t light = 75;
        std::int32_t heavy = 83;
        std::int32_t hysteresis = 3;
        std::uint32_t lightPermille = 500; // of the dies, which may work at a time
        std::uint32_t heavyPermille = 100;
    } throttle;

    bool throttles() const { return isEnabled && throttle.isEnabled; }
};

struct PowerConfig {
    std::vector<Time> cuts;    // simulated times, ascending
    Time meanCutInterval{};    // random cuts in addition: mean time from power-on to the next cut; 0: none
    std::uint32_t maxCuts = 0; // random cuts at most; 0: no limit
    Time offTime = std::chrono::milliseconds(10);
    bool readBack = true; // everything, before the workload continues
    host::LostCommands lostCommands = host::LostCommands::Reissue;
    Time holdUp{};          // for which capacitors supply a drive with a protected write cache
    double holdUpWatt = 12; // what it takes from them

    bool hasCuts() const { return !cuts.empty() || meanCutInterval > Time{}; }
};

// Planned faults (docs/faults.md). Power losses: PowerConfig.
struct FaultsConfig {
    std::vector<nand::FlashFault> flash;
    host::LinkErrors link;
    host::HostFaults host;
};

struct ReportConfig {
    std::uint32_t mismatchDetails = 10; // how many of each kind of failure are listed in full
    std::uint32_t failureDetails = 16;
    bool wearMap = false;            // the JSON report has the erase count of every block
    Time wearEvery{};                // between the points of the wear's history; zero: no history
    bool stages = false;             // of the latency of requests
    std::uint32_t slowest = 0;       // requests listed with their stages
    std::optional<Time> seriesEvery; // of the JSON report's time series; nothing: from the run's length; zero: none
};

// --- all of it ------------------------------------------------------------------------------------------------------

struct Scenario {
    std::string name;
    std::string description;
    std::string file;                // where it was loaded from, for messages
    std::vector<std::string> inputs; // files that it was made from: parents, part, traces; and contents that it loads
    std::uint64_t seed = 1;
    DataMode dataMode = DataMode::Tags;
    NandConfig nand;
    channel::DieEnvironment environment;
    ChannelConfig channel;
    ControllerConfig controller;
    MemoryConfig memory;
    SramConfig sram;
    FabricConfig fabric;
    CpuConfig cpu;
    FirmwareConfig firmware;
    HostConfig host;
    host::WorkloadConfig workload;           // trace files as paths that can be opened
    std::uint32_t skippedPhases = 0;         // of the file's workload: the first ones, in whose place there is an image
    operations::OperationsConfig operations; // instead of a workload, straight at the channels
    EnergyConfig energy;
    ThermalConfig thermal;
    PowerConfig power;
    FaultsConfig faults;
    ReportConfig report;
    std::vector<std::string> traceNames; // per phase: the trace as it was written, empty if there is none
    std::function<std::string(const std::string& path)>
        origin;                  // file or option that set the value at a JSON path, for messages
    std::string resolvedJson;    // this scenario with the value of every parameter; goes into the report
    std::string differencesJson; // what it changes (differences.h); likewise

    // Flash units in hardware other than the foreground unit: background units, or a low-level controller per die.
    std::uint32_t flashUnits() const
    {
        return controller.backgroundUnits == BackgroundUnits::Software ? nand.array.dies() : controller.units;
    }

    // Interface timing of the chips at chip enable `way` of every channel.
    const channel::InterfaceTiming& timingOf(std::uint32_t way) const
    {
        const bool strobe = nand.part.dataStrobe && way + nand.conventionalWays < nand.array.ways;
        return strobe ? channel.timing : channel.conventional;
    }
};

} // namespace strobe::platform
