// SPDX-License-Identifier: Apache-2.0
#include "models/controller/flash_controller.h"

#include "models/base/config_error.h"
#include "models/base/strobe_registers.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace strobe::controller {

namespace registers = regs::flash;

namespace {

const FlashControllerConfig& validated(const FlashControllerConfig& config)
{
    const auto require = [](bool holds, const char* name, std::uint32_t value, std::uint32_t low, std::uint32_t high) {
        if (!holds)
            throw ConfigError("flash controller: " + std::string(name) + " is " + std::to_string(value) +
                              ", allowed are " + std::to_string(low) + " to " + std::to_string(high));
    };
    constexpr std::uint32_t maxUnits = FlashController::maxUnits;
    constexpr std::uint32_t maxDepth = FlashController::maxUnitDepth;
    constexpr std::uint32_t maxOperations = FlashController::maxUnitOperations;
    const std::uint32_t mostUnits = config.hasForeground ? maxUnits - 1 : maxUnits;
    require(config.units >= 1 && config.units <= mostUnits, "the number of units", config.units, 1, mostUnits);
    require(config.unitDepth <= maxDepth, "the depth of a unit", config.unitDepth, 0, maxDepth);
    require(config.unitOperations >= 1 && config.unitOperations <= maxOperations,
            "the number of operations that a unit works on", config.unitOperations, 1, maxOperations);
    if (config.unitOperations < config.die.pagesPerProgram)
        throw ConfigError("flash controller: a unit that works on " + std::to_string(config.unitOperations) +
                          " operations at a time cannot program a word line of " +
                          std::to_string(config.die.pagesPerProgram) + " pages");
    if (config.hasSynthesizer && !(config.hasForeground && config.hasHost))
        throw ConfigError("flash controller: a request synthesizer needs a foreground unit and a host interface");
    return config;
}

FlashUnitConfig unitConfig(const FlashControllerConfig& config, nand::Priority priority, XorEngine& xorEngine)
{
    return {config.unitDepth, config.unitOperations, priority, config.dataMode, config.dataBuffer,
            config.hasHost,   config.hasPlaneReads,  false,    &xorEngine};
}

} // namespace

FlashController::FlashController(const FlashControllerConfig& config, FlashDmaPort& memory, ChannelPort& channels)
    : config_(validated(config)), memory_(memory), channels_(channels),
      map_(config.array, config.die, config.superchip), oneChip_(config.array, config.die, {}),
      dispatcher_(config.array, config.allUnits(), config.unitOperations * config.superchip.bus),
      forwarder_(config.units, config.hasPriority), synthesizer_(map_, memory, config.dataBuffer),
      reservations_(config.array.channels), registers_(registers::table, std::size(registers::table), registers::size),
      ring_([this](BusAddress address, const memory::EventRing::Entry& entry) { writeRingEntry(address, entry); })
{
    ecc_.reserve(config.array.channels);
    for (std::uint32_t i = 0; i < config.array.channels; ++i)
        ecc_.emplace_back(config.eccOfChannels.empty() ? config.ecc : config.eccOfChannels[i], config.die.pageBytes,
                          Rng(config.seed, "ecc of channel " + std::to_string(i)));
    units_.reserve(config.allUnits());
    for (std::uint32_t i = 0; i < config.allUnits(); ++i) {
        const UnitId id{static_cast<std::uint16_t>(i)};
        units_.emplace_back(id, unitConfig(config_, forwarder_.priorityOf(id), *xorEngine_), map_, oneChip_, ecc_,
                            memory_, static_cast<UnitPort&>(*this));
    }
    attachRegisters();
    if (config.capture)
        attachCapture();
}

