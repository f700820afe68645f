// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/vhost_user.h"
#include "tests/modules/guest/guest_peer.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

namespace {

enum : std::uint32_t {
    getFeatures = 1,
    setFeatures = 2,
    setOwner = 3,
    setMemory = 5,
    setSize = 8,
    setPlaces = 9,
    setBase = 10,
    getProtocol = 15,
    setProtocol = 16,
    setRequests = 21,
    kick = 35
};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t reply = 4;
constexpr std::uint32_t wantsReply = 8;

#pragma pack(push, 1)
struct Header {
    std::uint32_t request;
    std::uint32_t flags;
    std::uint32_t size;
};
template <class Payload>
struct With {
    Header header;
    Payload payload;
};
struct State {
    std::uint32_t index;
    std::uint32_t number;
};
struct Places {
    std::uint32_t index;
    std::uint32_t flags;
    std::uint64_t descriptors;
    std::uint64_t used;
    std::uint64_t available;
    std::uint64_t log;
};
struct Table {
    std::uint32_t count;
    std::uint32_t padding;
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint64_t user;
    std::uint64_t offset;
};
#pragma pack(pop)

struct FrontEnd {
    Pair pair{"vhost-user", std::chrono::milliseconds(20)};
    guest::VhostUser device;
    SharedFile memory{0x4000};
    std::vector<std::uint32_t> kicks;

    FrontEnd()
    {
        device.onKick([this](std::uint32_t ring) { kicks.push_back(ring); });
    }
    template <class Payload>
    void send(std::uint32_t request, const Payload& payload, const std::vector<int>& descriptors = {},
              std::uint32_t flags = version | wantsReply)
    {
        const With<Payload> message{{request, flags, sizeof payload}, payload};
        pair.sendBytes(&message, sizeof message, descriptors);
    }
    bool serve() { return device.serve(pair.served); }
    std::uint64_t answer(std::uint32_t request)
    {
        const auto message = pair.receive<With<std::uint64_t>>();
        CHECK(message.header.request == request);
        CHECK(message.header.flags == (version | reply));
        return message.payload;
    }
    template <class Payload>
    void command(std::uint32_t request, const Payload& payload, const std::vector<int>& descriptors = {})
    {
        send(request, payload, descriptors);
        CHECK(serve());
        CHECK(answer(request) == 0);
    }
    std::uint64_t ask(std::uint32_t request)
    {
        pair.send(Header{request, version, 0});
        CHECK(serve());
        return answer(request);
    }
    std::string refusal()
    {
        try {
            serve();
        } catch (const guest::ProtocolError& error) {
            return error.what();
        }
        return "";
    }
    template <class Payload>
    std::string refusal(std::uint32_t request, const Payload& payload, const std::vector<int>& descriptors = {})
    {
        send(request, payload, descriptors);
        return refusal();
    }
    void share() { command(setMemory, Table{1, 0, 0x10000, 0x4000, 0, 0}, {memory.file.get()}); }
};

} // namespace

TEST_CASE("a front end finds the features, shares its memory, places its rings and kicks")
{
    FrontEnd front;
    front.command(setOwner, State{});
    const std::uint64_t features = front.ask(getFeatures);
    CHECK(features == ((std::uint64_t{1} << 30) | (std::uint64_t{1} << 32)));
    const std::uint64_t protocol = front.ask(getProtocol);
    CHECK(protocol == (8U | 32U | 16384U));
    front.command(setFeatures, features);
    front.command(setProtocol, protocol);
    front.share();
    front.command(setSize, State{1, 8});
    front.command(setBase, State{1, 0});
    CHECK_FALSE(front.device.isRingReady(1));
    front.command(setPlaces, Places{1, 0, 0x10000, 0x12000, 0x11000, 0});
    CHECK(front.device.isRingReady(1));
    front.command(kick, State{1, 0});
    CHECK(front.kicks == std::vector<std::uint32_t>{1});
    front.memory.put(0x10, std::uint32_t{0x5A});
    CHECK(*front.device.memory().at(0x10010, 1) == std::byte{0x5A});
}

