// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/peripheral_module.h"

#include "models/tlm/register_access.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe::cpu {

PeripheralModule::PeripheralModule(const sc_core::sc_module_name& name, const RegisterInfo* table, std::size_t rows)
    : sc_module(name), table_(table), rows_(rows)
{
    registers.register_b_transport(this, &PeripheralModule::transport);
}

void PeripheralModule::settle()
{
    const Time current = now();
    while (posted_.isDue(current)) {
        const PostedWrite posted = posted_.pop();
        writeRegister(posted.offset, posted.value);
    }
    wake_.at(std::min(step(current), posted_.nextTime()));
}

void PeripheralModule::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    serveRegisterAccess(
        payload, delay,
        [&](std::uint32_t offset, std::uint32_t& value) {
            settle();
            return readRegister(offset, value, now() + fromSc(delay));
        },
        [this](std::uint32_t offset, std::uint32_t value, Time at) { return write(offset, value, at); });
}

Access PeripheralModule::write(std::uint32_t offset, std::uint32_t value, Time at)
{
    if (!isMapped(offset))
        return Access::Unmapped;
    posted_.push(at, PostedWrite{offset, value});
    settle();
    return Access::Ok;
}

bool PeripheralModule::isMapped(std::uint32_t offset) const
{
    return std::any_of(table_, table_ + rows_, [offset](const RegisterInfo& row) {
        return offset >= row.offset && (offset - row.offset) % row.step == 0 &&
               (offset - row.offset) / row.step < row.count;
    });
}

} // namespace strobe::cpu