void FlashController::attachRegisters()
{
    registers_.poke(registers::UNITS, config_.units);
    registers_.poke(registers::UNIT_DEPTH, config_.unitDepth);
    registers_.poke(registers::SUPERCHIP,
                    (std::uint32_t{config_.superchip.bus} << registers::SUPERCHIP_bus_shift) |
                        (std::uint32_t{config_.superchip.chip} << registers::SUPERCHIP_chip_shift));
    registers_.poke(registers::FOREGROUND, config_.hasForeground ? config_.units : 0);
    registers_.poke(registers::SYNTHESIZER, config_.hasSynthesizer ? registers::SYNTHESIZER_present_mask : 0);
    registers_.onRead(registers::SYNTH_STARTED, [this](std::uint32_t) { return synthesizer_.started(); });
    registers_.onRead(registers::SYNTH_ENDED, [this](std::uint32_t) { return synthesizer_.ended(); });
    registers_.onWrite(registers::RING_ENTRIES, [this](std::uint32_t, std::uint32_t value) { configureRing(value); });
    registers_.onWrite(registers::RING_CONSUMER, [this](std::uint32_t, std::uint32_t value) { consume(value); });
    registers_.onRead(registers::RING_CONSUMER, [this](std::uint32_t) { return ring_.consumer(); });
    registers_.onRead(registers::RING_PRODUCER, [this](std::uint32_t) { return ring_.producer(); });
    registers_.onWrite(registers::UNIT_HEAD, [this](std::uint32_t element, std::uint32_t value) {
        pending_.push(writeAt_, {Due::Doorbell, UnitId{static_cast<std::uint16_t>(element)}, value});
    });
    registers_.onWrite(registers::PRIMITIVE, [this](std::uint32_t element, std::uint32_t value) {
        pending_.push(writeAt_, {Due::Primitive, UnitId{static_cast<std::uint16_t>(element)}, value});
    });
    registers_.onRead(registers::UNIT_STATUS, [this](std::uint32_t element) {
        const FlashUnit& unit = units_[UnitId{static_cast<std::uint16_t>(element)}];
        return (std::uint32_t{unit.isBusy()} << registers::UNIT_STATUS_busy_shift) |
               (std::min(unit.waitingLists(), maxUnitDepth) << registers::UNIT_STATUS_waiting_shift);
    });
}

void FlashController::attachCapture()
{
    ReadCaptureConfig config = *config_.capture;
    config.dies = config_.array.dies();
    capture_ = std::make_unique<CaptureControl>(config, registers_);
    registers_.onWrite(registers::DIE_CAPTURE, [this](std::uint32_t die, std::uint32_t value) {
        capture_->setDie(DieId{static_cast<std::uint16_t>(die)}, value, writeAt_);
    });
    registers_.onWrite(registers::PATTERN_READ, [this](std::uint32_t, std::uint32_t value) {
        if (capture_->requestPattern(value, writeAt_))
            pending_.push(writeAt_, {Due::Pattern, {}, value});
    });
    registers_.onWrite(registers::PATTERN_STATUS,
                       [this](std::uint32_t, std::uint32_t) { capture_->updateLine(writeAt_); });
    registers_.onRead(registers::PATTERN_STATUS, [this](std::uint32_t) { return capture_->status(now_); });
    registers_.onRead(registers::TEMPERATURE, [this](std::uint32_t) { return capture_->temperature(now_); });
    const auto limit = [this](std::uint32_t, std::uint32_t) { watchTemperature(writeAt_); };
    registers_.onWrite(registers::TEMPERATURE_LOW, limit);
    registers_.onWrite(registers::TEMPERATURE_HIGH, limit);
}

// Once a limit has been set, the line follows the temperature.
void FlashController::watchTemperature(Time now)
{
    if (const auto next = capture_->watchTemperature(now))
        pending_.push(*next, {Due::Temperature, {}, 0});
}

// The register map has space for maxUnits, and for as many dies; registers after the last one do not exist.
static bool isMissing(std::uint32_t offset, std::uint32_t units, std::uint32_t capturedDies)
{
    if (offset >= registers::PRIMITIVE)
        return offset >= registers::PRIMITIVE + units * registers::PRIMITIVE_step;
    if (offset >= registers::DIE_CAPTURE)
        return offset >= registers::DIE_CAPTURE + capturedDies * registers::DIE_CAPTURE_step;
    return offset >= registers::UNIT_HEAD + units * registers::UNIT_HEAD_step;
}

bool FlashController::isMapped(std::uint32_t offset) const
{
    return !isMissing(offset, config_.allUnits(), capture_ ? config_.array.dies() : 0);
}

Access FlashController::readRegister(std::uint32_t offset, std::uint32_t& value, Time now)
{
    advance(now);
    now_ = now;
    return isMapped(offset) ? registers_.read(offset, value) : Access::Unmapped;
}