TEST_CASE("the device calls on the connection that the front end has given, and takes its acknowledgement")
{
    FrontEnd front;
    Pair requests;
    CHECK_FALSE(front.device.canCall());
    front.command(setRequests, State{}, {requests.served.descriptor()});
    REQUIRE(front.device.canCall());
    front.device.call(1);
    const auto call = requests.receive<With<State>>();
    CHECK(call.header.request == 4);
    CHECK((call.header.flags & wantsReply) != 0);
    CHECK(call.payload.index == 1);
    requests.send(With<std::uint64_t>{{4, version | reply, 8}, 0});
    CHECK(front.device.takeAcknowledgement());
    requests.send(With<std::uint64_t>{{4, version | reply, 8}, 1});
    CHECK_THROWS_WITH(front.device.takeAcknowledgement(), "vhost-user requests: the guest has refused a call");
    requests.send(With<std::uint64_t>{{5, version | reply, 8}, 0});
    CHECK_THROWS_WITH(front.device.takeAcknowledgement(), "vhost-user requests: an answer to a call was expected");
}

TEST_CASE("a message is answered only if it asks for it")
{
    FrontEnd front;
    front.send(setOwner, State{}, {}, version);
    CHECK(front.serve());
    CHECK(front.pair.isSilent());
}

TEST_CASE("messages that the vhost-user protocol does not allow are refused with the connection's name")
{
    FrontEnd front;
    CHECK(front.refusal(99, State{}) == "vhost-user: message 99 is unknown");
    CHECK(front.refusal(setFeatures, ~std::uint64_t{0}) == "vhost-user: features that were not offered");
    CHECK(front.refusal(setProtocol, std::uint64_t{2}) == "vhost-user: protocol features that were not offered");
    CHECK(front.refusal(setSize, State{2, 8}) == "vhost-user: virtqueue 2; must be 0 or 1");
    CHECK(front.refusal(setSize, State{0, 7}) ==
          "vhost-user: a virtqueue of 7 entries; must be a power of two from 1 to 32768");
    CHECK(front.refusal(setSize, std::uint32_t{0}) == "vhost-user: message 8 has a payload of 4 bytes; must be 8");
    CHECK(front.refusal(kick, State{0, 0}) == "vhost-user: a kick of a virtqueue without an address");
    CHECK(front.refusal(setRequests, State{}) == "vhost-user: a request connection needs one descriptor, not 0");
    CHECK(front.refusal(setMemory, std::uint32_t{1}) == "vhost-user: a memory table without a count");
    CHECK(front.refusal(setMemory, Table{1, 0, 0x10000, 0x4000, 0, 0}) ==
          "vhost-user: a memory table of 1 regions with 0 descriptors");
    CHECK(front.refusal(setMemory, Table{1, 0, 0x10000, 0x4001, 0, 0}, {front.memory.file.get()}) ==
          "vhost-user: a memory region that is not in its file");
    front.pair.send(Header{getFeatures, 2, 0});
    CHECK(front.refusal() == "vhost-user: a message with flags 2; must be version 1 and no reply");
    front.pair.send(Header{getFeatures, version, 257});
    CHECK(front.refusal() == "vhost-user: a message of 257 bytes; must be at most 256");
}

TEST_CASE("a front end that closes its connection is gone; one that goes within a message breaks the protocol")
{
    FrontEnd gone;
    gone.pair.hangUp();
    CHECK_FALSE(gone.serve());
    FrontEnd half;
    half.pair.send(Header{setSize, version, 8});
    half.pair.hangUp();
    CHECK(half.refusal() == "vhost-user: the peer has gone within a message");
}

TEST_CASE("a front end that sends half a message and no more does not hold the program")
{
    FrontEnd header;
    header.pair.send(std::uint32_t{setSize});
    CHECK(header.refusal() == "vhost-user: half a message came, and no more within 20 ms");
    FrontEnd payload;
    payload.pair.send(Header{setSize, version, 8});
    CHECK(payload.refusal() == "vhost-user: half a message came, and no more within 20 ms");
}
