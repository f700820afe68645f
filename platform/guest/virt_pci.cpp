// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/virt_pci.h"

#include <cstring>
#include <string>

namespace strobe::platform::guest {

namespace {

enum Access : std::uint8_t { configRead = 1, configWrite = 2, memoryRead = 3, memoryWrite = 4, messageInterrupt = 7 };
constexpr std::uint32_t mostRequest = 64; // bytes

} // namespace

VirtPci::VirtPci(VhostUser& transport, GuestPortModule& port, std::function<void()> changed)
    : transport_(transport), port_(port), changed_(std::move(changed))
{
    port_.onInterrupt([this](std::uint64_t, std::uint32_t data) {
        pending_.push_back(data);
        changed_();
    });
}

void VirtPci::serveAccesses()
{
    while (auto chain = transport_.ring(accesses).take(transport_.memory(), mostRequest))
        serve(std::move(*chain));
}

void VirtPci::serve(SplitRing::Chain chain)
{
    Header header;
    if (chain.request.size() < sizeof header)
        throw RingError("a PCI access of " + std::to_string(chain.request.size()) + " bytes; must be at least 16");
    std::memcpy(&header, chain.request.data(), sizeof header);
    if (header.bytes != 1 && header.bytes != 2 && header.bytes != 4 && header.bytes != 8)
        throw RingError("a PCI access to " + std::to_string(header.bytes) + " bytes; must be 1, 2, 4 or 8");
    const auto offset = static_cast<std::uint32_t>(header.address);
    if (header.address > UINT32_MAX)
        throw RingError("a PCI access beyond 4 GiB");
    std::uint64_t value = 0;
    const bool writes = header.operation == configWrite || header.operation == memoryWrite;
    if (writes && chain.request.size() < sizeof header + header.bytes)
        throw RingError("a PCI write without its data");
    if (writes)
        std::memcpy(&value, chain.request.data() + sizeof header, header.bytes);
    switch (header.operation) {
    case configRead: return answer(chain, port_.readConfig(offset, header.bytes), header.bytes);
    case configWrite: port_.writeConfig(offset, header.bytes, static_cast<std::uint32_t>(value)); break;
    case memoryWrite: port_.write(header.bar, offset, header.bytes, value); break;
    case memoryRead:
        port_.read(header.bar, offset, header.bytes,
                   [this, asked = std::move(chain), bytes = header.bytes](std::uint64_t read) {
                       try { // within a process of the kernel
                           answer(asked, read, bytes);
                       } catch (...) {
                           error_ = std::current_exception();
                       }
                   });
        return;
    default: throw RingError("PCI operation " + std::to_string(header.operation) + " is unknown");
    }
    answer(chain, 0, 0);
}

void VirtPci::answer(const SplitRing::Chain& chain, std::uint64_t value, std::uint32_t bytes)
{
    transport_.ring(accesses).give(transport_.memory(), chain, &value, bytes);
    ++used_;
}

bool VirtPci::putInterrupts()
{
    bool hasPut = false;
    while (!pending_.empty()) {
        const auto buffer = transport_.ring(interrupts).take(transport_.memory(), mostRequest);
        if (!buffer)
            break; // until the guest has made one available
        struct {
            Header header;
            std::uint32_t data;
        } message;
        message.header.operation = messageInterrupt;
        message.header.bytes = sizeof message.data;
        message.data = pending_.front();
        transport_.ring(interrupts)
            .give(transport_.memory(), *buffer, &message, sizeof message.header + sizeof message.data);
        pending_.pop_front();
        hasPut = true;
    }
    return hasPut;
}

void VirtPci::rethrowError() const
{
    if (error_)
        std::rethrow_exception(error_);
}

} // namespace strobe::platform::guest
