#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NVM aging study: transfer times of four technologies (Table I), the throughput of a channel by pipeline depth and
// program time (equation 1, maxP, Fig. 3), the bound of an 8-channel drive (section IV), and its finding that a drive
// shows aging only if the memory, not the controller, limits it. Channels carry out operations without a controller;
// the drive is the whole platform with its firmware. Figs. 1 and 2 are drawings without numbers: the wear of the parts
// is assumed and counted as fitted. Runs and statements are data (scenarios/papers/aging/paper.json). Here: Table I and
// equation 1.

#include "platform/reproduce/study.h"
#include "platform/reproduce/variants.h"

#include <string>

namespace strobe::platform {

Study runAging(const std::string& scenariosDirectory, const VariantOptions& options);
std::string agingText(const Study& study);

} // namespace strobe::platform
