#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The trace of firmware that `strobe run --trace-firmware` writes and `strobe inspect firmware-trace` reads: the choice
// among its entries, and the file. The run keeps entries in compact form and writes the text from it, so both commands
// print the same. Mistakes are ConfigErrors before the run.

#include "models/base/enum_table.h"
#include "models/cpu/code_places.h"
#include "platform/app/output_file.h"
#include "platform/assembly/firmware_trace_file.h"
#include "platform/config/scenario.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

struct TraceChoiceCommand {
    std::string from = "0s";
    std::string to;                  // empty: the end
    std::vector<std::string> ranges; // "0x1000-0x1fff", "0x40000000", or a symbol of the image; empty: all
    std::vector<std::string> kinds;  // names of cpu::traceKindTable; empty: all
};

enum class TraceForm : std::uint8_t { Text, Binary };

inline constexpr std::array<EnumRow<TraceForm>, 2> traceFormTable{
    {{TraceForm::Text, "text", "a line for each entry"},
     {TraceForm::Binary, "binary", "a few bytes for each entry; strobe inspect firmware-trace reads it"}}};
constexpr const auto& enumTable(TraceForm)
{
    return traceFormTable;
}

struct FirmwareTraceCommand {
    std::string file;                // empty: none
    std::string form = "text";       // a name of traceFormTable
    std::uint64_t limit = 1'000'000; // entries
    TraceChoiceCommand choice;
};

struct InspectFirmwareTraceCommand {
    std::string file;
    std::string image; // for the names of functions; empty: unknown
    TraceChoiceCommand choice;
};

// The options of the choice begin with `prefix`: "--trace-" or "--". `image`: null if it is not known; ranges cannot be
// names then.
cpu::TraceFilter traceFilter(const TraceChoiceCommand& choice, const std::string& prefix, const cpu::ElfImage* image);

class FirmwareTraceOutput {
public:
    // REQUIRES: firmware.mode rv32
    FirmwareTraceOutput(const FirmwareTraceCommand& command, const FirmwareConfig& firmware);

    const cpu::TraceFilter& filter() const { return filter_; }
    void add(const cpu::TraceEntry& entry) { entries_.add(entry); }
    void commit(); // writes the file, once; a note on standard error if it is empty or not complete

private:
    FirmwareTraceCommand command_;
    TraceForm form_;
    cpu::CodePlaces places_;
    cpu::TraceFilter filter_;
    FirmwareTraceWriter entries_;
    OutputFile file_;
};

// Entries as text, in pieces. Throws DamagedBytes.
void traceAsText(FirmwareTraceReader& trace, const cpu::CodePlaces* places, const cpu::TraceFilter& filter,
                 const std::function<void(std::string_view text)>& write);

int inspectFirmwareTrace(const InspectFirmwareTraceCommand& command);

} // namespace strobe::platform
