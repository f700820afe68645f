#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The messages by which QEMU's device x-pci-proxy-dev operates a PCI function in another process (its "multi-process
// QEMU", as of QEMU 7.2; an experimental interface that other versions may change). Pure: bytes to values.
//
//   header    i32 command, 4 bytes of padding, u64 number of bytes that follow; file descriptors come with it
//   commands  0 memory: 8 x u64 address, 8 x u64 bytes, 8 x i64 offset in the file; one descriptor per region
//             1 answer: u64, of this program, to all but 0 and 6
//             2, 3 write, read configuration space: u32 offset, u32 value, i32 width
//             4, 5 write, read a BAR: u64 address, u64 value, u32 width, u8 whether it is memory, 3 bytes of padding
//             6 interrupt descriptors: two, for INTx; 7 reset of the device
//
// All numbers are little-endian, as those of the x86-64 hosts on which this is used. Errors: ProxyError with what is
// allowed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace strobe::platform::qemu {

class ProxyError : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

enum class ProxyCommand : std::int32_t {
    Memory,
    Answer,
    WriteConfig,
    ReadConfig,
    WriteBar,
    ReadBar,
    Interrupts,
    Reset
};

struct ProxyHeader {
    static constexpr std::size_t bytes = 16;
    static constexpr std::size_t mostPayload = 192;

    ProxyCommand command = ProxyCommand::Reset;
    std::size_t payload = 0; // bytes that follow
};

struct MemoryRegion {
    std::uint64_t address = 0; // guest-physical
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0; // in its file
};

struct ProxyMessage {
    ProxyCommand command = ProxyCommand::Reset;
    std::uint64_t address = 0; // of a BAR access; offset in configuration space
    std::uint64_t value = 0;   // of a write
    std::uint32_t bytes = 0;   // width of an access: 1, 2, 4, in a BAR also 8
    std::vector<MemoryRegion> regions;

    bool isAnswered() const { return command != ProxyCommand::Memory && command != ProxyCommand::Interrupts; }
};

// Of what a peer may send: an answer is not among it. Checks the number of bytes and of descriptors.
ProxyHeader decodeProxyHeader(const std::array<std::byte, ProxyHeader::bytes>& header, std::size_t descriptors);
// `payload`: the bytes that the header has announced; `descriptors`: that came with it.
ProxyMessage decodeProxyMessage(const ProxyHeader& header, const std::byte* payload, std::size_t descriptors);

using ProxyAnswer = std::array<std::byte, ProxyHeader::bytes + sizeof(std::uint64_t)>;
ProxyAnswer encodeProxyAnswer(std::uint64_t value);

} // namespace strobe::platform::qemu
