#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The back end of a vhost-user device (vhost-user protocol of QEMU's documentation) as User-Mode Linux's virtio_uml
// driver uses it: features, memory table, two split virtqueues, kicks and calls as messages on the sockets (in-band
// notifications), every message acknowledged. Owns the guest's memory and its rings; what a kick means is up to the
// caller. Not modelled: event descriptors for kicks, dirty logging, configuration space, migration.
//
// Errors: ProtocolError for any message that the protocol does not allow in this state.

#include "platform/guest/guest_memory.h"
#include "platform/guest/socket.h"
#include "platform/guest/split_ring.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace strobe::platform::guest {

class VhostUser {
public:
    static constexpr std::uint32_t rings = 2;
    using KickHandler = std::function<void(std::uint32_t ring)>; // before the kick is acknowledged

    void onKick(KickHandler handler) { kick_ = std::move(handler); }

    // One message. False: the front end has closed the connection.
    bool serve(Connection& connection);

    GuestMemory& memory() { return memory_; }
    SplitRing& ring(std::uint32_t index) { return rings_.at(index); }
    bool isRingReady(std::uint32_t index) const { return rings_.at(index).isSet() && !memory_.isEmpty(); }

    // The second connection, over which the back end calls. Tells the front end that a ring has used entries; it
    // acknowledges that with a message, which takeAcknowledgement() reads (false: it has closed the connection).
    bool canCall() const { return requests_.isOpen(); }
    int callDescriptor() const { return requests_.descriptor(); }
    void call(std::uint32_t ring);
    bool takeAcknowledgement();

private:
    struct Header {
        std::uint32_t request;
        std::uint32_t flags;
        std::uint32_t size;
    };
    struct Message {
        Header header{};
        std::array<std::byte, 256> payload{};
        std::vector<FileDescriptor> descriptors;
    };
    void dispatch(Connection& connection, Message& message);
    void setMemory(Connection& connection, Message& message);
    void setPlaces(Connection& connection, const Message& message);
    template <class Value>
    Value payloadOf(Connection& connection, const Message& message) const;
    std::uint32_t ringOf(Connection& connection, std::uint64_t index) const;
    static void answer(Connection& connection, const Header& to, std::uint64_t value);

    GuestMemory memory_;
    std::array<SplitRing, rings> rings_;
    Connection requests_;
    KickHandler kick_;
};

} // namespace strobe::platform::guest
