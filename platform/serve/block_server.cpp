// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/block_server.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

namespace strobe::platform::serve {

namespace {

int errorOf(host::CommandStatus status)
{
    switch (status) {
    case host::CommandStatus::Ok: return 0;
    case host::CommandStatus::OutOfRange: return EINVAL;
    case host::CommandStatus::NotSupported: return ENOTSUP;
    default: return EIO;
    }
}

std::optional<BlockKind> kindOf(std::uint32_t operation)
{
    switch (operation) {
    case STROBE_NBD_READ: return BlockKind::Read;
    case STROBE_NBD_WRITE: return BlockKind::Write;
    case STROBE_NBD_TRIM: return BlockKind::Trim;
    case STROBE_NBD_ZERO: return BlockKind::Zero;
    case STROBE_NBD_FLUSH: return BlockKind::Flush;
    default: return std::nullopt;
    }
}

bool carriesData(BlockKind kind)
{
    return kind == BlockKind::Read || kind == BlockKind::Write;
}

} // namespace

BlockServer::BlockServer(const guest::ListeningSocket& socket, BlockHost& host, const Allocation& allocation,
                         RequestRecord* record, Problem problem)
    : socket_(socket), host_(host), map_(host.capacitySectors(), allocation.unitSectors, allocation.isUsed),
      trimsToZeros_(allocation.trimsToZeros), record_(record), problem_(std::move(problem))
{
    host_.onEnded([this](std::uint64_t ticket, host::CommandStatus status, BlockRequest& request) {
        ended_.push_back({ticket, status, std::move(request)});
    });
}

std::vector<pollfd> BlockServer::sources() const
{
    std::vector<pollfd> sources{{socket_.descriptor(), POLLIN, 0}};
    for (const Peer& peer : peers_)
        sources.push_back({peer.connection.descriptor(), POLLIN, 0});
    return sources;
}

bool BlockServer::serve(const std::vector<pollfd>& ready, Time now)
{
    const std::size_t known = peers_.size();
    bool hadInput = false;
    for (std::size_t i = 0; i < known && i + 1 < ready.size(); ++i) {
        if (ready[i + 1].revents == 0)
            continue;
        hadInput = true;
        try {
            take(peers_[i], now);
        } catch (const guest::ProtocolError& error) {
            problem_(error.what());
            peers_[i].connection.close();
        }
    }
    peers_.erase(std::remove_if(peers_.begin(), peers_.end(), [](const Peer& p) { return !p.connection.isOpen(); }),
                 peers_.end());
    if (!ready.empty() && ready[0].revents != 0) {
        hadInput = true;
        peers_.push_back({socket_.accept("plugin"), std::nullopt});
    }
    return hadInput;
}

// --- requests --------------------------------------------------------------------------------------------------------

bool BlockServer::isInside(const strobe_nbd_request& message) const
{
    const std::uint64_t size = host_.capacitySectors() * sectorBytes;
    return message.bytes != 0 && message.offset % sectorBytes == 0 && message.bytes % sectorBytes == 0 &&
           message.offset <= size && message.bytes <= size - message.offset;
}

void BlockServer::take(Peer& peer, Time now)
{
    strobe_nbd_request message{};
    if (!peer.connection.read(&message, sizeof message)) {
        peer.connection.close();
        return;
    }
    if (peer.ticket)
        peer.connection.refuse("a request before the last one was answered");
    constexpr std::uint32_t flags = STROBE_NBD_FUA | STROBE_NBD_MAY_TRIM | STROBE_NBD_ONE;
    if ((message.flags & ~flags) != 0)
        peer.connection.refuse("unknown flags");
    if (message.operation == STROBE_NBD_OPEN) {
        counters_.clients += isClosing_ ? 0U : 1U;
        reply(peer, isClosing_ ? ESHUTDOWN : 0);
        return;
    }
    if (message.operation == STROBE_NBD_EXTENTS) {
        describe(peer, message);
        return;
    }
    const std::optional<BlockKind> kind = kindOf(message.operation);
    if (!kind)
        peer.connection.refuse("operation " + std::to_string(message.operation) + " is unknown");
    if (carriesData(*kind) && message.bytes > STROBE_NBD_MOST_BYTES)
        peer.connection.refuse("a request of " + std::to_string(message.bytes) + " bytes is too long");
    BlockRequest request;
    request.kind = *kind;
    request.fua = (message.flags & STROBE_NBD_FUA) != 0;
    request.mayTrim = trimsToZeros_ && (message.flags & STROBE_NBD_MAY_TRIM) != 0;
    if (*kind == BlockKind::Write) {
        request.data.resize(message.bytes);
        peer.connection.readRest(request.data.data(), request.data.size());
    }
    begin(peer, message, std::move(request), now);
}

void BlockServer::begin(Peer& peer, const strobe_nbd_request& message, BlockRequest request, Time now)
{
    BlockCounters::Kind& counter = counters_.of(request.kind);
    ++counter.requests;
    counter.forced += request.fua ? 1U : 0U;
    const bool isFlush = request.kind == BlockKind::Flush;
    if (isClosing_ || (!isFlush && !isInside(message))) {
        ++counter.failed;
        reply(peer, isClosing_ ? ESHUTDOWN : EINVAL);
        return;
    }
    if (!isFlush) {
        request.lba = message.offset / sectorBytes;
        request.sectors = message.bytes / sectorBytes;
    }
    counter.sectors += request.sectors;
    if (record_ != nullptr)
        record_->add(request, now);
    const bool allocates = request.kind == BlockKind::Write || request.kind == BlockKind::Zero;
    const bool changes = allocates || request.kind == BlockKind::Trim;
    if (allocates)
        map_.written(request.lba, request.sectors);
    const std::uint64_t from = request.lba;
    const std::uint64_t to = request.lba + request.sectors;
    peer.ticket = host_.submit(std::move(request), now);
    if (changes)
        beginChange(*peer.ticket, from, to);
}

void BlockServer::beginChange(std::uint64_t ticket, std::uint64_t from, std::uint64_t to)
{
    Change begun{ticket, from, to, false};
    for (Change& other : changes_) {
        if (other.from < to && from < other.to)
            begun.isMixed = other.isMixed = true;
    }
    changes_.push_back(begun);
}

bool BlockServer::endChange(std::uint64_t ticket)
{
    const auto change =
        std::find_if(changes_.begin(), changes_.end(), [ticket](const Change& c) { return c.ticket == ticket; });
    if (change == changes_.end())
        return false;
    const bool isAlone = !change->isMixed;
    changes_.erase(change);
    return isAlone;
}

void BlockServer::describe(Peer& peer, const strobe_nbd_request& message)
{
    ++counters_.extents;
    if (isClosing_ || !isInside(message)) {
        reply(peer, isClosing_ ? ESHUTDOWN : EINVAL);
        return;
    }
    const std::size_t most = (message.flags & STROBE_NBD_ONE) != 0 ? 1 : STROBE_NBD_MOST_EXTENTS;
    const auto found = map_.extents(message.offset / sectorBytes, message.bytes / sectorBytes, most);
    std::vector<strobe_nbd_extent> extents;
    extents.reserve(found.size());
    for (const AllocationMap::Extent& extent : found)
        extents.push_back({extent.sectors * sectorBytes, extent.isHole ? 1U : 0U, 0});
    const strobe_nbd_reply header{0, static_cast<std::uint32_t>(extents.size())};
    peer.connection.write(&header, sizeof header);
    peer.connection.write(extents.data(), extents.size() * sizeof extents.front());
}

// --- answers ---------------------------------------------------------------------------------------------------------

void BlockServer::answer()
{
    for (Ended& one : std::exchange(ended_, {})) {
        const BlockRequest& request = one.request;
        const bool isOk = one.status == host::CommandStatus::Ok;
        counters_.of(request.kind).failed += isOk ? 0U : 1U;
        const bool isAlone = endChange(one.ticket);
        const bool trims = request.kind == BlockKind::Trim || (request.kind == BlockKind::Zero && request.mayTrim);
        if (isOk && isAlone && trims && trimsToZeros_)
            map_.trimmed(request.lba, request.sectors);
        const auto peer =
            std::find_if(peers_.begin(), peers_.end(), [&one](const Peer& p) { return p.ticket == one.ticket; });
        if (peer == peers_.end()) // it has gone
            continue;
        peer->ticket.reset();
        const bool hasData = isOk && request.kind == BlockKind::Read;
        reply(*peer,
              isOk         ? 0
              : isClosing_ ? ESHUTDOWN
                           : errorOf(one.status),
              hasData ? request.data : std::vector<std::byte>{});
    }
}

void BlockServer::reply(Peer& peer, int error, const std::vector<std::byte>& data)
{
    const strobe_nbd_reply header{static_cast<std::uint32_t>(error), 0};
    peer.connection.write(&header, sizeof header);
    if (!data.empty())
        peer.connection.write(data.data(), data.size());
}

} // namespace strobe::platform::serve
