// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_controller.h"

#include "models/base/check.h"

namespace strobe::host::nvme {

Controller::Controller(const ControllerOptions& config, DataMode dataMode, PcieLink& link, HostMemory& memory)
    : config_(config), memory_(memory), registers_(config.entries, config.doorbellStride),
      queues_({config.queues, config.entries, config.queues + 1, config.doorbellStride}),
      interrupts_(config.queues + 1), port_(link, memory, config.bar), completions_(queues_, interrupts_, port_),
      io_(dataMode, port_, memory, completions_, config.writeCommands.value_or(Admission::noLimit)),
      power_(config.powerStates),
      admin_({queues_, interrupts_, port_, memory, completions_, io_, power_},
             {config.hasVolatileCache, config.powerLosses, config.health, !config.powerStates.empty()})
{
    check((config.queues + 1) * 2 * (4U << config.doorbellStride) <= reg::msixTable - reg::doorbells,
          "the doorbells of an NVMe controller overlap its MSI-X table");
}

void Controller::connect(HostPort& drive)
{
    check(drive.slots() <= maxSlots, "an NVMe port has at most 4096 command slots in the drive");
    io_.connect(drive);
    admin_.driveConnected();
}

ControllerCounters Controller::counters() const
{
    const QueueManager::Counters& q = queues_.counters();
    const CompletionPath::Counters& c = completions_.counters();
    return {q.commands, q.fetches, c.messages, c.heldBack, c.errors, q.byPriority};
}

std::vector<QueueUse> Controller::queueUse() const
{
    std::vector<QueueUse> all = queues_.use();
    for (QueueUse& use : all)
        use.messages = use.vector ? interrupts_.messages(*use.vector) : 0;
    return all;
}

void Controller::resetCounters()
{
    queues_.resetCounters();
    completions_.resetCounters();
}

// --- registers -------------------------------------------------------------------------------------------------------

void Controller::writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now)
{
    if ((bytes != 4 && bytes != 8) || offset % bytes != 0)
        return;
    port_.writeRegister(offset, bytes, value, now);
}

std::uint64_t Controller::readRegister(std::uint32_t offset, std::uint32_t bytes) const
{
    if ((bytes != 4 && bytes != 8) || offset % bytes != 0)
        return 0;
    return bytes == 4 ? readDword(offset) : std::uint64_t{readDword(offset + 4)} << 32 | readDword(offset);
}

std::uint32_t Controller::readDword(std::uint32_t offset) const
{
    if (offset >= reg::msixPending)
        return interrupts_.readPending(offset - reg::msixPending);
    if (offset >= reg::msixTable)
        return interrupts_.readTable(offset - reg::msixTable);
    if (offset == reg::INTMS || offset == reg::INTMC)
        return interrupts_.pinMask;
    return registers_.read(offset);
}

void Controller::written(std::uint32_t offset, std::uint32_t value, Time now)
{
    if (offset >= reg::msixPending)
        return; // read-only
    if (offset >= reg::msixTable) {
        interrupts_.writeTable(offset - reg::msixTable, value);
    } else if (offset >= reg::doorbells) {
        ringDoorbell(offset - reg::doorbells, value, now);
    } else if (offset == reg::INTMS) {
        interrupts_.pinMask |= value;
    } else if (offset == reg::INTMC) {
        interrupts_.pinMask &= ~value;
    } else {
        const ControllerRegisters::Written result = registers_.write(offset, value);
        if (!result.isControl)
            return;
        perform(result.request, now);
        registers_.updateReady(io_.isDriveIdle());
        pump(now);
    }
}

void Controller::perform(ControllerRegisters::Request request, Time now)
{
    switch (request) {
    case ControllerRegisters::Request::None: break;
    case ControllerRegisters::Request::Enable:
        if (const auto admin = registers_.enable()) {
            queues_.setArbitration(admin->arbitration);
            queues_.openAdmin(admin->sqBase, admin->sqEntries, admin->cqBase, admin->cqEntries);
        } else {
            registers_.fail();
        }
        break;
    case ControllerRegisters::Request::Reset: reset(now); break;
    case ControllerRegisters::Request::ShutDown: registers_.shutDown(); break;
    }
}

// The drive finishes the commands that it has; their completions are dropped.
void Controller::reset(Time now)
{
    registers_.reset();
    queues_.reset();
    interrupts_.reset();
    port_.reset();
    io_.reset();
    power_.reset(now);
    wakeAt_ = never;
    admin_.reset(now);
}

void Controller::driveReady(Time now)
{
    io_.divide(config_.namespaces);
    registers_.driveReady(io_.zones().sectors != 0);
    registers_.updateReady(io_.isDriveIdle());
    pump(now);
}

// --- interrupts ------------------------------------------------------------------------------------------------------

void Controller::setMsix(bool isEnabled, bool isMasked, Time now)
{
    interrupts_.setMsix(isEnabled, isMasked);
    updatePin(now);
}

bool Controller::pin() const
{
    return !interrupts_.isMsix() && (interrupts_.pinMask & 1U) == 0 && queues_.hasInterruptingEntry();
}

void Controller::updatePin(Time now)
{
    if (!pinHandler_ || pin() == isPinAsserted_)
        return;
    isPinAsserted_ = !isPinAsserted_;
    pinHandler_(isPinAsserted_, now);
}

// --- doorbells and fetching ------------------------------------------------------------------------------------------

