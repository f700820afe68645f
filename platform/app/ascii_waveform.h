#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A waveform as text: a row per pin, time to the right, not to scale where nothing happens ("//"). High is "-", low
// "_", edges "/" and "\", not driven ".", about to change "x"; IO shows its byte after a "|". A row of labels names
// the stretches. Cut into panels of at most `width` characters.

#include "models/pins/waveform.h"

#include <string>

namespace strobe::platform {

// `unit`: the time of one character where something happens.
std::string asciiWaveform(const pins::Waveform& waveform, Time unit, std::size_t width);

} // namespace strobe::platform
