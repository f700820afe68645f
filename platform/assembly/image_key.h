#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A name for the drive image that the preconditioning phases of a scenario make: a digest of all that determines it.
// Scenarios with equal keys make equal images, so that one of them serves all. In it: every value of the resolved
// scenario that can have an effect on the drive, seed included; the phases before the first measured one, and the
// contents of their traces; the contents of the firmware image and of a drive image that is loaded; the version of the
// file format; the sources of the models (modelDigest()). Not in it: the measured phases, names, the sections report,
// energy and operations, and the rest of the program: commands, reports, checks of scenarios.

#include "platform/config/scenario.h"

#include <string>
#include <string_view>

namespace strobe::platform {

// REQUIRES: the image does not replace the preconditioning (ContentsConfig::isImage()). Throws ConfigError: there is
// no preconditioning, or a file cannot be read.
std::string imageKey(const Scenario& scenario);

// A digest of the sources that decide what is simulated, models/ and platform/assembly/: the same in every build of
// them. Compiler and options are not in it.
std::string_view modelDigest();

} // namespace strobe::platform
