#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Quantities in a scenario are text with a unit: "25us", "16 KiB", "50MHz", "300MB/s", "7%". The number is a plain
// decimal (no sign, no exponent) and is converted exactly: "19.81ns" is 19,810 ps; a value that does not fit the
// integer resolution (1 ps, 1 byte, 1 Hz, 0.1 %) is an error and is never rounded. IEC sizes (KiB = 1024) and SI sizes
// (kB = 1000) are kept apart. A bare number is an error with the units to write.

#include "models/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::platform {

enum class Quantity : std::uint8_t { Time, Size, Frequency, Rate, Energy, Power, Percent, Duration };

// The value in base units: ps, bytes, Hz, bytes per second, fJ, nW, 1/1000. Energies and powers are integers here, so
// that they survive being written and read again.
struct Parsed {
    std::optional<std::int64_t> value;
    std::string error; // if there is no value: the error and the correct form, without the text itself
};
Parsed parseQuantity(Quantity quantity, std::string_view text);

// The shortest exact text, in the largest unit that leaves a value of at least one: "19.81ns", "64MiB", "7%".
std::string quantityText(Quantity quantity, std::int64_t value);

std::string_view quantityName(Quantity quantity); // "time", "size", …
std::string unitChoices(Quantity quantity);       // "ps, ns, us, ms or s"
std::string unitPattern(Quantity quantity);       // regular expression for the JSON Schema
std::string_view quantityExample(Quantity quantity);

} // namespace strobe::platform
