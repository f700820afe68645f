// SPDX-License-Identifier: Apache-2.0
#include "platform/report/firmware_response.h"

#include <fmt/format.h>

namespace strobe::platform {

void FirmwareResponse::declareRounds(Statistics& stats, const ResponseTimes& rounds)
{
    rounds.declare(stats, "rounds of the main loop: from a wake-up to the next sleep, or wait that found an interrupt",
                   "the time of a round");
}

std::string commandText(const host::Command& command)
{
    const std::string_view kind = enumName(command.kind);
    if (command.sectors == 0)
        return fmt::format("{}, slot {}", kind, command.slot);
    return fmt::format("{} of {} sector{} at {}, slot {}", kind, command.sectors, command.sectors == 1 ? "" : "s",
                       command.lba, command.slot);
}

} // namespace strobe::platform
