#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An initiator socket through which a thread process of a platform reads and writes values: the loads and stores of a
// driver that runs on the platform's processor. A value is one b_transport transaction of its size, without byte
// enables; a call returns when the annotated delay has passed. The target decides which addresses and sizes it accepts
// (registers of SsdDevice: 4 and 8 bytes).
//
// Errors: read() and write() throw BusError if the response is not OK, access() returns the response.

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <type_traits>

namespace strobe {

class BusError : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

class CpuSocket : public tlm_utils::simple_initiator_socket<CpuSocket> {
public:
    explicit CpuSocket(const char* name) : tlm_utils::simple_initiator_socket<CpuSocket>(name) {}

    // REQUIRES: called from a thread process.
    template <class Value>
    Value read(std::uint64_t address)
    {
        Value value{};
        require(access(tlm::TLM_READ_COMMAND, address, value), "read", address);
        return value;
    }
    template <class Value>
    void write(std::uint64_t address, Value value)
    {
        require(access(tlm::TLM_WRITE_COMMAND, address, value), "write", address);
    }
    template <class Value>
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, Value& value)
    {
        static_assert(std::is_trivially_copyable_v<Value>);
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(sizeof value);
        payload.set_streaming_width(sizeof value);
        sc_core::sc_time delay;
        (*this)->b_transport(payload, delay);
        if (delay != sc_core::SC_ZERO_TIME)
            sc_core::wait(delay);
        return payload.get_response_status();
    }

private:
    static void require(tlm::tlm_response_status response, const char* what, std::uint64_t address)
    {
        if (response == tlm::TLM_OK_RESPONSE)
            return;
        tlm::tlm_generic_payload answered; // which names the response
        answered.set_response_status(response);
        char place[19]; // 0x and 16 digits
        std::snprintf(place, sizeof place, "0x%llx", static_cast<unsigned long long>(address));
        throw BusError("bus error: " + std::string(what) + " at " + place + ", " + answered.get_response_string());
    }
};

} // namespace strobe
