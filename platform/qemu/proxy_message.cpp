// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/proxy_message.h"

#include <fmt/format.h>

#include <cstring>

namespace strobe::platform::qemu {

namespace {

constexpr std::size_t mostRegions = 8;
constexpr std::uint32_t configBytes = 256; // QEMU's device is of conventional PCI

struct Shape {
    const char* name;
    std::size_t payload;
    std::size_t fewestDescriptors;
    std::size_t mostDescriptors;
};
// By command. No peer sends the second one.
constexpr std::array<Shape, 8> shapes{{{"memory", ProxyHeader::mostPayload, 1, mostRegions},
                                       {"answer", 0, 0, 0},
                                       {"write of configuration space", 12, 0, 0},
                                       {"read of configuration space", 12, 0, 0},
                                       {"write of a BAR", 24, 0, 0},
                                       {"read of a BAR", 24, 0, 0},
                                       {"interrupts", 0, 2, 2},
                                       {"reset", 0, 0, 0}}};

template <class Value>
Value valueAt(const std::byte* bytes, std::size_t offset)
{
    Value value{};
    std::memcpy(&value, bytes + offset, sizeof value);
    return value;
}

void decodeRegions(ProxyMessage& message, const std::byte* payload, std::size_t count)
{
    constexpr std::size_t column = mostRegions * sizeof(std::uint64_t);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = i * sizeof(std::uint64_t);
        MemoryRegion region;
        region.address = valueAt<std::uint64_t>(payload, at);
        region.bytes = valueAt<std::uint64_t>(payload, column + at);
        region.offset = valueAt<std::uint64_t>(payload, 2 * column + at);
        if (region.bytes == 0 || region.address + region.bytes < region.address || region.offset > INT64_MAX ||
            region.bytes > INT64_MAX - region.offset)
            throw ProxyError(fmt::format("memory: region {}: address {:#x}, {} bytes from offset {} of its file: must "
                                         "have bytes and end within 64 bits",
                                         i, region.address, region.bytes, static_cast<std::int64_t>(region.offset)));
        message.regions.push_back(region);
    }
}

void decodeConfig(ProxyMessage& message, const std::byte* payload, const char* name)
{
    message.address = valueAt<std::uint32_t>(payload, 0);
    message.value = valueAt<std::uint32_t>(payload, 4);
    message.bytes = valueAt<std::uint32_t>(payload, 8);
    if (message.bytes != 1 && message.bytes != 2 && message.bytes != 4)
        throw ProxyError(
            fmt::format("{}: {} bytes; must be 1, 2 or 4", name, static_cast<std::int32_t>(message.bytes)));
    if (message.address > configBytes - message.bytes)
        throw ProxyError(fmt::format("{}: {} bytes at {:#x}; must be within {} bytes", name, message.bytes,
                                     message.address, configBytes));
}

void decodeBar(ProxyMessage& message, const std::byte* payload, const char* name)
{
    message.address = valueAt<std::uint64_t>(payload, 0);
    message.value = valueAt<std::uint64_t>(payload, 8);
    message.bytes = valueAt<std::uint32_t>(payload, 16);
    if (message.bytes != 1 && message.bytes != 2 && message.bytes != 4 && message.bytes != 8)
        throw ProxyError(fmt::format("{}: {} bytes; must be 1, 2, 4 or 8", name, message.bytes));
    if (message.address + message.bytes < message.address)
        throw ProxyError(fmt::format("{}: address {:#x}; must end within 64 bits", name, message.address));
    if (payload[20] != std::byte{1})
        throw ProxyError(fmt::format("{}: I/O space; the drive's BARs are memory", name));
}

} // namespace

ProxyHeader decodeProxyHeader(const std::array<std::byte, ProxyHeader::bytes>& header, std::size_t descriptors)
{
    const auto command = valueAt<std::int32_t>(header.data(), 0);
    const auto payload = valueAt<std::uint64_t>(header.data(), 8);
    if (command < 0 || command >= static_cast<std::int32_t>(shapes.size()) ||
        command == static_cast<std::int32_t>(ProxyCommand::Answer))
        throw ProxyError(fmt::format("command {}; must be 0 or 2 to {}", command, shapes.size() - 1));
    const Shape& shape = shapes.at(static_cast<std::size_t>(command));
    if (payload != shape.payload)
        throw ProxyError(fmt::format("{}: {} bytes; must be {}", shape.name, payload, shape.payload));
    if (descriptors < shape.fewestDescriptors || descriptors > shape.mostDescriptors)
        throw ProxyError(fmt::format("{}: {} descriptors; must be {}", shape.name, descriptors,
                                     shape.fewestDescriptors == shape.mostDescriptors
                                         ? std::to_string(shape.mostDescriptors)
                                         : fmt::format("{} to {}", shape.fewestDescriptors, shape.mostDescriptors)));
    return {static_cast<ProxyCommand>(command), static_cast<std::size_t>(payload)};
}

ProxyMessage decodeProxyMessage(const ProxyHeader& header, const std::byte* payload, std::size_t descriptors)
{
    const char* const name = shapes.at(static_cast<std::size_t>(header.command)).name;
    ProxyMessage message;
    message.command = header.command;
    switch (header.command) {
    case ProxyCommand::Memory: decodeRegions(message, payload, descriptors); break;
    case ProxyCommand::WriteConfig:
    case ProxyCommand::ReadConfig: decodeConfig(message, payload, name); break;
    case ProxyCommand::WriteBar:
    case ProxyCommand::ReadBar: decodeBar(message, payload, name); break;
    case ProxyCommand::Answer:
    case ProxyCommand::Interrupts:
    case ProxyCommand::Reset: break;
    }
    return message;
}

ProxyAnswer encodeProxyAnswer(std::uint64_t value)
{
    ProxyAnswer answer{};
    const auto command = static_cast<std::int32_t>(ProxyCommand::Answer);
    const std::uint64_t payload = sizeof value;
    std::memcpy(answer.data(), &command, sizeof command);
    std::memcpy(answer.data() + 8, &payload, sizeof payload);
    std::memcpy(answer.data() + ProxyHeader::bytes, &value, sizeof value);
    return answer;
}

} // namespace strobe::platform::qemu
