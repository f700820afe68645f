// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/firmware_inspection.h"

#include "firmware/hal/rv32/stack_pattern.h"
#include "models/cpu/code_places.h"
#include "models/cpu/debug/code_coverage.h"
#include "models/cpu/debug/firmware_trace.h"
#include "models/cpu/debug/memory_check.h"
#include "models/cpu/debug/observers.h"
#include "platform/assembly/register_names.h"
#include "platform/assembly/rv32_cores.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace strobe::platform {

namespace {

// Of firmware/hal/rv32/link.ld; the stack of an image without these symbols is unknown.
cpu::MemoryCheck::Stack stackOf(const cpu::ElfImage& image)
{
    const cpu::ElfImage::Symbol* limit = image.find("__stack_limit");
    const cpu::ElfImage::Symbol* top = image.find("__stack_top");
    if (limit == nullptr || top == nullptr)
        return {};
    return {limit->address, top->address, STACK_PATTERN};
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

// The memory check covers the first core.
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
            cores[0]->observers.add(
                memory.emplace(image, raw(drive.layout.sram.base), drive.layout.sram.size, stackOf(image)));
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
        if (memory)
            memory->powerOn();
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

    cpu::CodePlaces places;
    RegisterNames names;
    std::optional<cpu::CodeCoverage> coverage; // of all cores
    std::optional<cpu::MemoryCheck> memory;
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
        inspection_.cycles += profile->cycles();
        inspection_.foldedStacks +=
            tools_->cores.size() == 1 ? profile->folded() : under("core " + std::to_string(i), profile->folded());
    }
    if (tools_->memory) {
        const cpu::MemoryCheck::Stack stack = stackOf(tools_->places.image());
        for (const cpu::MemoryCheck::Finding& found : tools_->memory->findings())
            inspection_.unwrittenReads.push_back(fmt::format("{} byte{} at {:#010x} read by {} at pc {:#010x}",
                                                             found.bytes, found.bytes == 1 ? "" : "s", found.address,
                                                             tools_->places.at(found.pc), found.pc));
        inspection_.deepestStack = tools_->memory->deepestStack();
        inspection_.stackBytes = stack.top - stack.limit;
    }
    if (tools_->coverage)
        inspection_.coverage = cpu::sourceCoverage(tools_->places, tools_->coverage->counts());
}

} // namespace strobe::platform
