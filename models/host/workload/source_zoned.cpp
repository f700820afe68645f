// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_zoned.h"

#include "models/base/check.h"

#include <fmt/format.h>

#include <utility>

namespace strobe::host {

namespace {

RequestKind kindOf(ZoneCommand command)
{
    switch (command) {
    case ZoneCommand::Open: return RequestKind::OpenZone;
    case ZoneCommand::Close: return RequestKind::CloseZone;
    case ZoneCommand::Finish: return RequestKind::FinishZone;
    default: return RequestKind::ResetZone;
    }
}

} // namespace

ZonedSource::ZonedSource(std::unique_ptr<RequestSource> source, const ZonesConfig& config)
    : source_(std::move(source)), config_(config)
{
    check(config.space.sectors >= config.space.capacity && config.space.capacity != 0, "zones have a capacity");
}

std::optional<Request> ZonedSource::next()
{
    std::optional<Request> request = rest_ ? std::exchange(rest_, std::nullopt) : source_->next();
    if (!request)
        return std::nullopt;
    ++counts_.requests;
    return request->kind == RequestKind::Flush ? *request : placed(*request);
}

Request ZonedSource::placed(Request request)
{
    const ZoneSpace& space = config_.space;
    const std::uint64_t start = request.lba / space.capacity * space.sectors;
    const std::uint64_t offset = request.lba % space.capacity;
    if (config_.command != ZoneCommand::None) {
        request.kind = kindOf(config_.command);
        request.lba = start;
        request.sectors = static_cast<std::uint32_t>(space.sectors);
        return request;
    }
    const std::uint64_t room = space.capacity - offset;
    if (request.sectors > room) {
        rest_ = request;
        rest_->lba += room;
        rest_->sectors -= static_cast<std::uint32_t>(room);
        request.sectors = static_cast<std::uint32_t>(room);
        ++counts_.split;
    }
    request.lba = start + offset;
    if (request.kind == RequestKind::Write && config_.writes == ZoneWrites::Append) {
        request.kind = RequestKind::Append;
        request.lba = start;
    }
    return request;
}

std::string ZonedSource::describe() const
{
    if (config_.command != ZoneCommand::None)
        return fmt::format("{} for zones: {}", enumName(kindOf(config_.command)), source_->describe());
    return source_->describe() + (config_.writes == ZoneWrites::Append ? ", by append, in zones" : ", in zones");
}

} // namespace strobe::host
