// SPDX-License-Identifier: Apache-2.0
#include "models/controller/failure_log.h"

#include <cstdio>
#include <numeric>

namespace strobe::controller {

namespace {

std::string hex(std::uint32_t value)
{
    char text[11];
    std::snprintf(text, sizeof text, "0x%08X", static_cast<unsigned>(value));
    return text;
}

template <class E>
std::string name(E value)
{
    return std::string(enumName(value));
}

std::string place(const Failure& failure)
{
    return "unit " + std::to_string(raw(failure.unit)) + ", descriptor " + hex(raw(failure.descriptor)) + ": ";
}

std::string operation(const Failure& failure)
{
    std::string text = name(failure.opcode) + " of die " + std::to_string(raw(failure.die)) + " block " +
                       std::to_string(failure.target.block);
    if (failure.opcode != nand::Opcode::Erase)
        text += " page " + std::to_string(failure.target.page);
    text += ": " + name(failure.status);
    if (failure.illegal != nand::IllegalReason::None)
        text += " (" + name(failure.illegal) + ")";
    if (failure.isTorn)
        text += " (a power loss interrupted its program or erase)";
    return text;
}

std::string what(const Failure& failure)
{
    switch (failure.kind) {
    case FailureKind::OperationFailed:
    case FailureKind::OperationIllegal: return place(failure) + operation(failure);
    case FailureKind::MalformedDescriptor: return place(failure) + name(failure.malformed);
    case FailureKind::DescriptorChanged: return place(failure) + "changed while it was in execution";
    case FailureKind::PrimitiveRefused:
        return "unit " + std::to_string(raw(failure.unit)) + ": primitive " + std::to_string(failure.value) +
               " does not follow";
    case FailureKind::ListRefused: return place(failure) + "too many lists are waiting";
    case FailureKind::RingConsumerRefused:
        return "RING_CONSUMER " + std::to_string(failure.value) + " is beyond RING_PRODUCER";
    case FailureKind::RingUnusable: return "event ring of " + std::to_string(failure.value) + " entries is unusable";
    }
    return {};
}

} // namespace

std::string toText(const Failure& failure)
{
    return strobe::toText(failure.at) + ": " + what(failure);
}

void FailureLog::note(const Failure& failure)
{
    ++counts_[static_cast<std::size_t>(failure.kind)];
    if (first_.size() < kept)
        first_.push_back(failure);
    if (listener_)
        listener_(failure);
}

void FailureLog::add(const FailureLog& later)
{
    for (std::size_t kind = 0; kind < counts_.size(); ++kind)
        counts_[kind] += later.counts_[kind];
    for (const Failure& failure : later.first_) {
        if (first_.size() < kept)
            first_.push_back(failure);
    }
}

std::uint64_t FailureLog::total() const
{
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

} // namespace strobe::controller
