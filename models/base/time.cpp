// SPDX-License-Identifier: Apache-2.0
#include "models/base/time.h"

#include "models/base/check.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace strobe {

namespace {
__extension__ using Wide = __int128;

Time divideUp(Wide dividend, Wide divisor)
{
    const Wide quotient = dividend / divisor;
    return Time{static_cast<std::int64_t>(quotient + (dividend % divisor > 0 ? 1 : 0))};
}
} // namespace

Time transferTime(std::uint64_t bytes, std::uint64_t bytesPerSecond)
{
    check(bytesPerSecond > 0, "a transfer needs a rate above zero");
    constexpr std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
    if (bytes < limit / picosecondsPerSecond && bytesPerSecond <= picosecondsPerSecond) // no 128-bit division
        return Time{static_cast<std::int64_t>((bytes * picosecondsPerSecond + bytesPerSecond - 1) / bytesPerSecond)};
    return divideUp(static_cast<Wide>(bytes) * picosecondsPerSecond, static_cast<Wide>(bytesPerSecond));
}

Time scaled(Time amount, std::int64_t numerator, std::int64_t denominator)
{
    check(denominator > 0, "a scale needs a denominator above zero");
    return divideUp(static_cast<Wide>(amount.count()) * numerator, denominator);
}

std::string toText(Time t)
{
    struct Step {
        std::int64_t size;
        const char* name;
    };
    static constexpr std::array<Step, 5> units{
        {{1'000'000'000'000, "s"}, {1'000'000'000, "ms"}, {1'000'000, "us"}, {1'000, "ns"}, {1, "ps"}}};
    const auto magnitude = std::abs(t.count());
    const Step* chosen = &units.back();
    for (const Step& unit : units) {
        if (magnitude >= unit.size) {
            chosen = &unit;
            break;
        }
    }
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.6g %s",
                  static_cast<double>(t.count()) / static_cast<double>(chosen->size), chosen->name);
    return text.data();
}

} // namespace strobe
