// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/trace_entry.h"

#include <algorithm>

namespace strobe::cpu {

TraceKind kindOf(TraceEntry::What what)
{
    switch (what) {
    case TraceEntry::What::Instruction: return TraceKind::Instructions;
    case TraceEntry::What::Register: return TraceKind::Registers;
    case TraceEntry::What::Trap:
    case TraceEntry::What::Return: break;
    }
    return TraceKind::Interrupts;
}

bool TraceFilter::holds(std::uint32_t address) const
{
    return std::any_of(ranges.begin(), ranges.end(),
                       [address](const Range& range) { return address >= range.first && address <= range.last; });
}

bool TraceFilter::takes(const TraceEntry& entry) const
{
    const TraceKind kind = kindOf(entry.what);
    if (!takes(kind) || !takes(entry.at))
        return false;
    if (ranges.empty() || holds(entry.pc) || (kind == TraceKind::Interrupts && holds(entry.target)))
        return true;
    return std::any_of(entry.accesses.begin(), entry.accesses.begin() + entry.accessCount,
                       [this](const TraceAccess& access) { return holds(access.address); });
}

} // namespace strobe::cpu
