#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The steps of resolve(), one per section of a scenario and one file each (resolve_<section>.cpp). A step makes the
// choices that its section left open, checks relations between several parameters, and writes the section of the
// result. The steps run in the order of the declarations below: each may use the results of the steps before it.

#include "platform/config/resolve_checks.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

struct Resolving {
    ScenarioFile& file; // choices are written back into it
    Scenario& result;
    Checks& checks;
    Checks& firmwareChecks; // of firmware and the memory that it uses: no problem on a drive that runs no firmware
};

void resolveAlternatives(Resolving& r); // what they leave without effect in other sections
void resolveNand(Resolving& r);
void resolveErrors(Resolving& r);      // of the part; called by resolveNand()
void resolveCalibration(Resolving& r); // of data out; needs the channel's timing
void resolveController(Resolving& r);
void resolveHost(Resolving& r);
void resolveFirmware(Resolving& r);
void resolveMemory(Resolving& r); // and whether firmware's tables fit
// What phases and their jobs need of drive and host. `capacity`: sectors that the drive will announce; 0: not known.
void resolvePhases(Resolving& r, std::uint64_t capacity);
void resolveOperations(Resolving& r);
void resolveEnergy(Resolving& r);
void resolveThermal(Resolving& r); // needs the firmware layer and the host
void resolveFaults(Resolving& r);

} // namespace strobe::platform
