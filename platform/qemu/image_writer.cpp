// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/image_writer.h"

#include "models/base/config_error.h"
#include "models/base/enum_table.h"
#include "models/tlm/time_bridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace strobe::platform::qemu {

ImageWriter::ImageWriter(const std::string& path, host::HostPort& drive)
    : path_(path), file_(path, std::ios::binary), drive_(drive), staging_(std::size_t{mostSectors} * sectorBytes)
{
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (!file_ || error)
        throw ConfigError(fmt::format("--image: {}: cannot be read", path));
    sectors_ = (bytes + sectorBytes - 1) / sectorBytes;
}

void ImageWriter::begin()
{
    const std::uint32_t slots = std::min(mostSlots, drive_.slots());
    commands_.resize(slots);
    issued_.resize(slots);
    lastEnd_ = now();
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        commands_[slot].slot = static_cast<std::uint16_t>(slot);
        free_.push_back(commands_[slot].slot);
    }
    wake_.at(now());
}

void ImageWriter::step()
{
    while (!transfers_.empty() && transfers_.begin()->first <= now()) {
        const std::uint64_t handle = transfers_.begin()->second;
        transfers_.erase(transfers_.begin());
        drive_.transferDone(handle, now());
    }
    while (!free_.empty() && !isFlushing_ && problem_.empty()) {
        if (next_ == sectors_ && outstanding_ != 0)
            break; // the flush is last
        const std::uint16_t slot = free_.back();
        free_.pop_back();
        issue(slot);
    }
    if (!transfers_.empty())
        wake_.at(transfers_.begin()->first);
}

void ImageWriter::issue(std::uint16_t slot)
{
    host::Command& command = commands_.at(slot);
    command = {};
    command.slot = slot;
    command.kind = host::RequestKind::Flush;
    if (next_ < sectors_) {
        command.kind = host::RequestKind::Write;
        command.lba = next_;
        command.sectors = static_cast<std::uint32_t>(std::min<std::uint64_t>(mostSectors, sectors_ - next_));
        next_ += command.sectors;
    } else {
        isFlushing_ = true;
    }
    ++outstanding_;
    issued_.at(slot) = now();
    drive_.submit(command, now());
}

void ImageWriter::fill(std::uint64_t lba, std::uint32_t sectors)
{
    const std::size_t bytes = std::size_t{sectors} * sectorBytes;
    std::fill_n(staging_.begin(), bytes, std::byte{0});
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(lba * sectorBytes));
    file_.read(reinterpret_cast<char*>(staging_.data()), static_cast<std::streamsize>(bytes));
    const bool isLast = lba + sectors == sectors_;
    if (file_.bad() || (!isLast && static_cast<std::size_t>(file_.gcount()) != bytes))
        problem_ = fmt::format("{}: cannot be read to its end", path_);
}

void ImageWriter::transfer(const host::TransferOrder& order, Time at)
{
    fill(commands_.at(order.slot).lba + order.first, order.sectors);
    const Content content{staging_.data(), DataMode::Bytes};
    const Time end = drive_.accessBuffer(order.handle, 0, order.sectors, content, at);
    transfers_.emplace(end, order.handle);
    wake_.at(end);
}

void ImageWriter::complete(std::uint16_t slot, host::CommandStatus status, Time at)
{
    const host::Command& command = commands_.at(slot);
    if (status != host::CommandStatus::Ok)
        problem_ = fmt::format("the drive answers \"{}\" to a {} of the image", enumName(status),
                               command.kind == host::RequestKind::Flush ? "flush" : "write");
    isFlushed_ = isFlushed_ || command.kind == host::RequestKind::Flush;
    --outstanding_;
    lastEnd_ = at;
    free_.push_back(slot);
    wake_.at(at);
}

host::OutstandingCommands ImageWriter::commands() const
{
    host::OutstandingCommands all;
    all.resize(std::max<std::uint32_t>(1, outstanding_));
    for (const host::Command& command : commands_) {
        if (std::find(free_.begin(), free_.end(), command.slot) != free_.end())
            continue;
        host::OutstandingCommand one;
        one.request.kind = command.kind;
        one.request.lba = command.lba;
        one.request.sectors = command.sectors;
        one.arrived = one.issued = issued_.at(command.slot);
        all.add(one);
    }
    return all;
}

} // namespace strobe::platform::qemu
