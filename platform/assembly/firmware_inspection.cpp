// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/firmware_inspection.h"

#include "firmware/hal/rv32/stack_pattern.h"
#include "models/cpu/code_places.h"
#include "models/cpu/debug/code_coverage.h"
#include "models/cpu/debug/firmware_trace.h"
#include "models/cpu/debug/heap_use.h"
#include "models/cpu/debug/memory_check.h"
#include "models/cpu/debug/observers.h"
#include "models/cpu/debug/race_check.h"
#include "platform/assembly/memory_map.h"
#include "platform/assembly/register_names.h"
#include "platform/assembly/rv32_cores.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace strobe::platform {

namespace {

// The register blocks, and whose interrupts they cause: those of the host interface go to the first core, those of the
// flash controller to the last one.
std::vector<cpu::RaceCheck::Block> registerBlocks(const MemoryLayout& layout, std::uint32_t cores)
{
    std::vector<cpu::RaceCheck::Block> blocks;
    for (const BusMapping& mapping : memoryMap(layout, cores)) {
        if (mapping.registers == nullptr)
            continue;
        std::uint32_t interrupts = 0;
        switch (mapping.target) {
        case BusTarget::InterruptController:
        case BusTarget::Timer: interrupts = 1U << mapping.core; break;
        case BusTarget::HostInterface: interrupts = 1U; break;
        case BusTarget::TemperatureSensor:
        case BusTarget::FlashController: interrupts = 1U << (cores - 1); break;
        default: break;
        }
        blocks.push_back({static_cast<std::uint32_t>(raw(mapping.region.base)),
                          static_cast<std::uint32_t>(mapping.region.size), interrupts});
    }
    return blocks;
}

// The inspection of one core, in all power cycles.
struct CoreInspection {
    cpu::Observers observers;
    std::optional<cpu::FunctionProfile> profile;
    std::optional<cpu::FunctionTimeline> timeline;
    std::optional<cpu::FirmwareTrace> trace;
};

// Lines of folded stacks below the name of their core.
std::string under(const std::string& core, const std::string& folded)
{
    std::string text;
    std::istringstream lines(folded);
    for (std::string line; std::getline(lines, line);)
        text.append(core).append(";").append(line).append("\n");
    return text;
}

void addRows(std::vector<cpu::FunctionProfile::Row>& sum, const std::vector<cpu::FunctionProfile::Row>& rows)
{
    for (const cpu::FunctionProfile::Row& row : rows) {
        const auto same =
            std::find_if(sum.begin(), sum.end(), [&](const auto& s) { return s.function == row.function; });
        if (same == sum.end()) {
            sum.push_back(row);
            continue;
        }
        same->calls += row.calls;
        same->own += row.own;
        same->total += row.total;
    }
    std::stable_sort(sum.begin(), sum.end(), [](const auto& a, const auto& b) { return a.own > b.own; });
}

} // namespace

// What observes all cores, and for each core what observes it alone.
struct FirmwareInspector::Tools {
    Tools(SsdModule& drive, const FirmwareInspection& asked)
        : places(drive.firmware->image()), names(drive.layout, static_cast<std::uint32_t>(rv32CoresOf(drive).size()))
    {
        const cpu::ElfImage& image = places.image();
        if (asked.covers)
            coverage.emplace(image);
        for (std::size_t i = 0; i < rv32CoresOf(drive).size(); ++i) {
            CoreInspection& core = *cores.emplace_back(std::make_unique<CoreInspection>());
            if (asked.profile)
                core.observers.add(core.profile.emplace(places));
            if (asked.onCall)
                core.observers.add(core.timeline.emplace(places, static_cast<std::uint32_t>(i), asked.onCall));
            if (coverage)
                core.observers.add(*coverage);
            if (asked.trace)
                core.observers.add(core.trace.emplace(
                    static_cast<std::uint8_t>(i), *asked.trace,
                    [this](std::uint32_t address) { return names.of(address); }, asked.onTraced));
        }
        if (asked.checkMemory)
            checkMemory(drive.layout);
    }

    void checkMemory(const MemoryLayout& layout)
    {
        memory.emplace(places.image(), static_cast<std::uint32_t>(raw(layout.sram.base)),
                       static_cast<std::uint32_t>(layout.sram.size), STACK_PATTERN);
        heap.emplace(places.image());
        if (cores.size() > 1)
            races.emplace(registerBlocks(layout, static_cast<std::uint32_t>(cores.size())));
        for (const std::unique_ptr<CoreInspection>& core : cores) {
            core->observers.add(*memory);
            if (heap->isThere())
                core->observers.add(*heap);
            if (races)
                core->observers.add(*races);
        }
    }

