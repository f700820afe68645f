#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Contents of scenario files after composition, before resolving: the sections of Scenario, with optionals where the
// choice may be left open ("per-die", "minimum", "auto"). The defaults of all parameters are the members' initial
// values, here and in the structs used. describe() names every parameter (describe_<section>.cpp).

#include "platform/config/fields.h"
#include "platform/config/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct NandSection {
    nand::Part part;
    nand::ArrayGeometry array{4, 4, 1};
    std::optional<std::uint32_t> factoryBadBlocks = 0; // nothing: as many as the part allows
    struct Worn {
        std::uint32_t die = 0; // (channel * ways + way) * luns + lun
        std::uint32_t block = 0;
        Time at{};
    };
    std::vector<Worn> wornBlocks;
    struct SlowDie {
        std::uint32_t die = 0;
        double factor = 1;
    };
    std::vector<SlowDie> slowDies;
    std::uint32_t conventionalWays = 0;
    double preAged = 0;                         // normalised
    std::optional<std::uint32_t> preAgedCycles; // nothing: preAged applies
    struct Age {
        std::int64_t seconds = 0;
        double celsius = 30;
        std::uint32_t reads = 0;
    };
    Age age; // of data from before the run
    ContentsConfig contents;
    nand::Corner corner = nand::Corner::Typical;
};

struct ChannelSection {
    std::string interface = "CONV"; // computed or a row: one of channel::interfaceNames()
    channel::ElectricalParameters parameters = tableTwo();
    std::optional<Time> period;     // nothing: the minimum
    std::optional<Time> readPeriod; // of data out; nothing: that of the interface at `period`
    std::optional<Time> tCS;        // nothing: the interface's
    std::optional<Time> tADL;
    std::optional<Time> tWB;
    std::optional<Time> tRR;
    std::optional<Time> tWHR;
    std::optional<Time> tCCS;
    std::uint32_t warmUpIn = 0; // cycles
    std::uint32_t warmUpOut = 0;
    bool separateCommandAddress = false;
    Time commandClock = picoseconds(5'000); // CA_CLK; no public figure
    bool wholeClocks = false;
    bool statusAfterArray = true;
    Time statusPollDelay{};
    channel::SegmentOrder order = channel::SegmentOrder::CommandsFirst;
    channel::Suspend suspend = channel::Suspend::None;
    std::uint32_t suspendReads = 4;
    CalibrationConfig calibration;

    static channel::ElectricalParameters tableTwo();
};

struct ControllerSection {
    std::optional<std::uint32_t> units; // nothing: one per die
    std::optional<std::uint32_t> unitDepth;
    controller::SuperchipGeometry superchip;
    std::optional<bool> foreground; // nothing: where something needs it
    bool synthesizer = false;
    bool priority = true;
    controller::Interleaving interleaving = controller::Interleaving::Fine;
    BackgroundUnits backgroundUnits = BackgroundUnits::Hardware;
    bool multiPlane = false;
    std::optional<std::uint32_t> planesAtOnce; // nothing: all that the die has
    bool cacheOperations = false;
    std::uint32_t unitRegisterCycles = 0; // of the NAND bus
    Time encodeLatency = picoseconds(500'000);
    Time decodeLatency = picoseconds(1'000'000);
    std::optional<std::uint64_t> eccRate; // nothing: unlimited
    controller::EccCode eccCode;
    struct SlowEcc {
        std::uint32_t channel = 0;
        double factor = 1;
    };
    std::vector<SlowEcc> slowEcc;
};

inline constexpr std::uint32_t maxDies = 4096; // the flash controller has registers for this many units
inline constexpr std::int64_t mostMemoryBytes = std::int64_t{2} << 30; // of the bulk SDRAM
inline constexpr std::int64_t leastMappingUnitBytes = 512;             // a page of flash
inline constexpr std::int64_t mostMappingUnitBytes = std::int64_t{16} << 10;

struct FirmwareSection {
    FirmwareConfig config;                          // costs: defaults of firmware/hal/cost_points.def
    std::optional<Ftl> ftl;                         // nothing: the layer for the part
    std::optional<std::uint32_t> writeBufferPages;  // nothing: half of the buffer
    std::uint32_t mappingUnitBytes = 4096;          // a page, if it is not larger
    std::optional<bool> joinPlanes;                 // nothing: with word lines and joined operations
    std::optional<std::uint64_t> pslcCacheBytes;    // that the cache can hold
    std::optional<std::uint32_t> scrubBits;         // nothing: three quarters of what the code corrects
    std::optional<std::uint64_t> capacityBytes;     // nothing: from the over-provisioning
    std::optional<std::uint32_t> zoneDies;          // nothing: all
    std::optional<std::uint64_t> zoneCapacityBytes; // nothing: all pages of its blocks
    std::optional<std::uint32_t> sectorBufferBytes; // nothing: as much of the data buffer as there is

