#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Between nbdkit's plugin (plugin_protocol.h) and the host: takes requests from connections, gives them to the host,
// and answers when they have ended. A connection that has ended, or whose messages the protocol does not allow, goes
// alone; what it has asked for is done nevertheless. Requests outside the drive get an error.
//
// Blocks only within a message whose first byte has come, and at most for the patience of a connection.

#include "platform/guest/socket.h"
#include "platform/serve/allocation_map.h"
#include "platform/serve/block_host.h"
#include "platform/serve/block_request.h"
#include "platform/serve/plugin_protocol.h"
#include "platform/serve/request_record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

namespace strobe::platform::serve {

class BlockServer {
public:
    using Problem = std::function<void(const std::string& what)>; // why a connection was ended

    struct Allocation {
        std::uint32_t unitSectors = 8; // of a mapping unit
        bool isUsed = false;           // the drive holds data already
        bool trimsToZeros = true;      // trimmed units read as zeros; otherwise a trim frees nothing that clients see
    };

    // The socket, host and record must outlive the server; record: null: none. REQUIRES: the host's drive is ready.
    BlockServer(const guest::ListeningSocket& socket, BlockHost& host, const Allocation& allocation,
                RequestRecord* record, Problem problem);

    // What to wait for: input at these descriptors.
    std::vector<pollfd> sources() const;
    // Serves those of them that have input, at this instant. True: some had.
    bool serve(const std::vector<pollfd>& ready, Time now);
    void answer();                       // requests that have ended
    void refuse() { isClosing_ = true; } // from now on all requests fail with ESHUTDOWN

    const BlockCounters& counters() const { return counters_; }

private:
    struct Peer {
        guest::Connection connection;
        std::optional<std::uint64_t> ticket; // of its request in progress
    };
    struct Ended {
        std::uint64_t ticket;
        host::CommandStatus status;
        BlockRequest request;
    };

    struct Change { // in progress
        std::uint64_t ticket;
        std::uint64_t from;
        std::uint64_t to;
        bool isMixed; // another one of these sectors was in progress meanwhile; which came last is not known
    };

    void take(Peer& peer, Time now);
    void beginChange(std::uint64_t ticket, std::uint64_t from, std::uint64_t to);
    bool endChange(std::uint64_t ticket); // true: no other change of its sectors was in progress
    void begin(Peer& peer, const strobe_nbd_request& message, BlockRequest request, Time now);
    void describe(Peer& peer, const strobe_nbd_request& message);
    static void reply(Peer& peer, int error, const std::vector<std::byte>& data = {});
    bool isInside(const strobe_nbd_request& message) const;

    const guest::ListeningSocket& socket_;
    BlockHost& host_;
    AllocationMap map_;
    bool trimsToZeros_;
    RequestRecord* record_;
    Problem problem_;
    BlockCounters counters_;
    std::vector<Peer> peers_;
    std::vector<Ended> ended_;
    std::vector<Change> changes_;
    bool isClosing_ = false;
};

} // namespace strobe::platform::serve