    void attach(SsdModule& drive)
    {
        modules = rv32CoresOf(drive);
        for (std::size_t i = 0; i < modules.size(); ++i) {
            rv32::Core& core = modules[i]->core();
            if (rv32::Observer* all = cores[i]->observers.all())
                core.observe(all);
            if (cores[i]->profile)
                cores[i]->profile->begin(core);
            const auto clock = [module = modules[i]] { return module->instructionTime(); };
            if (cores[i]->timeline)
                cores[i]->timeline->begin(core, clock);
            if (cores[i]->trace)
                cores[i]->trace->begin(clock);
            if (coverage)
                coverage->begin(core);
        }
        if (memory) {
            memory->powerOn();
            heap->powerOn();
        }
        if (races)
            races->powerOn();
    }

    void detach()
    {
        for (const cpu::Rv32CpuModule* module : modules) {
            if (coverage)
                coverage->end(module->core());
        }
        countProfile(false);
        for (std::size_t i = 0; i < modules.size(); ++i) {
            if (cores[i]->timeline)
                cores[i]->timeline->end();
        }
        modules.clear();
    }

    void countProfile(bool counts)
    {
        for (std::size_t i = 0; i < modules.size(); ++i) {
            if (cores[i]->profile)
                cores[i]->profile->count(modules[i]->core(), counts);
        }
    }

    FirmwareMemory memoryFindings() const
    {
        FirmwareMemory found;
        for (const cpu::Stacks::Stack& stack : memory->stacks().used())
            found.stacks.push_back({stack.name, stack.deepest, stack.size});
        for (const cpu::MemoryCheck::Finding& read : memory->findings())
            found.unwrittenReads.push_back(fmt::format("{} byte{} at {:#010x} read by {} at pc {:#010x}", read.bytes,
                                                       read.bytes == 1 ? "" : "s", read.address, places.at(read.pc),
                                                       read.pc));
        if (heap->isThere()) {
            const cpu::HeapUse::Use& use = heap->use();
            found.heap = {use.bytes, use.blocks, use.mostBytes, use.given, use.size, use.refused};
            for (const cpu::HeapUse::BadFree& free : heap->badFrees())
                found.badFrees.push_back(
                    fmt::format("{:#010x}, called by {}", free.address, places.at(free.caller - 1)));
        }
        if (!races)
            return found;
        found.races.emplace();
        found.areAllRaces = races->isComplete();
        const auto side = [this](const cpu::RaceCheck::Side& access) {
            return fmt::format("{} by core {} in {}", access.isStore ? "written" : "read", access.hart,
                               places.at(access.pc));
        };
        for (const cpu::RaceCheck::Finding& race : races->findings())
            found.races->push_back(fmt::format("the word at {:#010x} is {}, and {}, without anything that orders them",
                                               race.address, side(race.first), side(race.second)));
        return found;
    }

    cpu::CodePlaces places;
    RegisterNames names;
    std::optional<cpu::CodeCoverage> coverage; // of all cores
    std::optional<cpu::MemoryCheck> memory;
    std::optional<cpu::HeapUse> heap;
    std::optional<cpu::RaceCheck> races; // with several cores
    std::vector<std::unique_ptr<CoreInspection>> cores;
    std::vector<cpu::Rv32CpuModule*> modules; // attached
};

FirmwareInspector::FirmwareInspector(FirmwareInspection& inspection) : inspection_(inspection) {}

FirmwareInspector::~FirmwareInspector() = default;

void FirmwareInspector::attach(SsdModule& ssd)
{
    if (tools_ == nullptr)
        tools_ = std::make_unique<Tools>(ssd, inspection_);
    tools_->attach(ssd);
    tools_->countProfile(inspection_.profilesWholeRun);
}

void FirmwareInspector::detach()
{
    if (tools_ != nullptr)
        tools_->detach();
}

void FirmwareInspector::phase(const std::string& name, bool isMeasured, bool begins)
{
    const std::vector<std::string>& chosen = inspection_.profiledPhases;
    const bool isCovered = chosen.empty() ? isMeasured : std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    isInPhase_ = begins && isCovered;
    resumed();
}

void FirmwareInspector::resumed()
{
    tools_->countProfile(inspection_.profilesWholeRun || isInPhase_);
}

void FirmwareInspector::finish()
{
    if (tools_ == nullptr)
        return;
    for (std::size_t i = 0; i < tools_->cores.size(); ++i) {
        const std::optional<cpu::FunctionProfile>& profile = tools_->cores[i]->profile;
        if (!profile)
            continue;
        addRows(inspection_.functions, profile->rows());
        addRows(inspection_.tasks, profile->tasks());
        inspection_.cycles += profile->cycles();
        inspection_.foldedStacks +=
            tools_->cores.size() == 1 ? profile->folded() : under("core " + std::to_string(i), profile->folded());
    }
    if (tools_->memory)
        inspection_.memory = tools_->memoryFindings();
    if (tools_->coverage)
        inspection_.coverage = cpu::sourceCoverage(tools_->places, tools_->coverage->counts());
}

} // namespace strobe::platform
