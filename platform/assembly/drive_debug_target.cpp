// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_debug_target.h"

#include <algorithm>

namespace strobe::platform {

namespace {

// Polling the socket costs about as much as a hundred instructions; a slice has a few hundred.
constexpr unsigned slicesPerPoll = 64;

} // namespace

bool DriveDebugTarget::transfer(tlm::tlm_command command, std::uint32_t address, char* bytes, std::size_t count)
{
    if (count == 0)
        return true;
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(bytes)); // NOLINT: TLM's idea of bytes
    payload.set_data_length(static_cast<unsigned>(count));
    payload.set_streaming_width(static_cast<unsigned>(count));
    return cores_[0]->busSocket()->transport_dbg(payload) == count;
}

bool DriveDebugTarget::readMemory(std::uint32_t address, std::string& bytes)
{
    return transfer(tlm::TLM_READ_COMMAND, address, bytes.data(), bytes.size());
}

bool DriveDebugTarget::writeMemory(std::uint32_t address, std::string_view bytes)
{
    std::string copy(bytes);
    return transfer(tlm::TLM_WRITE_COMMAND, address, copy.data(), copy.size());
}

void GdbExecutionControl::stopped(rv32::Stop why)
{
    isStepping_ = false;
    using Reason = cpu::Halt::Reason;
    server_.halted({why == rv32::Stop::Watchpoint   ? Reason::Watchpoint
                    : why == rv32::Stop::Breakpoint ? Reason::Breakpoint
                                                    : Reason::Interrupted,
                    hart_,
                    {}});
    noticeEnd();
}

std::int64_t GdbExecutionControl::allow(std::int64_t cycles)
{
    if (isStepping_ && core_.executed() != executedBeforeStep_) {
        isStepping_ = false;
        server_.halted({cpu::Halt::Reason::Stepped, hart_, {}});
    } else if (++slices_ % slicesPerPoll == 0) {
        server_.poll(hart_);
    }
    noticeEnd();
    if (!server_.isStepping(hart_))
        return cycles;
    if (!isStepping_)
        executedBeforeStep_ = core_.executed();
    isStepping_ = true;
    return 1;
}

void GdbExecutionControl::noticeEnd()
{
    if (server_.isKilled() && killed_)
        std::exchange(killed_, nullptr)();
}

} // namespace strobe::platform
