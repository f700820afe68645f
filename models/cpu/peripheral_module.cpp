// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/peripheral_module.h"

#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <cstring>

namespace strobe::cpu {

PeripheralModule::PeripheralModule(const sc_core::sc_module_name& name, const RegisterInfo* table, std::size_t rows)
    : sc_module(name), table_(table), rows_(rows)
{
    registers.register_b_transport(this, &PeripheralModule::transport);
    SC_HAS_PROCESS(PeripheralModule);
    SC_METHOD(wake);
    sensitive << wakeUp_;
    dont_initialize();
}

void PeripheralModule::wake()
{
    armedFor_ = never;
    settle();
}

void PeripheralModule::settle()
{
    const Time current = now();
    while (posted_.isDue(current)) {
        const PostedWrite posted = posted_.pop();
        writeRegister(posted.offset, posted.value);
    }
    const Time next = std::min(step(current), posted_.nextTime());
    if (next < armedFor_) {
        wakeUp_.notify(toSc(next - current));
        armedFor_ = next;
    }
}

void PeripheralModule::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    if (payload.get_data_length() != sizeof(std::uint32_t) || payload.get_streaming_width() < sizeof(std::uint32_t)) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    std::uint32_t value = 0;
    Access access = Access::Ok;
    if (payload.is_read()) {
        settle();
        access = readRegister(offset, value, now() + fromSc(delay));
        std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    } else if (payload.is_write()) {
        std::memcpy(&value, payload.get_data_ptr(), sizeof value);
        access = write(offset, value, fromSc(delay));
    }
    payload.set_response_status(access == Access::Ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

Access PeripheralModule::write(std::uint32_t offset, std::uint32_t value, Time delay)
{
    if (!isMapped(offset))
        return Access::Unmapped;
    posted_.push(now() + delay, PostedWrite{offset, value});
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
