// SPDX-License-Identifier: Apache-2.0
//
// What a debugger sends: frames, escapes, and packets to a session with two harts. Input: the bytes of the connection.
#include "models/cpu/debug/gdb_packets.h"
#include "models/cpu/debug/gdb_session.h"
#include "tests/domain/cpu/debug/guest_target.h"
#include "tests/fuzz/target.h"

using namespace strobe;
using namespace strobe::test::rv32asm;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    test::GuestTarget target({addi(a0, a0, 1), jal(zero, -4)});
    cpu::GdbSession session(target);
    cpu::GdbFrameReader reader;
    reader.take(fuzz::textOf(data, size));
    while (const auto frame = reader.next()) {
        if (frame->kind != cpu::GdbFrame::Kind::Packet)
            continue;
        const auto answer = session.handle(frame->payload);
        if (answer.payload)
            cpu::gdbFrame(*answer.payload);
    }
    session.handle(fuzz::textOf(data, size)); // without a frame: checksums do not protect it
    session.stopReply();
    return 0;
}