Access FlashController::viewRegister(std::uint32_t offset, std::uint32_t& value) const
{
    return isMapped(offset) ? registers_.view(offset, value) : Access::Unmapped;
}

Access FlashController::writeRegister(std::uint32_t offset, std::uint32_t value, Time now, Time at)
{
    check(at >= now, "a register write in the past");
    now_ = now;
    writeAt_ = at;
    return isMapped(offset) ? registers_.write(offset, value) : Access::Unmapped;
}

void FlashController::operationDone(Ticket ticket, const nand::Operation& op, Time now)
{
    if (!capture_) {
        endOperation(ticket, op, now);
        return;
    }
    nand::Operation sampled = op;
    capture_->capture().arrive(sampled, now);
    if (!CaptureControl::isPattern(ticket)) {
        endOperation(ticket, sampled, now);
        return;
    }
    if (config_.interleaving == Interleaving::Coarse)
        passBusOn(config_.array.channelOf(op.die), now);
    capture_->patternArrived(ticket, sampled, now);
}

void FlashController::endOperation(Ticket ticket, const nand::Operation& op, Time now)
{
    dispatcher_.finished(ticket.unit, op);
    if (config_.interleaving == Interleaving::Coarse)
        passBusOn(config_.array.channelOf(op.die), now);
    units_[ticket.unit].operationDone(ticket.lane, op, now);
}

void FlashController::advance(Time now)
{
    while (pending_.isDue(now)) {
        const Pending due = pending_.pop();
        switch (due.kind) {
        case Due::Doorbell: units_[due.unit].submit(BusAddress{due.value}, now); break;
        case Due::Wake: units_[due.unit].wake(due.value, now); break;
        case Due::PrimitiveEnded: units_[due.unit].primitiveEnded(static_cast<std::uint16_t>(due.value), now); break;
        case Due::Primitive: units_[due.unit].issuePrimitive(due.value, now); break;
        case Due::Synthesized: startSynthesized(due.value, now); break;
        case Due::Pattern: {
            const auto [ticket, op] = capture_->start(due.value, now); // the dispatcher does not count it
            sendToChannel(config_.array.channelOf(op.die), ticket, op, now);
            break;
        }
        case Due::Temperature: watchTemperature(now); break;
        }
    }
}

void FlashController::observe(FlashObserver& observer)
{
    for (FlashUnit& unit : units_)
        unit.observe(observer);
}

bool FlashController::isIdle() const
{
    return pending_.empty() &&
           std::none_of(units_.begin(), units_.end(), [](const FlashUnit& unit) { return unit.isBusy(); });
}

void FlashController::continueAfter(std::uint32_t events, const FailureLog& failures)
{
    check(isIdle(), "a flash controller with work has no substitute");
    ring_.moveTo(events);
    failures_.add(failures);
}

void FlashController::resetCounters(Time now)
{
    for (EccEngines& engines : ecc_)
        engines.resetUsage();
    for (FlashUnit& unit : units_)
        unit.resetCounters(now);
    dispatcher_.resetCounters();
    forwarder_.resetCounters();
    synthesizer_.resetCounters();
    ring_.resetCounters(now);
}

// --- requests of units -----------------------------------------------------------------------------------------------

void FlashController::wakeUnit(UnitId unit, std::uint32_t token, Time at)
{
    pending_.push(at, {Due::Wake, unit, token});
}

void FlashController::sendOperation(Ticket ticket, const nand::Operation& op, Time at)
{
    if (op.priority == nand::Priority::Foreground)
        forwarder_.note(dispatcher_, config_.array, op);
    const ChannelId channel = dispatcher_.issue(ticket.unit, op);
    if (capture_ && op.opcode == nand::Opcode::Read) {
        nand::Operation clocked = op;
        capture_->capture().assign(clocked);
        sendToChannel(channel, ticket, clocked, at);
    } else {
        sendToChannel(channel, ticket, op, at);
    }
}

void FlashController::sendToChannel(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at)
{
    if (config_.interleaving == Interleaving::Fine || reservations_.reserve(channel, {ticket, op, at}))
        channels_.send(channel, ticket, op, at);
}

void FlashController::passBusOn(ChannelId channel, Time now)
{
    if (const auto next = reservations_.release(channel))
        channels_.send(channel, next->ticket, next->op, std::max(next->at, now));
}

