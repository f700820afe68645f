// SPDX-License-Identifier: Apache-2.0
//
// From the reset of the controller to its first command, and back: registers, admin commands, one after the other.
#include "models/host/nvme/nvme_driver.h"

#include "models/host/nvme/nvme_commands.h"
#include "models/host/nvme/nvme_heat.h"
#include "models/host/pcie/pci_config.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

constexpr std::uint32_t shutDownNormal = 1U << 14U;
constexpr Time pollInterval = std::chrono::milliseconds(1);

} // namespace

void NvmeDriver::start(Time now)
{
    function_.writeConfig(PciConfigSpace::command, 2,
                          PciConfigSpace::memorySpace | PciConfigSpace::busMaster | PciConfigSpace::pinDisable, now);
    const auto capabilities = static_cast<std::uint32_t>(function_.readBar(0, reg::CAP, 8) >> 32);
    stride_ = capabilities & 0xFU;
    hasCommandSets_ = (capabilities & capCommandSets) != 0;
    for (std::uint32_t queue = 0; queue < pairs_.size(); ++queue) {
        Pair& pair = pairs_[queue];
        pair.id = queue;
        pair.entries = queue == 0 ? adminEntries : config_.queueEntries;
        pair.sq = memory_.allocate(std::uint64_t{pair.entries} * submissionBytes);
        pair.cq = memory_.allocate(std::uint64_t{pair.entries} * completionBytes);
    }
    page_ = memory_.allocate(identifyBytes);
    slots_ = std::min(config_.queues * (config_.queueEntries - 1), 0xFFFFU);
    parts_.resize(slots_);
    lists_.resize(slots_);
    ranges_.resize(slots_);
    enter(Step::Disable, function_.readTime(8, now)); // after CAP has been read
}

std::uint32_t NvmeDriver::configuration() const
{
    return ccEnable | ccEntrySizes | (hasCommandSets_ ? ccAllCommandSets : 0U) |
           (config_.arbitration == Arbitration::Weighted ? 1U << 11U : 0U);
}

void NvmeDriver::pollStatus(Time from, Time wait)
{
    events_.push(function_.readTime(4, from) + wait, {Event::Kind::StatusRead, 0, {}});
}

void NvmeDriver::statusRead(Time now)
{
    const auto status = static_cast<std::uint32_t>(function_.readBar(0, reg::CSTS, 4));
    check((status & cstsFatal) == 0, "the NVMe controller reports that it has failed");
    const bool isReady = (status & cstsReady) != 0;
    if (step_ == Step::WaitDisabled && !isReady) {
        enter(Step::Enable, now);
    } else if (step_ == Step::WaitReady && isReady) {
        enter(Step::IdentifyController, now);
    } else if (step_ == Step::ShutDown && (status & cstsShutdownMask) == cstsShutdownDone) {
        shutDownDone_(now);
    } else {
        pollStatus(now, pollInterval);
    }
}

void NvmeDriver::enable(Time now)
{
    ++starts_;
    queue_ = 0;
    for (Pair& pair : pairs_) {
        if (starts_ == 1)
            continue; // new memory holds zeros
        pair.restart();
        pair.outstanding = 0;
        pair.waiting.clear();
        scratch_.assign(pair.entries * (completionBytes / sizeof(std::uint64_t)), 0);
        memory_.write(pair.cq, scratch_.data(), pair.entries * completionBytes);
    }
    for (std::uint32_t vector = 0; vector < pairs_.size(); ++vector) {
        const std::uint32_t entry = reg::msixTable + vector * 16;
        write64(entry, messageAddress, now);
        write64(entry + 8, vector, now); // data, and the mask cleared
    }
    function_.writeConfig(PciConfigSpace::msixControl, 2, PciConfigSpace::msixEnable, now);
    write32(reg::AQA, (adminEntries - 1) << 16U | (adminEntries - 1), now);
    write64(reg::ASQ, pairs_[0].sq, now);
    write64(reg::ACQ, pairs_[0].cq, now);
    write32(reg::CC, configuration(), now);
}

std::uint32_t NvmeDriver::thermalManagement() const
{
    const auto kelvin = [](const std::optional<std::int32_t>& celsius) {
        return celsius ? std::uint32_t{toKelvin(*celsius)} : 0U;
    };
    return kelvin(config_.thermalLight) << 16U | kelvin(config_.thermalHeavy);
}

