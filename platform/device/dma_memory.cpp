// SPDX-License-Identifier: Apache-2.0
#include "platform/device/dma_memory.h"

#include "models/base/check.h"

namespace strobe::platform {

bool DmaMemory::access(tlm::tlm_command command, std::uint64_t address, unsigned char* data, std::uint32_t bytes)
{
    tlm::tlm_generic_payload payload; // not shared: the target may wait
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket_->b_transport(payload, delay);
    return payload.is_response_ok();
}

bool DmaMemory::read(std::uint64_t address, void* destination, std::uint32_t bytes)
{
    return access(tlm::TLM_READ_COMMAND, address, static_cast<unsigned char*>(destination), bytes);
}

bool DmaMemory::write(std::uint64_t address, const void* source, std::uint32_t bytes)
{
    // A target does not change the data of a write.
    return access(
        tlm::TLM_WRITE_COMMAND, address,
        static_cast<unsigned char*>(const_cast<void*>(source)), // NOLINT(cppcoreguidelines-pro-type-const-cast)
        bytes);
}

bool DmaMemory::readSectors(std::uint64_t address, std::uint32_t sectors, Content destination)
{
    check(destination.mode == DataMode::Bytes, "DMA moves real bytes");
    return read(address, destination.data, sectors * std::uint32_t{sectorBytes});
}

bool DmaMemory::writeSectors(std::uint64_t address, std::uint32_t sectors, Content source)
{
    check(source.mode == DataMode::Bytes, "DMA moves real bytes");
    return write(address, source.data, sectors * std::uint32_t{sectorBytes});
}

} // namespace strobe::platform
