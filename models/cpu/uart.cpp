// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/uart.h"

#include "models/base/strobe_registers.h"

#include <iterator>
#include <utility>

namespace strobe::cpu {

Uart::Uart(const UartConfig& config, Line line)
    : config_(config),
      byteTime_(
          picoseconds(static_cast<std::int64_t>(picosecondsPerSecond * config.bitsPerByte / config.bitsPerSecond))),
      line_(std::move(line)), registers_(regs::uart::table, std::size(regs::uart::table), regs::uart::size)
{
    registers_.onWrite(regs::uart::DATA, [this](std::uint32_t, std::uint32_t value) {
        put(static_cast<char>(static_cast<unsigned char>(value)), now_);
    });
    registers_.onRead(regs::uart::STATUS, [this](std::uint32_t) { return config_.depth - queued(now_); });
}

Access Uart::read(std::uint32_t offset, std::uint32_t& value, Time now)
{
    now_ = now;
    return registers_.read(offset, value);
}

Access Uart::view(std::uint32_t offset, std::uint32_t& value, Time now) const
{
    if (offset != regs::uart::STATUS)
        return registers_.view(offset, value);
    value = config_.depth - queued(now);
    return Access::Ok;
}

Access Uart::write(std::uint32_t offset, std::uint32_t value, Time now)
{
    now_ = now;
    return registers_.write(offset, value);
}

// Bytes that have not left the line yet, the one that is leaving included.
std::uint32_t Uart::queued(Time now) const
{
    if (lineFree_ <= now)
        return 0;
    return static_cast<std::uint32_t>((lineFree_ - now + byteTime_ - picoseconds(1)) / byteTime_);
}

void Uart::put(char character, Time now)
{
    if (queued(now) >= config_.depth) {
        registers_.poke(regs::uart::LOST, registers_.peek(regs::uart::LOST) + 1);
        if (lost_)
            lost_();
        return;
    }
    lineFree_ = (lineFree_ > now ? lineFree_ : now) + byteTime_;
    if (character == '\n')
        lineEnds();
    else
        text_ += character;
}

void Uart::lineEnds()
{
    if (line_)
        line_(lineFree_, text_);
    text_.clear();
}

void Uart::flush()
{
    if (!text_.empty())
        lineEnds();
}

} // namespace strobe::cpu
