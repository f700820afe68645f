// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/native_cpu_module.h"

#include "models/base/check.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <cstdio>

namespace strobe::cpu {

struct NativeCpuModule::Hal {
    static std::uint32_t read32(void* context, std::uint32_t address)
    {
        return guarded(context, [=](NativeCpuModule& cpu) { return cpu.readRegister(address); });
    }
    static void write32(void* context, std::uint32_t address, std::uint32_t value)
    {
        guarded(context, [=](NativeCpuModule& cpu) { cpu.writeRegister(address, value); });
    }
    static void* memory(void* context, std::uint32_t address, std::uint32_t bytes)
    {
        return guarded(context, [=](NativeCpuModule& cpu) { return cpu.directMemory(address, bytes); });
    }
    static void cost(void* context, std::uint32_t point, std::uint32_t times)
    {
        guarded(context, [=](NativeCpuModule& cpu) { cpu.spend(point, times); });
    }
    static std::uint32_t pending(void* context)
    {
        return guarded(context, [](NativeCpuModule& cpu) { return cpu.activeLines(); });
    }
    static std::uint32_t wait(void* context)
    {
        return guarded(context, [](NativeCpuModule& cpu) { return cpu.sleep(); });
    }
    static std::uint64_t timeNs(void* context)
    {
        const Time local = static_cast<NativeCpuModule*>(context)->localTime();
        return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(local).count());
    }
    static void log(void* context, const char* text)
    {
        guarded(context, [=](NativeCpuModule& cpu) { cpu.log(text); });
    }
    static void panic(void* context, const char* text)
    {
        guarded(context, [=](NativeCpuModule& cpu) { throw cpu.fault(std::string("panic: ") + text); });
    }
};

NativeCpuModule::NativeCpuModule(const sc_core::sc_module_name& name, const NativeCpuConfig& config,
                                 InterruptControllerModule& interrupts, LineListener console)
    : CpuModule(name, config.clockHz, config.quantum, interrupts), firmware_(config.image),
      console_(std::move(console)), hal_{STROBE_NATIVE_ABI, this,         Hal::read32, Hal::write32, Hal::memory,
                                         Hal::cost,         Hal::pending, Hal::wait,   Hal::timeNs,  Hal::log,
                                         Hal::panic,        config.core,  nullptr,     nullptr},
      costs_(config.costs), coroutine_(config.stackBytes, [this] { runFirmware(); })
{
    interrupts_.onWake([this](Time at) { wake_.at(at); });
    wake_.at(Time{});
}

void NativeCpuModule::step()
{
    coroutine_.resume();
}

// Wake-ups for something else may come earlier.
void NativeCpuModule::waitUntil(Time time)
{
    do {
        wake_.at(time);
        coroutine_.suspend();
    } while (now() < time);
}

void NativeCpuModule::runFirmware()
{
    firmware_.run(hal_);
    fault_ = std::make_exception_ptr(fault("the firmware returned from its entry"));
    stop();
}

// --- registers ------------------------------------------------------------------------------------------------------

std::uint32_t NativeCpuModule::readRegister(std::uint32_t address)
{
    synchronise();
    std::uint32_t value = 0;
    accessRegister(tlm::TLM_READ_COMMAND, address, value);
    return value;
}

void NativeCpuModule::writeRegister(std::uint32_t address, std::uint32_t value)
{
    accessRegister(tlm::TLM_WRITE_COMMAND, address, value);
    if (ahead_ > quantum_)
        synchronise();
}

void NativeCpuModule::accessRegister(tlm::tlm_command command, std::uint32_t address, std::uint32_t& value)
{
    if (!access(command, address, &value, sizeof value))
        throwBusError(command, address);
}

// --- memory ---------------------------------------------------------------------------------------------------------

void* NativeCpuModule::directMemory(std::uint32_t address, std::uint32_t bytes)
{
    const auto covers = [=](const DirectRegion& region) {
        return address >= region.start && std::uint64_t{address} + bytes <= region.end + 1;
    };
    auto found = std::find_if(direct_.begin(), direct_.end(), covers);
    if (found == direct_.end()) {
        tlm::tlm_dmi dmi;
        if (!requestDmi(address, dmi))
            return nullptr;
        const DirectRegion region{dmi.get_start_address(), dmi.get_end_address(), dmi.get_dmi_ptr()};
        if (!covers(region))
            return nullptr;
        found = direct_.insert(direct_.end(), region);
    }
    return found->bytes + (address - found->start);
}

void NativeCpuModule::invalidate(sc_dt::uint64 start, sc_dt::uint64 end)
{
    direct_.erase(std::remove_if(direct_.begin(), direct_.end(),
                                 [=](const DirectRegion& r) { return r.start <= end && start <= r.end; }),
                  direct_.end());
}

// --- time -----------------------------------------------------------------------------------------------------------

