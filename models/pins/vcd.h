#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A waveform as a value change dump (IEEE 1364, section 18), for GTKWave and its like. One scope with a wire per line
// (IO as a vector) and a register `phase` with the name of the current stretch as ASCII text. The time scale is the
// coarsest that is exact. The text depends on the waveform alone: it holds no date.

#include "models/pins/waveform.h"

#include <string>
#include <string_view>

namespace strobe::pins {

inline constexpr std::size_t phaseCharacters = 16; // longer names are cut

// `scope`: an identifier.
std::string vcdText(const Waveform& waveform, std::string_view scope, std::string_view comment);

} // namespace strobe::pins