void Controller::ringDoorbell(std::uint32_t offset, std::uint32_t value, Time now)
{
    if (!registers_.isRunning())
        return;
    const QueueManager::Rung rung = queues_.ring(offset, value);
    switch (rung.doorbell) {
    case QueueManager::Doorbell::SubmissionTail: pump(now); break;
    case QueueManager::Doorbell::CompletionHead: completions_.postHeld(rung.queue, now); break;
    case QueueManager::Doorbell::NoSuchDoorbell: admin_.raise(invalidDoorbellRegister, now); break;
    case QueueManager::Doorbell::InvalidValue: admin_.raise(invalidDoorbellValue, now); break;
    }
}

void Controller::pump(Time now)
{
    if (!registers_.isRunning())
        return;
    if (registers_.isShutDown()) { // no command is fetched; the flush follows when all commands are complete
        if (registers_.isFlushPending() && io_.isEmpty()) {
            registers_.flushStarted();
            io_.flushForShutdown(now);
        }
        return;
    }
    while (const auto next = queues_.nextAdmin())
        fetch(*next, now);
    if (power_.hasSeveral() && !isAwake(now))
        return;
    while (const std::uint32_t slots = io_.freeSlots()) {
        const auto next = queues_.nextIo(slots);
        if (!next)
            return;
        io_.promise(next->commands);
        fetch(*next, now);
    }
}

// False: I/O commands wait until the drive has left its power state, or there are none.
bool Controller::isAwake(Time now)
{
    if (!queues_.hasIo()) {
        if (io_.isEmpty()) // a queue may be gone while its commands waited for the exit
            power_.rest(now);
        return false;
    }
    const Time ready = power_.wake(now);
    wakeAt_ = ready > now ? ready : never;
    return ready <= now;
}

void Controller::fetch(const QueueManager::Fetch& fetch, Time now)
{
    PciePort::Read read;
    read.purpose = PciePort::Read::Purpose::Commands;
    read.queue = fetch.queue;
    read.count = fetch.commands;
    read.address = fetch.address;
    port_.read(read, fetch.commands * submissionBytes, now);
}

// No reset can come between the commands, even if host memory waits: register writes take effect in advance().
void Controller::commandsArrived(const PciePort::Read& read, Time now)
{
    for (std::uint32_t i = 0; i < read.count; ++i) {
        SubmissionEntry submission;
        if (!memory_.read(read.address + std::uint64_t{i} * submissionBytes, submission.dword.data(),
                          submissionBytes)) {
            registers_.fail();
            return;
        }
        queues_.arrived(read.queue);
        if (read.queue == 0) {
            admin_.execute(submission, registers_.pageBytes(), now);
        } else {
            queues_.count(read.queue, static_cast<IoOpcode>(submission.opcode()));
            const IoCommands::Settings settings{registers_.pageBytes(), admin_.isWriteCacheOn()};
            released(io_.execute(read.queue, submission, settings, now), now);
        }
    }
}

// --- the drive -------------------------------------------------------------------------------------------------------

void Controller::complete(std::uint16_t slot, CommandStatus status, Time now)
{
    const IoCommands::Ended ended = io_.complete(slot, status, now);
    if (ended.isShutdownFlush)
        registers_.flushed();
    if (status != CommandStatus::Ok)
        admin_.checkHealth(now);
    released(ended.slot, now);
}

// A free slot may end a reset, and it can take the next command.
void Controller::released(IoCommands::Slot slot, Time now)
{
    if (slot == IoCommands::Slot::Kept)
        return;
    if (io_.isEmpty())
        power_.rest(now);
    registers_.updateReady(io_.isDriveIdle());
    pump(now);
}

// --- events ----------------------------------------------------------------------------------------------------------

void Controller::advance(Time now)
{
    while (port_.isDue(now)) {
        const PciePort::Arrival arrival = port_.take(now);
        switch (arrival.kind) {
        case PciePort::Arrival::Kind::None: break;
        case PciePort::Arrival::Kind::RegisterWrite:
            written(arrival.index, static_cast<std::uint32_t>(arrival.value), now);
            if (arrival.bytes == 8)
                written(arrival.index + 4, static_cast<std::uint32_t>(arrival.value >> 32), now);
            updatePin(now);
            break;
        case PciePort::Arrival::Kind::Read: readArrived(arrival.index, now); break;
        case PciePort::Arrival::Kind::Transfer: io_.transferDone(arrival.value, now); break;
        case PciePort::Arrival::Kind::Completion:
            queues_.entryArrived(static_cast<std::uint16_t>(arrival.index));
            updatePin(now);
            break;
        case PciePort::Arrival::Kind::Fault: registers_.fail(); break;
        }
    }
    if (interrupts_.nextTime() <= now)
        completions_.advance(now);
    if (wakeAt_ <= now) {
        wakeAt_ = never;
        pump(now);
    }
}

void Controller::readArrived(std::uint32_t index, Time now)
{
    const PciePort::TakenRead taken = port_.takeRead(index);
    const PciePort::Read& read = taken.read;
    if (read.purpose == PciePort::Read::Purpose::Data) {
        io_.dataArrived(read, now); // also after a reset: the drive waits for it
        return;
    }
    if (!taken.isCurrent)
        return;
    switch (read.purpose) {
    case PciePort::Read::Purpose::Commands: commandsArrived(read, now); break;
    case PciePort::Read::Purpose::PageList: released(io_.pageListArrived(read.slot, now), now); break;
    case PciePort::Read::Purpose::Ranges: released(io_.rangesArrived(read.slot, now), now); break;
    case PciePort::Read::Purpose::AdminData: admin_.dataArrived(read.slot, now); break;
    case PciePort::Read::Purpose::Data: break;
    }
}

} // namespace strobe::host::nvme
