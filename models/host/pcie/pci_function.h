#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A PCI function as its host sees it, whatever the device: configuration space, base address registers (BARs), and
// interrupts as messages or as the level of INTx. A front serves it to a host: SsdDevice to a platform of SystemC
// models, the guest front to a Linux kernel. Memory that the device reads and writes belongs to the front
// (HostMemory). Owns no clock: `now` is the present instant of every call, advance() is due at nextTime(), which may
// change with every call.

#include "models/base/time.h"

#include <cstdint>
#include <functional>

namespace strobe::host {

class PciFunction {
public:
    // The packet of a message is at the root complex.
    using MessageHandler = std::function<void(std::uint64_t address, std::uint32_t data, Time now)>;
    using PinHandler = std::function<void(bool isAsserted, Time now)>; // at changes

    virtual ~PciFunction() = default;
    virtual void onMessage(MessageHandler handler) = 0;
    virtual void onPin(PinHandler handler) = 0;

    // Naturally aligned accesses of 1, 2 or 4 bytes; others read all ones and change nothing. They take effect at once.
    virtual std::uint32_t readConfig(std::uint32_t offset, std::uint32_t bytes) const = 0;
    virtual void writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value, Time now) = 0;

    // Offsets within a BAR. Writes are posted: they take effect when their packet arrives. A read that is sent now
    // has its answer at the host at readTime(), with the value of that instant. What the function does not claim (no
    // such BAR, beyond its end, memory space disabled) reads all ones and is not written.
    virtual void writeBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, std::uint64_t value,
                          Time now) = 0;
    virtual std::uint64_t readBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes) const = 0;
    virtual Time readTime(std::uint32_t bytes, Time now) = 0;

    virtual void advance(Time now) = 0;
    virtual Time nextTime() const = 0;
};

} // namespace strobe::host
