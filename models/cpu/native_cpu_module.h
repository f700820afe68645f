#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A CPU that runs a natively compiled firmware image: a coroutine inside the image's entry, woken
// through the agenda, and the table through which it reaches the platform. The CPU keeps a local time ahead of
// simulated time: cost points and bus latencies advance it; it catches up ("synchronises") where exactness needs it:
//   read32         synchronises, then reads
//   write32        posted: arrives at its local time, as the delay of the transaction; does not synchronise
//   memory         host pointer by DMI; loads and stores through it take no extra time
//   cost           advances local time by cycles / clock; synchronises once it is a quantum ahead
//   pending        synchronises if anything can happen before local time, then reads the interrupt lines
//   wait           sleeps until a line is active at local time or later
//   time_ns, log   local time; no synchronisation
//   panic, bus error, an entry that returns   stop the simulation; rethrowFault() gives the reason
// Not modelled: instruction timing within a cost point, caches. The image itself runs its interrupt handlers, inside
// its HAL calls.

#include "models/cpu/coroutine.h"
#include "models/cpu/cpu_module.h"
#include "models/cpu/firmware_fault.h"
#include "models/cpu/functional_devices.h"
#include "models/cpu/native_cpu_config.h"
#include "models/cpu/native_firmware.h"
#include "models/tlm/agenda.h"

#include <exception>
#include <systemc>
#include <utility>
#include <vector>

namespace strobe::cpu {

class NativeCpuModule : public CpuModule {
public:
    // Throws ConfigError for an image that cannot be loaded and for a clock out of range.
    NativeCpuModule(const sc_core::sc_module_name& name, const NativeCpuConfig& config,
                    InterruptControllerModule& interrupts, LineListener console = {});

    std::vector<CostMeter::Row> costs() const override { return costs_.rows(); }
    const CostMeter& meter() const { return costs_; }
    const NativeFirmware& firmware() const { return firmware_; }
    void resetUsage() override;

    // Runs firmware on `devices` until they are idle, without advancing simulated time. Cost points take no time;
    // memory is the same. Firmware that is called while it sleeps goes on at once. Afterwards it sleeps in this mode;
    // it may be run again, and leaveFunctional() ends the mode. rethrowFault() tells of a fault.
    // Devices: a final class derived from FunctionalDevices. Callers include functional_hal_module.h.
    // REQUIRES: isAsleep() at the first call; the same devices until the end.
    template <class Devices>
    void runFunctional(Devices& devices);
    void leaveFunctional(); // firmware sleeps in simulated time

private:
    struct Hal; // the functions of the table
    template <class Devices>
    struct FunctionalHal; // the same without time (functional_hal_module.h)

    // The table's functions are called by C code: nothing may be thrown through it. An exception in a call is kept, and
    // the coroutine is left permanently. It is left outside the handler, because the run-time's record of handled
    // exceptions belongs to the operating system's thread, which all stacks share.
    template <class Work>
    static auto guarded(void* context, Work work) -> decltype(work(std::declval<NativeCpuModule&>()))
    {
        auto& cpu = *static_cast<NativeCpuModule*>(context);
        try {
            return work(cpu);
        } catch (const CoroutineUnwind&) {
            throw; // the end of the simulation; C frames have unwind tables on the supported machines
        } catch (...) {
            cpu.fault_ = std::current_exception();
        }
        cpu.stop();
    }

    void step(); // the coroutine's turn
    void runFirmware();
    void waitUntil(Time time);
    std::uint32_t readRegister(std::uint32_t address);
    void writeRegister(std::uint32_t address, std::uint32_t value);
    void* directMemory(std::uint32_t address, std::uint32_t bytes);
    void spend(std::uint32_t point, std::uint32_t times);
    std::uint32_t activeLines();
    std::uint32_t sleep();
    std::uint32_t sleepFunctionally();
    void runFunctional(FunctionalDevices& devices, const strobe_native_hal& table);
    // Registers that no functional device serves (rare) are accessed over the bus, at the present instant.
    std::uint32_t readAtOnce(std::uint32_t address);
    void writeAtOnce(std::uint32_t address, std::uint32_t value);
    void log(const char* text);

    void accessRegister(tlm::tlm_command command, std::uint32_t address, std::uint32_t& value);
    void synchronise();
    void letTargetsGoFirst();
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) override;
    FirmwareFault fault(const std::string& why) const;
    [[noreturn, gnu::cold]] void throwBusError(tlm::tlm_command command, std::uint32_t address) const;
    [[noreturn, gnu::cold]] void throwMissing(std::uint32_t point) const; // cost point
    [[noreturn]] void stop(); // ends the simulation because of fault_ and never returns to the firmware

    struct DirectRegion {
        std::uint64_t start;
        std::uint64_t end; // last byte
        unsigned char* bytes;
    };

    NativeFirmware firmware_;
    LineListener console_;
    strobe_native_hal hal_;
    strobe_native_hal timedHal_;              // while hal_ is functional
    FunctionalDevices* functional_ = nullptr; // null: time passes
    std::uint64_t functionalNs_ = 0;          // while simulated time does not advance
    std::vector<DirectRegion> direct_;

    CostMeter costs_;

    Wake wake_ = Wake::calls<&NativeCpuModule::step>(*this);
    Coroutine coroutine_; // last: it is unwound while the other members still exist
};

} // namespace strobe::cpu
