#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Modelled failures of the flash controller, for the report: all are counted by kind, the first few are kept with
// everything that a reader needs to find the cause. Text is made only on request.

#include "models/controller/descriptor.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace strobe::controller {

enum class FailureKind : std::uint8_t {
    OperationFailed,     // the die's FAIL bit, or ECC gave up
    OperationIllegal,    // refused by the die
    MalformedDescriptor, // refused by the unit
    DescriptorChanged,   // in execution: the unit has done what it said at first
    PrimitiveRefused,    // PRIMITIVE written to a unit where it does not follow
    ListRefused,         // HEAD written while UNIT_DEPTH lists were waiting
    RingConsumerRefused, // firmware acknowledged events that were never put
    RingUnusable         // entries not a power of two, base unaligned, or not memory
};

inline constexpr std::array<EnumRow<FailureKind>, 8> failureKindTable{
    {{FailureKind::OperationFailed, "flash operation failed", "program or erase failed, or uncorrectable data"},
     {FailureKind::OperationIllegal, "illegal flash operation", "refused by the die"},
     {FailureKind::MalformedDescriptor, "malformed descriptor", "refused by the unit"},
     {FailureKind::DescriptorChanged, "descriptor changed by firmware", "while it was in execution"},
     {FailureKind::PrimitiveRefused, "primitive refused", "no operation is suspended, or another one follows"},
     {FailureKind::ListRefused, "descriptor list refused", "HEAD written beyond UNIT_DEPTH waiting lists"},
     {FailureKind::RingConsumerRefused, "event count refused", "RING_CONSUMER beyond RING_PRODUCER"},
     {FailureKind::RingUnusable, "event ring unusable", "RING_ENTRIES no power of two, or RING_BASE not memory"}}};
constexpr const auto& enumTable(FailureKind)
{
    return failureKindTable;
}

// Fields that are not filled in have no meaning for that kind of failure.
struct Failure {
    FailureKind kind = FailureKind::OperationFailed;
    Time at{};
    UnitId unit{};
    BusAddress descriptor{}; // list, operation, malformed, changed
    MalformedReason malformed = MalformedReason::None;
    nand::Opcode opcode = nand::Opcode::Read; // operation
    DieId die{};
    nand::PageAddress target;
    nand::Status status = nand::Status::Pending;
    nand::IllegalReason illegal = nand::IllegalReason::None;
    bool isTorn = false;     // read of a page whose program or erase a power loss has interrupted
    std::uint32_t value = 0; // ring, primitive: what was written
};

// "1.2 ms: unit 3, descriptor 0x80000040: program of die 5 block 7 page 3: illegal (page not erased)"
std::string toText(const Failure& failure);

class FailureLog {
public:
    static constexpr std::size_t kept = 16;

    void note(const Failure& failure);
    // Called by note(), after the failure has been counted.
    void onNote(std::function<void(const Failure&)> listener) { listener_ = std::move(listener); }
    void add(const FailureLog& later);
    std::uint64_t count(FailureKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
    std::uint64_t total() const;
    const std::vector<Failure>& first() const { return first_; } // at most `kept`, in order of time

private:
    std::array<std::uint64_t, failureKindTable.size()> counts_{};
    std::vector<Failure> first_;
    std::function<void(const Failure&)> listener_;
};

} // namespace strobe::controller
