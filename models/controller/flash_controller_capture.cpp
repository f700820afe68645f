// SPDX-License-Identifier: Apache-2.0
//
// The registers of read capture, its pattern reads, and its line.
#include "models/base/strobe_registers.h"
#include "models/controller/flash_controller.h"

#include <algorithm>

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

void FlashController::attachCapture()
{
    ReadCaptureConfig config = *config_.capture;
    config.dies = config_.array.dies();
    capture_ = std::make_unique<ReadCapture>(config);
    registers_.poke(registers::CAPTURE, registers::CAPTURE_present_mask |
                                            ReadCapture::fineSteps << registers::CAPTURE_fine_steps_shift |
                                            capture_->coarseOffsets() << registers::CAPTURE_coarse_shift |
                                            capture_->dividers() << registers::CAPTURE_dividers_shift);
    registers_.onWrite(registers::DIE_CAPTURE, [this](std::uint32_t die, std::uint32_t value) {
        setCapture(DieId{static_cast<std::uint16_t>(die)}, value);
    });
    registers_.onWrite(registers::PATTERN_READ, [this](std::uint32_t, std::uint32_t value) {
        const bool isKnown = (value & registers::PATTERN_READ_die_mask) < config_.array.dies();
        if (!isKnown || (registers_.peek(registers::PATTERN_STATUS) & registers::PATTERN_STATUS_busy_mask) != 0)
            return;
        registers_.poke(registers::PATTERN_STATUS, registers::PATTERN_STATUS_busy_mask);
        pending_.push(writeAt_, {Due::Pattern, {}, value});
        updateCaptureLine(writeAt_);
    });
    registers_.onWrite(registers::PATTERN_STATUS,
                       [this](std::uint32_t, std::uint32_t) { updateCaptureLine(writeAt_); });
    registers_.onRead(registers::PATTERN_STATUS, [this](std::uint32_t) {
        return registers_.peek(registers::PATTERN_STATUS) |
               (isTooHotOrCold(now_) ? registers::PATTERN_STATUS_temperature_mask : 0);
    });
    registers_.onRead(registers::TEMPERATURE, [this](std::uint32_t) {
        return static_cast<std::uint32_t>(capture_->celsius(now_) * stepsPerDegree);
    });
    const auto limit = [this](std::uint32_t, std::uint32_t) { watchTemperature(writeAt_); };
    registers_.onWrite(registers::TEMPERATURE_LOW, limit);
    registers_.onWrite(registers::TEMPERATURE_HIGH, limit);
}

void FlashController::setCapture(DieId die, std::uint32_t value)
{
    capture_->set(die, settingOf(value),
                  (value & registers::DIE_CAPTURE_margin_mask) >> registers::DIE_CAPTURE_margin_shift, writeAt_);
}

// One READ ID, not sent by a unit: the dispatcher does not count it.
void FlashController::startPattern(std::uint32_t request, Time now)
{
    nand::Operation op;
    op.opcode = nand::Opcode::ReadId;
    op.priority = nand::Priority::Foreground;
    op.purpose = nand::Purpose::Metadata;
    op.die = DieId{static_cast<std::uint16_t>(request & registers::PATTERN_READ_die_mask)};
    capture_->assign(op, settingOf(registers_.peek(registers::PATTERN_SETTING)));
    const bool learn = (request & registers::PATTERN_READ_learn_mask) != 0;
    capture_->patternSent(op.die, learn, now);
    sendToChannel(config_.array.channelOf(op.die), {patternReader, static_cast<std::uint16_t>(learn ? 1 : 0)}, op, now);
}

void FlashController::captured(Ticket ticket, const nand::Operation& op, Time now)
{
    nand::Operation sampled = op;
    capture_->arrive(sampled, now);
    if (ticket.unit != patternReader) {
        endOperation(ticket, sampled, now);
        return;
    }
    if (config_.interleaving == Interleaving::Coarse)
        passBusOn(config_.array.channelOf(op.die), now);
    capture_->patternArrived(sampled, ticket.lane != 0);
    const std::uint32_t bits = capture_->patternBits();
    registers_.poke(registers::PATTERN_STATUS,
                    registers::PATTERN_STATUS_done_mask | bits << registers::PATTERN_STATUS_bits_shift |
                        capture_->mismatches() << registers::PATTERN_STATUS_mismatches_shift);
    updateCaptureLine(now);
}

bool FlashController::isTooHotOrCold(Time now) const
{
    const std::int32_t temperature = capture_->celsius(now) * stepsPerDegree;
    return temperature < static_cast<std::int32_t>(registers_.peek(registers::TEMPERATURE_LOW)) ||
           temperature > static_cast<std::int32_t>(registers_.peek(registers::TEMPERATURE_HIGH));
}

// Once a limit has been set, the line follows the temperature.
void FlashController::watchTemperature(Time now)
{
    updateCaptureLine(now);
    const Time next = capture_->nextChange(now);
    if (next == never || next == temperatureChange_)
        return;
    temperatureChange_ = next;
    pending_.push(next, {Due::Temperature, {}, 0});
}

void FlashController::updateCaptureLine(Time at)
{
    const bool isDone = (registers_.peek(registers::PATTERN_STATUS) & registers::PATTERN_STATUS_done_mask) != 0;
    const bool isHigh = isDone || isTooHotOrCold(at);
    if (isHigh == isCaptureLineHigh_)
        return;
    isCaptureLineHigh_ = isHigh;
    captureLineChanged_ = std::max(at, captureLineChanged_);
    if (captureLine_)
        captureLine_(isHigh, captureLineChanged_);
}

} // namespace strobe::controller
