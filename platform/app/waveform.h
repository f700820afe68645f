#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Output of pins: `strobe inspect waveform`, and the value change dump of a run.

#include "models/pins/bus_sequences.h"
#include "platform/app/commands.h"
#include "platform/assembly/run.h"
#include "platform/config/load.h"

#include <cstdint>
#include <optional>
#include <string>

namespace strobe::platform {

struct WaveformCommand {
    std::string operation; // as in pins::busSequenceTable
    std::string scenario;
    LoadOptions load;
    std::string interface;              // empty: the scenario's
    std::optional<std::uint32_t> bytes; // nothing: a whole page
    std::string vcd;                    // file to write; empty: none
};
int inspectWaveform(WaveformCommand command);

// The recording requested on the command line. REQUIRES: command.vcd is set.
pins::RecorderRequest recorderRequest(const RunCommand& command, const Scenario& scenario);
// The recorded channel as the text of a VCD file; a warning about problems of the picture is stored in `warning`.
std::string recordingAsVcd(const Scenario& scenario, const Recording& recording, Time end, std::string& warning);

} // namespace strobe::platform
