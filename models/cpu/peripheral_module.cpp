// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/peripheral_module.h"

#include "models/tlm/register_access.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe::cpu {

PeripheralModule::PeripheralModule(const sc_core::sc_module_name& name, const RegisterInfo* table, std::size_t rows)
    : sc_module(name)
{
    for (const RegisterInfo* row = table; row != table + rows; ++row) {
        for (std::uint32_t i = 0; i < row->count; ++i) {
            const std::size_t word = (row->offset + i * row->step) / 4;
            isMapped_.resize(std::max(isMapped_.size(), word + 1));
            isMapped_[word] = true;
        }
    }
    registers.register_b_transport(this, &PeripheralModule::transport);
    registers.register_transport_dbg(this, &PeripheralModule::debug);
}

void PeripheralModule::catchUp()
{
    const Time current = now();
    while (!posted_.empty() && posted_.front().at <= current) {
        const PostedWrite posted = posted_.pop();
        writer_ = posted.writer;
        writeRegister(posted.offset, posted.value);
    }
    wake_.at(std::min(step(current), nextSeen()));
}

Time PeripheralModule::nextSeen() const
{
    for (std::size_t i = 0; i < posted_.size(); ++i) {
        if (!isOnlyStored(posted_[i].offset))
            return posted_[i].at;
    }
    return never;
}

void PeripheralModule::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    serveRegisterAccess(
        payload, delay,
        [&](std::uint32_t offset, std::uint32_t& value) {
            catchUp();
            return readRegister(offset, value, now() + fromSc(delay));
        },
        [this](std::uint32_t offset, std::uint32_t value, Time at) { return write(offset, value, at); });
}

// Writes that are posted for later, or not yet taken up, are not visible.
unsigned PeripheralModule::debug(tlm::tlm_generic_payload& payload)
{
    return serveRegisterView(
        payload, [this](std::uint32_t offset, std::uint32_t& value) { return viewRegister(offset, value); });
}

Access PeripheralModule::write(std::uint32_t offset, std::uint32_t value, Time at)
{
    if (offset % 4 != 0 || offset / 4 >= isMapped_.size() || !isMapped_[offset / 4])
        return Access::Unmapped;
    post({at, offset, value, locateWriter_ ? locateWriter_() : 0});
    if (posted_.front().at <= now())
        catchUp();
    else if (!isOnlyStored(offset))
        wake_.at(at);
    return Access::Ok;
}

void PeripheralModule::post(const PostedWrite& write)
{
    posted_.push(write);
    const std::size_t last = posted_.size() - 1;
    std::size_t place = last;
    while (place > 0 && posted_[place - 1].at > write.at)
        --place;
    if (place != last)
        posted_.moveUp(last, place);
}

} // namespace strobe::cpu
