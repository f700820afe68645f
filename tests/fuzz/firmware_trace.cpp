// SPDX-License-Identifier: Apache-2.0
//
// Traces of firmware in the compact form. Input: the file, and the entries of a section, which a checksum protects
// there.
#include "models/base/bytes.h"
#include "platform/assembly/firmware_trace_file.h"
#include "tests/fuzz/target.h"

using namespace strobe;
using namespace strobe::platform;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input = fuzz::textOf(data, size);
    try {
        FirmwareTraceReader file(input);
        while (file.next()) {
        }
    } catch (const DamagedBytes&) {
    }
    try {
        ByteReader entries(input);
        cpu::TraceDecoder decoder;
        while (!entries.isAtEnd())
            decoder.take(entries);
    } catch (const DamagedBytes&) {
    }
    return 0;
}
