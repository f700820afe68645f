// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/vhost_user.h"

#include <cstring>

namespace strobe::platform::guest {

namespace {

enum Request : std::uint32_t {
    getFeatures = 1,
    setFeatures = 2,
    setOwner = 3,
    resetOwner = 4,
    setMemoryTable = 5,
    setRingSize = 8,
    setRingPlaces = 9,
    setRingBase = 10,
    getRingBase = 11,
    setRingKick = 12,
    setRingCall = 13,
    setRingError = 14,
    getProtocolFeatures = 15,
    setProtocolFeatures = 16,
    setRingEnable = 18,
    setRequestDescriptor = 21,
    ringKick = 35
};
constexpr std::uint32_t ringCall = 4; // of the back end

constexpr std::uint32_t versionMask = 3;
constexpr std::uint32_t version = 1;
constexpr std::uint32_t isReply = 4;
constexpr std::uint32_t needsReply = 8;

constexpr std::uint64_t bit(unsigned number)
{
    return std::uint64_t{1} << number;
}
constexpr std::uint64_t features = bit(30) | bit(32);         // protocol features, version 1
constexpr std::uint64_t protocol = bit(3) | bit(5) | bit(14); // acknowledgements, requests, in-band notifications
constexpr std::uint32_t mostRegions = 8;

struct RingState {
    std::uint32_t index;
    std::uint32_t number;
};
struct RingPlaces {
    std::uint32_t index;
    std::uint32_t flags;
    std::uint64_t descriptors;
    std::uint64_t used;
    std::uint64_t available;
    std::uint64_t log;
};
struct Region {
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint64_t userAddress;
    std::uint64_t offset;
};

} // namespace

bool VhostUser::serve(Connection& connection)
{
    Message message;
    if (!connection.read(&message.header, sizeof message.header, &message.descriptors))
        return false;
    const Header& header = message.header;
    if ((header.flags & versionMask) != version || (header.flags & isReply) != 0)
        connection.refuse("a message with flags " + std::to_string(header.flags) + "; must be version 1 and no reply");
    if (header.size > message.payload.size())
        connection.refuse("a message of " + std::to_string(header.size) + " bytes; must be at most 256");
    connection.readRest(message.payload.data(), header.size, &message.descriptors);
    try {
        dispatch(connection, message);
    } catch (const RingError& error) {
        connection.refuse(error.what());
    }
    return true;
}

template <class Value>
Value VhostUser::payloadOf(Connection& connection, const Message& message) const
{
    Value value{};
    if (message.header.size != sizeof value)
        connection.refuse("message " + std::to_string(message.header.request) + " has a payload of " +
                          std::to_string(message.header.size) + " bytes; must be " + std::to_string(sizeof value));
    std::memcpy(&value, message.payload.data(), sizeof value);
    return value;
}

std::uint32_t VhostUser::ringOf(Connection& connection, std::uint64_t index) const
{
    if (index >= rings)
        connection.refuse("virtqueue " + std::to_string(index) + "; must be 0 or 1");
    return static_cast<std::uint32_t>(index);
}

void VhostUser::answer(Connection& connection, const Header& to, std::uint64_t value)
{
    struct Reply {
        Header header;
        std::uint32_t value[2]; // NOLINT(modernize-avoid-c-arrays): the number is not aligned
    } reply{{to.request, version | isReply, sizeof value}, {}};
    std::memcpy(static_cast<void*>(reply.value), &value, sizeof value);
    connection.write(&reply, sizeof reply);
}

void VhostUser::dispatch(Connection& connection, Message& message)
{
    const Header& header = message.header;
    constexpr std::uint64_t indexMask = 0xFF;
    switch (header.request) {
    case getFeatures: return answer(connection, header, features);
    case getProtocolFeatures: return answer(connection, header, protocol);
    case setFeatures:
        if (const auto chosen = payloadOf<std::uint64_t>(connection, message); (chosen & ~features) != 0)
            connection.refuse("features that were not offered");
        break;
    case setProtocolFeatures:
        if (const auto chosen = payloadOf<std::uint64_t>(connection, message); (chosen & ~protocol) != 0)
            connection.refuse("protocol features that were not offered");
        break;
    case setOwner:
    case resetOwner: break;
    case setMemoryTable: setMemory(connection, message); break;
    case setRingSize: {
        const auto state = payloadOf<RingState>(connection, message);
        rings_.at(ringOf(connection, state.index)).setSize(state.number);
        break;
    }
    case setRingPlaces: setPlaces(connection, message); break;
    case setRingBase: {
        const auto state = payloadOf<RingState>(connection, message);
        rings_.at(ringOf(connection, state.index)).setNext(static_cast<std::uint16_t>(state.number));
        break;
    }
    case setRingKick: // without descriptors: notifications are messages
    case setRingCall:
    case setRingError: ringOf(connection, payloadOf<std::uint64_t>(connection, message) & indexMask); break;
    case setRingEnable: ringOf(connection, payloadOf<RingState>(connection, message).index); break;
    case setRequestDescriptor:
        if (message.descriptors.size() != 1)
            connection.refuse("a request connection needs one descriptor, not " +
                              std::to_string(message.descriptors.size()));
        requests_ = Connection("vhost-user requests", std::move(message.descriptors.front()));
        break;
    case ringKick: {
        const std::uint32_t ring = ringOf(connection, payloadOf<RingState>(connection, message).index);
        if (!isRingReady(ring))
            connection.refuse("a kick of a virtqueue without an address");
        if (kick_)
            kick_(ring);
        break;
    }
    default: connection.refuse("message " + std::to_string(header.request) + " is unknown");
    }
    if ((header.flags & needsReply) != 0)
        answer(connection, header, 0);
}

void VhostUser::setMemory(Connection& connection, Message& message)
{
    std::uint32_t count = 0;
    constexpr std::size_t before = 8; // the count, and padding
    if (message.header.size < before)
        connection.refuse("a memory table without a count");
    std::memcpy(&count, message.payload.data(), sizeof count);
    if (count == 0 || count > mostRegions || message.descriptors.size() != count ||
        message.header.size < before + count * sizeof(Region))
        connection.refuse("a memory table of " + std::to_string(count) + " regions with " +
                          std::to_string(message.descriptors.size()) + " descriptors");
    memory_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        Region region{};
        std::memcpy(&region, message.payload.data() + before + i * sizeof region, sizeof region);
        if (!memory_.add(region.address, region.bytes, message.descriptors[i], region.offset))
            connection.refuse("a memory region that is not in its file");
    }
}

void VhostUser::setPlaces(Connection& connection, const Message& message)
{
    const auto places = payloadOf<RingPlaces>(connection, message);
    rings_.at(ringOf(connection, places.index)).setPlaces(places.descriptors, places.available, places.used);
}

void VhostUser::call(std::uint32_t ring)
{
    struct {
        Header header;
        RingState state;
    } const message{{ringCall, version | needsReply, sizeof(RingState)}, {ring, 0}};
    requests_.write(&message, sizeof message);
}

bool VhostUser::takeAcknowledgement()
{
    Header header{};
    if (!requests_.read(&header, sizeof header))
        return false;
    std::uint64_t value = 0;
    if (header.request != ringCall || (header.flags & isReply) == 0 || header.size != sizeof value)
        requests_.refuse("an answer to a call was expected");
    requests_.readRest(&value, sizeof value);
    if (value != 0)
        requests_.refuse("the guest has refused a call");
    return true;
}

} // namespace strobe::platform::guest