void NativeCpuModule::spend(std::uint32_t point, std::uint32_t times)
{
    if (!costs_.hasPoint(point))
        throwMissing(point);
    const Time spent = clock_.advance(costs_.charge(point, times));
    if (isWatched())
        noteCost(CostTable::points()[point].name, spent);
    ahead_ += spent;
    if (ahead_ > quantum_)
        synchronise();
}

void NativeCpuModule::synchronise()
{
    if (ahead_ > Time{}) {
        const Time lead = ahead_;
        ahead_ = {};
        ++counters_.synchronisations;
        waitUntil(now() + lead);
    }
    letTargetsGoFirst();
}

void NativeCpuModule::letTargetsGoFirst()
{
    if (lastPosted_ == now()) { // its target may be woken at this very instant
        lastPosted_ = never;
        waitUntil(now());
        while (nextKernelActivity() <= now()) { // a target with processes of its own
            wake_.atNextDelta();
            coroutine_.suspend();
        }
    }
}

// --- interrupts -----------------------------------------------------------------------------------------------------

std::uint32_t NativeCpuModule::activeLines()
{
    // While nothing is due up to local time, nothing can change until then: reading the lines now gives the result of
    // reading them then. This avoids most synchronisations while only firmware is active.
    if (wake_.nextOfOthers() <= localTime())
        synchronise();
    const std::uint32_t lines = interrupts_.activeAt(localTime());
    interrupts_.taken(lines, localTime());
    return lines;
}

// Falling asleep ahead of simulated time needs no synchronisation: the one wake-up serves as both.
std::uint32_t NativeCpuModule::sleep()
{
    if (ahead_ == Time{}) {
        letTargetsGoFirst();
        if (const std::uint32_t lines = interrupts_.active(); lines != 0) {
            interrupts_.taken(lines, now());
            passWait(now());
            return lines;
        }
    } else {
        ++counters_.synchronisations;
    }
    fallAsleep();
    std::uint32_t lines = 0;
    while (lines == 0) {
        interrupts_.armWake(fellAsleepAt());
        coroutine_.suspend();
        if (functional_ != nullptr) {
            wakeUp();
            return sleepFunctionally();
        }
        if (now() == fellAsleepAt())
            letTargetsGoFirst();
        lines = interrupts_.active();
    }
    interrupts_.taken(lines, now());
    wakeUp();
    return lines;
}

// --- without time ----------------------------------------------------------------------------------------------------

void NativeCpuModule::runFunctional(FunctionalDevices& devices, const strobe_native_hal& table)
{
    if (functional_ == nullptr) {
        check(isAsleep(), "firmware is to run without time, but it is awake");
        timedHal_ = hal_;
        hal_ = table; // firmware looks into it at each call
    }
    functional_ = &devices;
    functionalNs_ = Hal::timeNs(this);
    coroutine_.resume();
}

std::uint32_t NativeCpuModule::readAtOnce(std::uint32_t address)
{
    std::uint32_t value = 0;
    accessRegister(tlm::TLM_READ_COMMAND, address, value);
    ahead_ = {};
    return value;
}

void NativeCpuModule::writeAtOnce(std::uint32_t address, std::uint32_t value)
{
    accessRegister(tlm::TLM_WRITE_COMMAND, address, value);
    ahead_ = {};
}

void NativeCpuModule::leaveFunctional()
{
    check(functional_ != nullptr, "firmware does not run without time");
    functional_ = nullptr;
    hal_ = timedHal_;
    coroutine_.resume(); // falls asleep
}

std::uint32_t NativeCpuModule::sleepFunctionally()
{
    while (functional_ != nullptr) {
        if (const std::uint32_t lines = functional_->sleep(); lines != 0)
            return lines;
        coroutine_.suspend();
    }
    return sleep();
}

// --- the way out ----------------------------------------------------------------------------------------------------

void NativeCpuModule::log(const char* text)
{
    if (console_)
        console_(localTime(), text);
}

void NativeCpuModule::throwBusError(tlm::tlm_command command, std::uint32_t address) const
{
    char text[80];
    std::snprintf(text, sizeof text, "bus error: %s of 0x%08x answered %s",
                  command == tlm::TLM_READ_COMMAND ? "read" : "write", address, payload_.get_response_string().c_str());
    throw fault(text);
}

void NativeCpuModule::throwMissing(std::uint32_t point) const
{
    throw fault("cost point " + std::to_string(point) + " does not exist: the image was built with another list");
}

FirmwareFault NativeCpuModule::fault(const std::string& why) const
{
    return FirmwareFault("firmware image \"" + firmware_.path() + "\" on " + name() + " at " + toText(localTime()) +
                         ": " + why);
}

void NativeCpuModule::stop()
{
    sc_core::sc_stop();
    for (;;)
        coroutine_.suspend();
}

void NativeCpuModule::resetUsage()
{
    CpuModule::resetUsage();
    costs_.reset();
}

} // namespace strobe::cpu