    FirmwareSection();
    Ftl layerFor(const nand::Part& part) const; // the chosen layer
};

struct HostSection {
    HostConfig config;
    std::optional<std::uint64_t> pataHostRate; // nothing: as the mode
    std::optional<std::uint32_t> queueDepth;   // nothing: suitable for the protocol
};

struct PowerSection {
    PowerConfig config;
    std::optional<Time> meanCutInterval; // nothing: no random cuts
    std::optional<Time> holdUp;          // nothing: 25 ms or eight times the programs of a full write buffer
};

struct OperationsSection {
    operations::OperationsConfig config;
    struct Item {
        nand::Opcode opcode = nand::Opcode::Read;
        std::uint32_t die = 0; // (channel * ways + way) * luns + lun
        nand::PageAddress target;
        nand::PageAddress source;
    };
    std::vector<Item> list;
};

struct ScenarioFile {
    std::string name = "unnamed";
    std::string description;
    std::uint64_t seed = 1;
    DataMode dataMode = DataMode::Tags;
    NandSection nand;
    channel::DieEnvironment environment;
    ChannelSection channel;
    ControllerSection controller;
    MemoryConfig memory{64U << 20U, 8U << 20U, 800'000'000, picoseconds(60'000)};
    SramConfig sram{256U << 10U, picoseconds(5'000)};
    FabricConfig fabric{picoseconds(10'000)};
    CpuConfig cpu{200'000'000, picoseconds(1'000'000)};
    FirmwareSection firmware;
    HostSection host;
    host::WorkloadConfig workload;
    OperationsSection operations;
    EnergyConfig energy;
    ThermalConfig thermal;
    PowerSection power;
    FaultsConfig faults;
    ReportConfig report;
};

void describe(Fields& f, ScenarioFile& scenario);
void describeNand(Fields& f, NandSection& nand);
void describePart(Fields& f, nand::Part& part); // a file of scenarios/parts/
void describeOutput(Fields& f, nand::OutputParameters& output);
void describeErrors(Fields& f, nand::ErrorModel& errors);
void describeAge(Fields& f, NandSection::Age& age);
void describeEnvironment(Fields& f, channel::DieEnvironment& environment);
void describeChannel(Fields& f, ChannelSection& channel);
void describeCalibration(Fields& f, CalibrationConfig& calibration);
void describeController(Fields& f, ControllerSection& controller);
void describeMemories(Fields& f, ScenarioFile& scenario); // memory, sram, fabric, cpu
void describeFirmware(Fields& f, FirmwareSection& firmware, const nand::Part& part);
void describeHost(Fields& f, HostSection& host);
void describeWorkload(Fields& f, host::WorkloadConfig& workload, bool hasZones);
void describeOperations(Fields& f, OperationsSection& operations);
void describeEnergy(Fields& f, EnergyConfig& energy);
void describeThermal(Fields& f, ThermalConfig& thermal);
void describePower(Fields& f, PowerSection& power, const FirmwareSection& firmware, const nand::Part& part);
void describeFaults(Fields& f, FaultsConfig& faults, HostProtocol host);

} // namespace strobe::platform
