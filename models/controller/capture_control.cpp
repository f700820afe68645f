// SPDX-License-Identifier: Apache-2.0
#include "models/controller/capture_control.h"

#include "models/base/strobe_registers.h"

namespace strobe::controller {

namespace registers = regs::flash;

namespace {

constexpr UnitId patternReader{0xFFFF}; // not the number of a unit
constexpr std::int32_t stepsPerDegree = 16;

// DIE_CAPTURE and PATTERN_SETTING have these fields in common.
ReadCapture::Setting settingOf(std::uint32_t value)
{
    return {(value & registers::DIE_CAPTURE_divider_mask) >> registers::DIE_CAPTURE_divider_shift,
            (value & registers::DIE_CAPTURE_coarse_mask) >> registers::DIE_CAPTURE_coarse_shift,
            (value & registers::DIE_CAPTURE_fine_mask) >> registers::DIE_CAPTURE_fine_shift};
}
static_assert(registers::DIE_CAPTURE_divider_mask == registers::PATTERN_SETTING_divider_mask &&
              registers::DIE_CAPTURE_coarse_mask == registers::PATTERN_SETTING_coarse_mask &&
              registers::DIE_CAPTURE_fine_mask == registers::PATTERN_SETTING_fine_mask);

} // namespace

CaptureControl::CaptureControl(const ReadCaptureConfig& config, RegisterBank& registers)
    : registers_(registers), capture_(config)
{
    registers_.poke(registers::CAPTURE, registers::CAPTURE_present_mask |
                                            ReadCapture::fineSteps << registers::CAPTURE_fine_steps_shift |
                                            capture_.coarseOffsets() << registers::CAPTURE_coarse_shift |
                                            capture_.dividers() << registers::CAPTURE_dividers_shift);
}

void CaptureControl::setDie(DieId die, std::uint32_t value, Time at)
{
    capture_.set(die, settingOf(value),
                 (value & registers::DIE_CAPTURE_margin_mask) >> registers::DIE_CAPTURE_margin_shift, at);
}

bool CaptureControl::requestPattern(std::uint32_t value, Time at)
{
    const bool isKnown = (value & registers::PATTERN_READ_die_mask) < capture_.config().dies;
    if (!isKnown || (registers_.peek(registers::PATTERN_STATUS) & registers::PATTERN_STATUS_busy_mask) != 0)
        return false;
    registers_.poke(registers::PATTERN_STATUS, registers::PATTERN_STATUS_busy_mask);
    updateLine(at);
    return true;
}

std::uint32_t CaptureControl::status(Time now) const
{
    return registers_.peek(registers::PATTERN_STATUS) |
           (isTooHotOrCold(now) ? registers::PATTERN_STATUS_temperature_mask : 0);
}

std::uint32_t CaptureControl::temperature(Time now) const
{
    return static_cast<std::uint32_t>(capture_.celsius(now) * stepsPerDegree);
}

CaptureControl::Pattern CaptureControl::start(std::uint32_t request, Time now)
{
    nand::Operation op;
    op.opcode = nand::Opcode::ReadId;
    op.priority = nand::Priority::Foreground;
    op.purpose = nand::Purpose::Metadata;
    op.die = DieId{static_cast<std::uint16_t>(request & registers::PATTERN_READ_die_mask)};
    capture_.assign(op, settingOf(registers_.peek(registers::PATTERN_SETTING)));
    const bool learn = (request & registers::PATTERN_READ_learn_mask) != 0;
    capture_.patternSent(op.die, learn, now);
    return {{patternReader, static_cast<std::uint16_t>(learn ? 1 : 0)}, op};
}

bool CaptureControl::isPattern(Ticket ticket)
{
    return ticket.unit == patternReader;
}

void CaptureControl::patternArrived(Ticket ticket, const nand::Operation& op, Time now)
{
    capture_.patternArrived(op, ticket.lane != 0);
    const std::uint32_t bits = capture_.patternBits();
    registers_.poke(registers::PATTERN_STATUS, registers::PATTERN_STATUS_done_mask |
                                                   bits << registers::PATTERN_STATUS_bits_shift |
                                                   capture_.mismatches() << registers::PATTERN_STATUS_mismatches_shift);
    updateLine(now);
}

bool CaptureControl::isTooHotOrCold(Time now) const
{
    const std::int32_t temperature = capture_.celsius(now) * stepsPerDegree;
    return temperature < static_cast<std::int32_t>(registers_.peek(registers::TEMPERATURE_LOW)) ||
           temperature > static_cast<std::int32_t>(registers_.peek(registers::TEMPERATURE_HIGH));
}

void CaptureControl::updateLine(Time at)
{
    const bool isDone = (registers_.peek(registers::PATTERN_STATUS) & registers::PATTERN_STATUS_done_mask) != 0;
    line_.set(isDone || isTooHotOrCold(at), at);
}

std::optional<Time> CaptureControl::watchTemperature(Time at)
{
    updateLine(at);
    const Time next = capture_.nextChange(at);
    if (next == never || next == temperatureChange_)
        return std::nullopt;
    temperatureChange_ = next;
    return next;
}

} // namespace strobe::controller