void FlashController::continueOperation(UnitId unit, DieId die)
{
    channels_.proceed(config_.array.channelOf(die), unit);
}

bool FlashController::sendToHost(const HostRun& run, Time now)
{
    check(host_ != nullptr, "a read goes to the host interface, but none is connected");
    return host_->deliver(run, now);
}

Time FlashController::reportEvent(const FlashEvent& event, Time at)
{
    now_ = ringTime_ = at;
    ring_.push({statusWord(event.outcome), raw(event.descriptor), event.cookie, std::uint32_t{raw(event.unit)}}, at);
    updateLine(ringTime_);
    return ringTime_;
}

void FlashController::noteFailure(const Failure& failure)
{
    failures_.note(failure);
}

// --- synthesizer ---------------------------------------------------------------------------------------------------

bool FlashController::takeRead(std::uint16_t slot, std::uint64_t lba, std::uint32_t sectors, Time now)
{
    const RequestSynthesizer::Tables tables{registers_.peek(registers::SYNTH_SUPERBLOCKS),
                                            BusAddress{registers_.peek(registers::SYNTH_MAP)},
                                            BusAddress{registers_.peek(registers::SYNTH_BUFFERED)}};
    const bool isOn =
        config_.hasSynthesizer && (registers_.peek(registers::SYNTHESIZER) & registers::SYNTHESIZER_enable_mask) != 0;
    if (!isOn || !synthesizer_.covers(tables, lba, sectors))
        return false;
    const std::uint32_t number = synthesizer_.started();
    pending_.push(synthesizer_.lookUp(tables, slot, lba, sectors, now), {Due::Synthesized, {}, number});
    return true;
}

void FlashController::startSynthesized(std::uint32_t number, Time now)
{
    const RequestSynthesizer::Read read = synthesizer_.read(number); // a copy: it may end during the call
    FlashUnit& foreground = units_[UnitId{static_cast<std::uint16_t>(config_.units)}];
    for (const FlashDescriptor& descriptor : read.descriptors)
        foreground.submitSynthesized(descriptor, now);
    if (read.descriptors.empty()) {
        synthesizer_.retire(number, true);
        host_->handBack(read.slot, now);
    }
}

void FlashController::synthesizedDone(std::uint32_t number, bool isOk, Time now)
{
    const auto ended = synthesizer_.retire(number, isOk);
    if (ended && ended->hasFailed)
        host_->fail(ended->slot, now);
}

// --- event ring and line ---------------------------------------------------------------------------------------------

void FlashController::writeRingEntry(BusAddress address, const memory::EventRing::Entry& entry)
{
    memory::EventRing::Entry words = entry;
    const Moved moved =
        memory_.move(address, memory::EventRing::entryBytes,
                     {reinterpret_cast<std::byte*>(words.data()), DataMode::Bytes}, Direction::ToMemory, ringTime_);
    if (moved.ok)
        ringTime_ = moved.end;
    else
        noteRingFailure(FailureKind::RingUnusable, registers_.peek(registers::RING_ENTRIES));
}

void FlashController::configureRing(std::uint32_t entries)
{
    ringTime_ = now_;
    if (!ring_.configure(BusAddress{registers_.peek(registers::RING_BASE)}, entries))
        noteRingFailure(FailureKind::RingUnusable, entries);
    updateLine(std::max(writeAt_, ringTime_));
}

// Only the acknowledging firmware could observe that this happens ahead of its time; the line gets the exact time, so
// that a CPU that reads it then finds it low in any order of processes at that instant.
void FlashController::consume(std::uint32_t count)
{
    ringTime_ = now_;
    if (!ring_.consumed(count, std::max(writeAt_, now_)))
        noteRingFailure(FailureKind::RingConsumerRefused, count);
    updateLine(std::max(writeAt_, ringTime_));
}

void FlashController::noteRingFailure(FailureKind kind, std::uint32_t value)
{
    Failure failure;
    failure.kind = kind;
    failure.at = now_;
    failure.value = value;
    failures_.note(failure);
}

void FlashController::updateLine(Time at)
{
    line_.set(ring_.lineAsserted(), at);
}

} // namespace strobe::controller
