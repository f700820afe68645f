// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/firmware_inspection.h"

#include "firmware/hal/rv32/stack_pattern.h"
#include "models/base/check.h"
#include "models/cpu/code_places.h"
#include "models/cpu/debug/gdb_server.h"
#include "models/cpu/debug/instruction_trace.h"
#include "models/cpu/debug/memory_check.h"
#include "models/cpu/debug/observers.h"
#include "models/cpu/rv32_cpu_module.h"
#include "platform/assembly/drive_debug_target.h"
#include "platform/assembly/ssd_module.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

cpu::Rv32CpuModule& coreOf(SsdModule& ssd)
{
    auto* module = dynamic_cast<cpu::Rv32CpuModule*>(ssd.cpu.get());
    check(module != nullptr && ssd.firmware != nullptr, "firmware is looked at that does not run on the RV32 core");
    return *module;
}

// Of firmware/hal/rv32/link.ld; an image without these symbols has no stack that is known.
cpu::MemoryCheck::Stack stackOf(const cpu::ElfImage& image)
{
    const cpu::ElfImage::Symbol* limit = image.find("__stack_limit");
    const cpu::ElfImage::Symbol* top = image.find("__stack_top");
    if (limit == nullptr || top == nullptr)
        return {};
    return {limit->address, top->address, STACK_PATTERN};
}

} // namespace

struct FirmwareInspector::Tools {
    Tools(SsdModule& drive, const FirmwareInspection& asked, std::function<bool()> givenUp)
        : module(coreOf(drive)), places(drive.firmware->image()), target(drive, module)
    {
        const cpu::ElfImage& image = places.image();
        if (asked.profile)
            observers.add(profile.emplace(places));
        if (asked.traceLimit > 0)
            observers.add(trace.emplace(&places, asked.traceLimit, asked.trace));
        if (asked.checkMemory)
            observers.add(memory.emplace(image, raw(drive.layout.sram.base), drive.layout.sram.size, stackOf(image)));
        if (!observers.isEmpty())
            module.core().observe(&observers);
        if (asked.gdbPort) {
            server.emplace(target, *asked.gdbPort, std::move(givenUp));
            leash.emplace(module.core(), 0, *server, [] { Agenda::ofContext()->pause(); });
            module.attach(&*leash);
        }
    }
    ~Tools()
    {
        module.attach(nullptr);
        module.core().observe(nullptr);
    }
    Tools(const Tools&) = delete;
    Tools& operator=(const Tools&) = delete;

    cpu::Rv32CpuModule& module;
    cpu::CodePlaces places;
    cpu::Observers observers;
    std::optional<cpu::FunctionProfile> profile;
    std::optional<cpu::InstructionTrace> trace;
    std::optional<cpu::MemoryCheck> memory;
    DriveDebugTarget target;
    std::optional<cpu::GdbServer> server;
    std::optional<GdbLeash> leash;
};

FirmwareInspector::FirmwareInspector(SsdModule& ssd, FirmwareInspection& inspection, std::function<bool()> givenUp)
    : tools_(std::make_unique<Tools>(ssd, inspection, std::move(givenUp))), inspection_(inspection)
{
}

FirmwareInspector::~FirmwareInspector() = default;

void FirmwareInspector::waitForDebugger()
{
    if (!tools_->server)
        return;
    if (inspection_.onListening)
        inspection_.onListening(tools_->server->port());
    tools_->server->waitForDebugger();
}

void FirmwareInspector::betweenSlices()
{
    if (tools_->server && !tools_->server->isKilled())
        tools_->server->poll(0);
}

bool FirmwareInspector::isKilled() const
{
    return tools_->server && tools_->server->isKilled();
}

void FirmwareInspector::measuring()
{
    if (tools_->profile)
        tools_->profile->reset();
}

void FirmwareInspector::finish(int exitCode)
{
    if (tools_->server)
        tools_->server->ended(exitCode);
    if (tools_->profile) {
        inspection_.functions = tools_->profile->rows();
        inspection_.cycles = tools_->profile->cycles();
        inspection_.foldedStacks = tools_->profile->folded();
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
}

} // namespace strobe::platform
