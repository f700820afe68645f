#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A bus initiator for tests: calls a target's base-protocol interfaces one by one. Calls that do not wait may be made
// from the test body (after sc_start has elaborated); others belong into `script`, which runs as an SC_THREAD.

#include "models/tlm/time_bridge.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <utility>
#include <vector>

namespace strobe::test {

class BusProbe : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<BusProbe> bus{"bus"};
    std::function<void()> script;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;

    explicit BusProbe(sc_core::sc_module_name name) : sc_module(name)
    {
        bus.register_invalidate_direct_mem_ptr(this, &BusProbe::invalidate);
        SC_HAS_PROCESS(BusProbe);
        SC_THREAD(runScript);
    }

    struct Answer {
        tlm::tlm_response_status status;
        Time delay;          // as returned
        std::uint64_t value; // of a read
        bool dmiAllowed;
    };

    Answer read(std::uint64_t address, Time delay = {}, unsigned int bytes = 4)
    {
        return access(tlm::TLM_READ_COMMAND, address, 0, delay, bytes);
    }
    Answer write(std::uint64_t address, std::uint64_t value, Time delay = {}, unsigned int bytes = 4)
    {
        return access(tlm::TLM_WRITE_COMMAND, address, value, delay, bytes);
    }
    // The granted range, or nothing.
    std::optional<tlm::tlm_dmi> direct(std::uint64_t address)
    {
        tlm::tlm_generic_payload payload;
        payload.set_read();
        payload.set_address(address);
        tlm::tlm_dmi dmi;
        if (!bus->get_direct_mem_ptr(payload, dmi))
            return std::nullopt;
        return dmi;
    }
    unsigned int debugWrite(std::uint64_t address, std::uint32_t value)
    {
        tlm::tlm_generic_payload payload;
        fill(payload, tlm::TLM_WRITE_COMMAND, address, &value, sizeof value);
        return bus->transport_dbg(payload);
    }
    std::uint32_t debugRead(std::uint64_t address)
    {
        std::uint32_t value = 0;
        tlm::tlm_generic_payload payload;
        fill(payload, tlm::TLM_READ_COMMAND, address, &value, sizeof value);
        return bus->transport_dbg(payload) == sizeof value ? value : 0xDEADDEAD;
    }

    static void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address, void* data,
                     unsigned int bytes)
    {
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(static_cast<unsigned char*>(data));
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }

private:
    Answer access(tlm::tlm_command command, std::uint64_t address, std::uint64_t value, Time delay, unsigned int bytes)
    {
        tlm::tlm_generic_payload payload;
        fill(payload, command, address, &value, bytes);
        sc_core::sc_time annotated = toSc(delay);
        bus->b_transport(payload, annotated);
        addressKept = payload.get_address() == address;
        return {payload.get_response_status(), fromSc(annotated), value, payload.is_dmi_allowed()};
    }
    void runScript()
    {
        if (script)
            script();
    }
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) { invalidated.emplace_back(start, end); }

public:
    bool addressKept = true; // the last payload came back with the address it left with
};

} // namespace strobe::test