void NvmeDriver::enter(Step step, Time now)
{
    step_ = step;
    switch (step) {
    case Step::Disable:
        step_ = Step::WaitDisabled;
        write32(reg::CC, 0, now);
        pollStatus(now, {});
        break;
    case Step::WaitDisabled:
    case Step::WaitReady: break;
    case Step::Enable:
        step_ = Step::WaitReady;
        enable(now);
        pollStatus(now, {});
        break;
    case Step::IdentifyController: put(0, identify(identifyControllerStructure, 0, page_), now); break;
    case Step::NumberOfQueues:
        setFeature(Feature::NumberOfQueues, (config_.queues - 1) << 16U | (config_.queues - 1), now);
        break;
    case Step::SetArbitration:
        setFeature(Feature::Arbitration,
                   config_.burstExponent | (config_.weights.low - 1) << 8U | (config_.weights.medium - 1) << 16U |
                       (config_.weights.high - 1) << 24U,
                   now);
        break;
    case Step::SetCoalescing:
        setFeature(Feature::InterruptCoalescing,
                   (config_.coalesce - 1) |
                       static_cast<std::uint32_t>(config_.coalesceTime / std::chrono::microseconds(100)) << 8U,
                   now);
        break;
    case Step::SetTransitions: setTransitions(now); break;
    case Step::SetPowerState: setFeature(Feature::PowerManagement, config_.powerState.value_or(0), now); break;
    case Step::SetThermalManagement: setFeature(Feature::HostThermalManagement, thermalManagement(), now); break;
    case Step::CreateCq: put(0, createCompletionQueue(pairs_[queue_], queue_), now); break;
    case Step::CreateSq: put(0, createSubmissionQueue(pairs_[queue_], priorityOf(queue_)), now); break;
    case Step::ListNamespaces: put(0, identify(identifyActiveNamespaces, 0, page_), now); break;
    case Step::IdentifyNamespace: put(0, identify(identifyNamespaceStructure, spaces_.next(), page_), now); break;
    case Step::Ready:
        planFaults(now);
        if (isAnnounced_) {
            resume(now);
            break;
        }
        isAnnounced_ = true;
        host_->driveReady(spaces_.sectors(), slots_, now);
        break;
    case Step::ShutDown:
        write32(reg::CC, configuration() | shutDownNormal, now);
        pollStatus(now, {});
        break;
    }
}

void NvmeDriver::next(Time now)
{
    auto step = static_cast<Step>(static_cast<int>(step_) + 1);
    if (step_ == Step::ListNamespaces) {
        std::vector<std::uint32_t> numbers(identifyBytes / sizeof(std::uint32_t));
        memory_.read(page_, numbers.data(), identifyBytes);
        spaces_.list(numbers);
    }
    if (step_ == Step::IdentifyNamespace) {
        std::uint64_t sectors = 0; // NSZE
        memory_.read(page_, &sectors, sizeof sectors);
        spaces_.identified(sectors);
        step = spaces_.isComplete() ? step : Step::IdentifyNamespace;
    }
    const bool keepsArbitration =
        config_.arbitration == Arbitration::RoundRobin && config_.burstExponent == defaultBurst;
    if (step == Step::SetArbitration && keepsArbitration)
        step = Step::SetCoalescing;
    if (step == Step::SetCoalescing && config_.coalesceTime == Time{})
        step = Step::SetTransitions;
    if (step == Step::SetTransitions && (config_.powerStates.size() < 2 || config_.latencyTolerance == Time{}))
        step = Step::SetPowerState;
    if (step == Step::SetPowerState && !config_.powerState)
        step = Step::SetThermalManagement;
    if (step == Step::SetThermalManagement && !config_.thermalLight && !config_.thermalHeavy)
        step = Step::CreateCq;
    if (step_ == Step::CreateSq && queue_ < config_.queues)
        step = Step::CreateCq;
    if (step == Step::CreateCq)
        ++queue_;
    if (step == Step::ListNamespaces) {
        SubmissionEntry request = submissionOf(AdminOpcode::AsyncEventRequest, 0);
        request.dword[0] |= std::uint32_t{asyncEventId} << 16U;
        put(0, request, now);
    }
    enter(step, now);
}

QueuePriority NvmeDriver::priorityOf(std::uint32_t queue) const
{
    const NvmeConfig::Classes& c = config_.classes;
    if (queue <= c.urgent)
        return QueuePriority::Urgent;
    if (queue <= c.urgent + c.high)
        return QueuePriority::High;
    return queue <= c.urgent + c.high + c.medium ? QueuePriority::Medium : QueuePriority::Low;
}

void NvmeDriver::shutDown(Time now, std::function<void(Time)> done)
{
    shutDownDone_ = std::move(done);
    enter(Step::ShutDown, now);
}

void NvmeDriver::setFeature(Feature feature, std::uint32_t value, Time now)
{
    SubmissionEntry command = submissionOf(AdminOpcode::SetFeatures, 0);
    command.dword[10] = static_cast<std::uint32_t>(feature);
    command.dword[11] = value;
    put(0, command, now);
}

void NvmeDriver::setTransitions(Time now)
{
    const auto structure = encode(transitionsForTolerance(config_.powerStates, config_.latencyTolerance));
    memory_.write(page_, structure.data(), PowerStates::tableBytes);
    SubmissionEntry command = submissionOf(AdminOpcode::SetFeatures, 0, page_);
    command.dword[10] = static_cast<std::uint32_t>(Feature::AutonomousTransitions);
    command.dword[11] = 1; // enabled
    put(0, command, now);
}

void NvmeDriver::adminDone(const CompletionEntry& completion, Time now)
{
    check(completion.status() == NvmeStatus::Success, "the NVMe controller refused what every driver asks of it");
    if (completion.commandId == asyncEventId)
        asyncEvents_.push_back(completion.result);
    else if (completion.commandId == abortId)
        isAborting_ = false;
    else
        next(now);
}

} // namespace strobe::host::nvme
