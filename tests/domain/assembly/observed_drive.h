#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A small drive for tests of the stages: as many flash units as dies, and a data buffer of 64 KiB at address 10000h.

#include "platform/assembly/request_stages.h"

namespace strobe::platform {

inline ObservedDrive observedDrive(std::uint32_t dies, std::uint16_t slots, std::uint32_t buses = 1)
{
    ObservedDrive drive;
    drive.dies = dies;
    drive.units = dies;
    drive.dataBuffer = {BusAddress{0x10000}, 0x10000};
    drive.buses = buses; // of a superchip
    drive.slots = slots;
    return drive;
}

} // namespace strobe::platform
