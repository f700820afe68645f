// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_pcie_port.h"

namespace strobe::host::nvme {

void PciePort::writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now)
{
    events_.push(link_.writeRegister(bar_, bytes, now),
                 {Event::Kind::Register, static_cast<std::uint8_t>(bytes), offset, value});
}

// --- reads -----------------------------------------------------------------------------------------------------------

void PciePort::read(const Read& read, std::uint32_t bytes, Time now)
{
    start(read, completionTrain(config(), read.address, bytes), link_.requestRead(read.address, bytes, now));
}

void PciePort::readData(const TransferOrder& order, const TlpTrain& requests, const TlpTrain& completions, Time now)
{
    Read read;
    read.purpose = Read::Purpose::Data;
    read.slot = order.slot;
    read.order = order;
    start(read, completions, link_.requestReads(requests, now));
}

void PciePort::start(const Read& read, const TlpTrain& completions, Time at)
{
    if (freeReads_.empty()) {
        freeReads_.push_back(static_cast<std::uint32_t>(reads_.size()));
        reads_.emplace_back();
    }
    const std::uint32_t index = freeReads_.back();
    freeReads_.pop_back();
    reads_[index] = {read, completions, generation_};
    events_.push(at, {Event::Kind::ReadStart, 0, index, 0});
}

// Host memory has the data: its completions take the link from now on.
void PciePort::answer(std::uint32_t index, Time now)
{
    Pending& pending = reads_[index];
    const PcieLink::Arrival arrival = link_.completeReads(pending.completions, now);
    pending.read.last = arrival.last;
    const bool isData = pending.read.purpose == Read::Purpose::Data;
    events_.push(isData ? arrival.first : arrival.last, {Event::Kind::ReadDone, 0, index, 0});
}

PciePort::TakenRead PciePort::takeRead(std::uint32_t index)
{
    freeReads_.push_back(index);
    return {reads_[index].read, reads_[index].generation == generation_};
}

// --- posted writes ---------------------------------------------------------------------------------------------------

void PciePort::postCompletion(std::uint64_t address, std::uint16_t cq, const CompletionEntry& completion, Time now)
{
    posted_.push({address, completion, generation_, cq});
    events_.push(link_.write(address, completionBytes, now), {Event::Kind::Completion, 0, 0, 0});
}

void PciePort::postMessage(std::uint64_t address, std::uint32_t data, Time now)
{
    constexpr std::uint32_t messageBytes = 4;
    messages_.push({address, data});
    events_.push(link_.write(address, messageBytes, now), {Event::Kind::Message, 0, 0, 0});
}

PciePort::Arrival PciePort::writeCompletion()
{
    const Posted posted = posted_.pop();
    if (posted.generation != generation_)
        return {Arrival::Kind::None};
    if (!memory_.write(posted.address, &posted.completion, completionBytes))
        return {Arrival::Kind::Fault};
    return {Arrival::Kind::Completion, 0, posted.cq, 0};
}

void PciePort::sendMessage(Time now)
{
    const Message message = messages_.pop();
    if (message_)
        message_(message.address, message.data, now);
}

} // namespace strobe::host::nvme
