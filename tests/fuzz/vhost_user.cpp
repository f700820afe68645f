// SPDX-License-Identifier: Apache-2.0
//
// A guest kernel as a hostile front end: vhost-user messages with and without descriptors, virtqueues in its memory,
// and PCI accesses in them. Input: actions.
#include "platform/guest/vhost_user.h"
#include "models/host/nvme/nvme_pci_function.h"
#include "platform/guest/virt_pci.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/values.h"
#include "tests/modules/guest/guest_peer.h"
#include "tests/support/kernel_fixture.h"

#include <algorithm>
#include <array>
#include <memory>

using namespace strobe;
using namespace strobe::fuzz;
using namespace strobe::platform::guest;

namespace {

enum Request : std::uint32_t { setMemory = 5, setSize = 8, setPlaces = 9, setRequests = 21, kick = 35 };
constexpr std::uint64_t base = 0x10000; // of the shared memory, for the guest
constexpr std::uint64_t memoryBytes = 0x8000;
constexpr std::uint32_t entries = 8;
constexpr std::uint64_t ringBytes = 0x3000;

class FrontEnd {
public:
    FrontEnd()
        : port_("port",
                std::make_unique<host::nvme::NvmePciFunction>(host::PcieConfig{}, host::nvme::ControllerOptions{},
                                                              DataMode::Bytes, device_.memory()),
                GuestCosts{}),
          bus_(device_, port_, [] {})
    {
        port_.connect(ssd_);
        ssd_.connect(port_);
        port_.driveReady(Time{});
        device_.onKick([this](std::uint32_t ring) {
            if (ring == VirtPci::accesses)
                bus_.serveAccesses();
        });
    }

    void start()
    {
        message(setMemory, {1, 0, base, 0, memoryBytes, 0, 0, 0, 0, 0}, 1);
        for (std::uint32_t ring = 0; ring < VhostUser::rings; ++ring) {
            const auto at = static_cast<std::uint32_t>(base + ring * ringBytes);
            message(setSize, {ring, entries}, 0);
            message(setPlaces, {ring, 0, at, 0, at + 0x2000, 0, at + 0x1000, 0, 0, 0}, 0);
        }
    }

    // False: the connection has ended.
    bool act(Values& input)
    {
        const unsigned what = input.byte();
        switch (what % 4) {
        case 0: return access(input);
        case 1: {
            const std::uint64_t at = input.number(2) % (memoryBytes - 8);
            memory_.put(at, input.number(8));
            return true;
        }
        default: return anyMessage(input, what);
        }
    }

private:
    // A PCI access as a driver makes it: header, data and a place for the answer in ring 0.
    bool access(Values& input)
    {
        constexpr std::uint64_t buffers = 0x7000;
        constexpr std::uint64_t flagNext = 1;
        constexpr std::uint64_t flagWrite = 2;
        const std::uint64_t operation = input.usualOr({1, 2, 3, 4}, 2);
        memory_.put(buffers, operation | input.usualOr({4, 8, 1, 2}, 4) << 32U);
        memory_.put(buffers + 8, input.usualOr({0, 4, 0x10, 0x14, 0x1C, 0x1000, 0x2000}, 8));
        memory_.put(buffers + 16, input.usualOr({~std::uint64_t{0}, 0, 1, 0x460001}, 8));
        const std::uint64_t requestBytes = input.usualOr({24, 24, 16}, 4) & 0xFFFF'FFFFU;
        memory_.put(0, base + buffers);
        memory_.put(8, requestBytes | flagNext << 32U | 1ULL << 48U);
        memory_.put(16, base + buffers + 32);
        memory_.put(24, std::uint64_t{8} | flagWrite << 32U | input.usualOr({0, 1}, 2) << 48U);
        memory_.put<std::uint16_t>(0x1004 + 2 * (available_ % entries), 0);
        memory_.put<std::uint16_t>(0x1002, ++available_);
        return message(kick, {VirtPci::accesses, 0}, 0);
    }
    bool anyMessage(Values& input, unsigned what)
    {
        const std::uint32_t request = static_cast<std::uint32_t>(
            input.usualOr({1, 2, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 21, 35, 35}, 4));
        std::array<std::uint32_t, 20> payload{};
        const std::size_t words = input.byte() % payload.size();
        for (std::size_t i = 0; i < words; ++i)
            payload[i] = static_cast<std::uint32_t>(
                input.usualOr({0, 1, entries, base, base + 0x1000, memoryBytes, 0xFFFF'FFFF}, 4));
        const auto bytes = static_cast<std::uint32_t>(input.usualOr({words * 4, words * 4, words * 4}, 4));
        const auto flags = static_cast<std::uint32_t>(input.usualOr({9, 9, 1}, 4));
        const std::uint32_t header[] = {request, flags, bytes}; // NOLINT(modernize-avoid-c-arrays): as on the wire
        return send(header, payload.data(), words * 4, (what & 4U) != 0 ? 1 + (what >> 3U) % 9 : 0);
    }
    bool message(std::uint32_t request, std::initializer_list<std::uint32_t> payload, unsigned descriptors)
    {
        const std::uint32_t header[] = {request, 9, // NOLINT(modernize-avoid-c-arrays): as on the wire
                                        static_cast<std::uint32_t>(payload.size() * 4)};
        return send(header, payload.begin(), payload.size() * 4, descriptors);
    }
    bool send(const std::uint32_t (&header)[3], const void* payload, std::size_t bytes, unsigned descriptors)
    {
        std::vector<std::byte> message(sizeof header + bytes);
        std::memcpy(message.data(), header, sizeof header);
        if (bytes != 0)
            std::memcpy(message.data() + sizeof header, payload, bytes);
        pair_.sendBytes(message.data(), message.size(),
                        std::vector<int>(descriptors % 9,
                                         header[0] == setRequests ? calls_.served.descriptor() : memory_.file.get()));
        if (header[2] > bytes) // the rest never comes
            ::shutdown(pair_.peer.get(), SHUT_WR);
        try {
            if (!device_.serve(pair_.served))
                return false;
            kernel_.run(std::chrono::microseconds(10));
            bus_.rethrowError();
            if (device_.canCall() && device_.isRingReady(VirtPci::interrupts) && bus_.putInterrupts())
                device_.call(VirtPci::interrupts);
        } catch (const ProtocolError&) {
            return false;
        } catch (const RingError&) {
            return false;
        }
        std::array<char, 4096> answers{};
        static_cast<void>(::recv(pair_.peer.get(), answers.data(), answers.size(), MSG_DONTWAIT));
        static_cast<void>(::recv(calls_.peer.get(), answers.data(), answers.size(), MSG_DONTWAIT));
        return true;
    }

    test::KernelFixture kernel_;
    test::SharedFile memory_{memoryBytes};
    test::Pair pair_{"vhost-user", std::chrono::milliseconds(20)};
    test::Pair calls_;
    VhostUser device_;
    test::FakeSsd ssd_{test::FakeSsd::Config{}};
    GuestPortModule port_;
    VirtPci bus_;
    std::uint16_t available_ = 0;
};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Values input(data, size);
    FrontEnd front;
    if (input.byte() != 0xFF) // otherwise a connection without memory and rings
        front.start();
    constexpr int mostActions = 100; // what is left over of them fits into the socket
    for (int i = 0; i < mostActions && !input.isOver() && front.act(input); ++i) {
    }
    return 0;
}
