// SPDX-License-Identifier: Apache-2.0
#include "platform/config/units.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace strobe::platform {

namespace {

struct UnitRow {
    std::string_view name;
    std::int64_t scale; // base units
};

constexpr std::int64_t kilo = 1'000;
constexpr std::int64_t mega = 1'000'000;
constexpr std::int64_t giga = 1'000'000'000;
constexpr std::int64_t tera = 1'000'000'000'000;
constexpr std::int64_t kibi = 1'024;

// Smallest first. Of sizes and rates, the first rows are the ones that quantityText() prefers (IEC for sizes).
constexpr std::array<UnitRow, 5> timeUnits{{{"ps", 1}, {"ns", kilo}, {"us", mega}, {"ms", giga}, {"s", tera}}};
constexpr std::array<UnitRow, 9> sizeUnits{{{"B", 1},
                                            {"KiB", kibi},
                                            {"MiB", kibi* kibi},
                                            {"GiB", kibi* kibi* kibi},
                                            {"TiB", kibi* kibi* kibi* kibi},
                                            {"kB", kilo},
                                            {"MB", mega},
                                            {"GB", giga},
                                            {"TB", tera}}};
constexpr std::array<UnitRow, 4> frequencyUnits{{{"Hz", 1}, {"kHz", kilo}, {"MHz", mega}, {"GHz", giga}}};
constexpr std::array<UnitRow, 7> rateUnits{{{"B/s", 1},
                                            {"kB/s", kilo},
                                            {"MB/s", mega},
                                            {"GB/s", giga},
                                            {"KiB/s", kibi},
                                            {"MiB/s", kibi* kibi},
                                            {"GiB/s", kibi* kibi* kibi}}};
constexpr std::array<UnitRow, 6> energyUnits{
    {{"fJ", 1}, {"pJ", kilo}, {"nJ", mega}, {"uJ", giga}, {"mJ", tera}, {"J", tera* kilo}}};
constexpr std::array<UnitRow, 4> powerUnits{{{"nW", 1}, {"uW", kilo}, {"mW", mega}, {"W", giga}}};
constexpr std::array<UnitRow, 1> percentUnits{{{"%", 10}}};
constexpr std::array<UnitRow, 5> durationUnits{
    {{"s", 1}, {"min", 60}, {"h", 3'600}, {"d", 24 * 3'600}, {"y", 365 * 24 * 3'600}}};

struct QuantityRow {
    Quantity quantity;
    std::string_view name;
    std::string_view example;
    std::string_view resolution;
    const UnitRow* units;
    std::size_t count;
    std::size_t preferred; // the number of units, from the first, used for output
};

constexpr std::array<QuantityRow, 8> quantities{
    {{Quantity::Time, "time", "25us", "1 ps", timeUnits.data(), timeUnits.size(), 5},
     {Quantity::Size, "size", "16KiB", "1 B", sizeUnits.data(), sizeUnits.size(), 5},
     {Quantity::Frequency, "frequency", "50MHz", "1 Hz", frequencyUnits.data(), frequencyUnits.size(), 4},
     {Quantity::Rate, "rate", "300MB/s", "1 B/s", rateUnits.data(), rateUnits.size(), 4},
     {Quantity::Energy, "energy", "150nJ", "1 fJ", energyUnits.data(), energyUnits.size(), 6},
     {Quantity::Power, "power", "25mW", "1 nW", powerUnits.data(), powerUnits.size(), 4},
     {Quantity::Percent, "percentage", "7%", "0.1 %", percentUnits.data(), percentUnits.size(), 1},
     {Quantity::Duration, "duration", "90d", "1 s", durationUnits.data(), durationUnits.size(), 5}}};

const QuantityRow& rowOf(Quantity quantity)
{
    return quantities[static_cast<std::size_t>(quantity)];
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// "19.81" as digits 1981 and two decimals. Enough digits for any 64-bit value and its fraction; no value: too many.
struct Decimal {
    __extension__ unsigned __int128 digits = 0;
    unsigned decimals = 0;
    std::size_t length = 0; // characters taken; 0: no number
    bool tooLong = false;
};

Decimal readDecimal(std::string_view text)
{
    Decimal number;
    std::size_t at = 0;
    unsigned significant = 0;
    bool point = false;
    bool any = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && !point && any && at + 1 < text.size() && isDigit(text[at + 1])) {
            point = true;
            continue;
        }
        if (!isDigit(c))
            break;
        any = true;
        significant += (significant > 0 || c != '0') ? 1U : 0U;
        if (significant > 19 || number.decimals >= 18) {
            number.tooLong = true;
            continue;
        }
        number.digits = number.digits * 10 + static_cast<unsigned>(c - '0');
        number.decimals += point ? 1U : 0U;
    }
    number.length = any ? at : 0;
    return number;
}

std::string article(std::string_view word)
{
    return std::string(word.front() == 'e' ? "an " : "a ") + std::string(word);
}

} // namespace

std::string_view quantityName(Quantity quantity)
{
    return rowOf(quantity).name;
}

std::string_view quantityExample(Quantity quantity)
{
    return rowOf(quantity).example;
}

std::string unitChoices(Quantity quantity)
{
    const QuantityRow& row = rowOf(quantity);
    std::string text;
    for (std::size_t i = 0; i < row.count; ++i) {
        text += i == 0 ? "" : i + 1 == row.count ? " or " : ", ";
        text += row.units[i].name;
    }
    return text;
}

std::string unitPattern(Quantity quantity)
{
    const QuantityRow& row = rowOf(quantity);
    std::string units;
    for (std::size_t i = 0; i < row.count; ++i)
        units += (i == 0 ? "" : "|") + std::string(row.units[i].name);
    return "^[0-9]+(\\.[0-9]+)? ?(" + units + ")$";
}

Parsed parseQuantity(Quantity quantity, std::string_view text)
{
    const QuantityRow& row = rowOf(quantity);
    const auto fail = [&](std::string why) { return Parsed{std::nullopt, std::move(why)}; };
    const std::string advice =
        fmt::format("write {} with a unit ({}), like \"{}\"", article(row.name), unitChoices(quantity), row.example);

    const Decimal number = readDecimal(text);
    if (number.length == 0)
        return fail(advice);
    std::string_view unit = text.substr(number.length);
    if (!unit.empty() && unit.front() == ' ')
        unit.remove_prefix(1);
    if (unit.empty())
        return fail("has no unit: " + advice);
    const UnitRow* found = nullptr;
    for (std::size_t i = 0; i < row.count; ++i) {
        if (row.units[i].name == unit)
            found = &row.units[i];
    }
    if (found == nullptr)
        return fail(fmt::format("\"{}\" is not a unit of {}: {}", unit, row.name, advice));
    if (number.tooLong)
        return fail("has too many digits");

    __extension__ using Wide = unsigned __int128;
    Wide divisor = 1;
    for (unsigned i = 0; i < number.decimals; ++i)
        divisor *= 10;
    // digits < 10^19 and scale <= 10^15 keep the product below 2^128.
    const Wide product = number.digits * static_cast<Wide>(found->scale);
    if (product % divisor != 0)
        return fail(fmt::format("is finer than the resolution of {}", row.resolution));
    const Wide value = product / divisor;
    if (value > static_cast<Wide>(INT64_MAX))
        return fail("is too large");
    return {static_cast<std::int64_t>(value), {}};
}

std::string quantityText(Quantity quantity, std::int64_t value)
{
    const QuantityRow& row = rowOf(quantity);
    // Sizes read best as whole numbers, durations have no other; everything else may have decimals (its scales are
    // powers of ten).
    const bool whole = quantity == Quantity::Size || quantity == Quantity::Duration;
    const UnitRow* best = &row.units[0];
    for (std::size_t i = 0; i < row.count; ++i) {
        const UnitRow& unit = row.units[i];
        if (value < unit.scale || unit.scale <= best->scale)
            continue;
        const bool usable = whole ? value % unit.scale == 0 : i < row.preferred;
        if (usable)
            best = &unit;
    }
    if (value == 0 && quantity == Quantity::Time)
        return "0s";
    std::string text = std::to_string(value / best->scale);
    std::int64_t rest = value % best->scale;
    text += rest != 0 ? "." : "";
    for (; rest != 0; rest %= best->scale) { // terminates: scales that may leave a remainder are powers of ten
        rest *= 10;
        text += static_cast<char>('0' + rest / best->scale);
    }
    return text + std::string(best->name);
}

} // namespace strobe::platform
