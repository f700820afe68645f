// SPDX-License-Identifier: Apache-2.0
#include "platform/config/units.h"
#include "tests/support/catch.h"

using namespace strobe::platform;

namespace {

std::int64_t value(Quantity kind, std::string_view text)
{
    const Parsed parsed = parseQuantity(kind, text);
    INFO(text << ": " << parsed.error);
    REQUIRE(parsed.value);
    return *parsed.value;
}

std::string error(Quantity kind, std::string_view text)
{
    const Parsed parsed = parseQuantity(kind, text);
    INFO(text);
    REQUIRE_FALSE(parsed.value);
    return parsed.error;
}

} // namespace

TEST_CASE("times are exact to the picosecond")
{
    CHECK(value(Quantity::Time, "19.81ns") == 19'810);
    CHECK(value(Quantity::Time, "0.001ns") == 1);
    CHECK(value(Quantity::Time, "7.82 ns") == 7'820);
    CHECK(value(Quantity::Time, "25us") == 25'000'000);
    CHECK(value(Quantity::Time, "1.5ms") == 1'500'000'000);
    CHECK(value(Quantity::Time, "100s") == 100'000'000'000'000);
    CHECK(value(Quantity::Time, "3ps") == 3);
    CHECK(value(Quantity::Time, "0s") == 0);
    CHECK(value(Quantity::Time, "0.1000000000000ns") == 100);
}

TEST_CASE("IEC and SI sizes are kept apart")
{
    CHECK(value(Quantity::Size, "2KiB") == 2'048);
    CHECK(value(Quantity::Size, "2kB") == 2'000);
    CHECK(value(Quantity::Size, "1MiB") == 1'048'576);
    CHECK(value(Quantity::Size, "1MB") == 1'000'000);
    CHECK(value(Quantity::Size, "1GiB") == 1'073'741'824);
    CHECK(value(Quantity::Size, "1GB") == 1'000'000'000);
    CHECK(value(Quantity::Size, "1TiB") == 1'099'511'627'776);
    CHECK(value(Quantity::Size, "1TB") == 1'000'000'000'000);
    CHECK(value(Quantity::Size, "0.5KiB") == 512);
    CHECK(value(Quantity::Size, "512B") == 512);
}

TEST_CASE("frequencies, rates, energies, powers and percentages have base units")
{
    CHECK(value(Quantity::Frequency, "50MHz") == 50'000'000);
    CHECK(value(Quantity::Frequency, "1.2GHz") == 1'200'000'000);
    CHECK(value(Quantity::Frequency, "32kHz") == 32'000);
    CHECK(value(Quantity::Frequency, "7Hz") == 7);
    CHECK(value(Quantity::Rate, "300MB/s") == 300'000'000);
    CHECK(value(Quantity::Rate, "1MiB/s") == 1'048'576);
    CHECK(value(Quantity::Rate, "1.6GB/s") == 1'600'000'000);
    CHECK(value(Quantity::Rate, "2kB/s") == 2'000);
    CHECK(value(Quantity::Energy, "1.5nJ") == 1'500'000);
    CHECK(value(Quantity::Energy, "2pJ") == 2'000);
    CHECK(value(Quantity::Energy, "3uJ") == 3'000'000'000);
    CHECK(value(Quantity::Energy, "1J") == 1'000'000'000'000'000);
    CHECK(value(Quantity::Power, "25mW") == 25'000'000);
    CHECK(value(Quantity::Power, "1.5W") == 1'500'000'000);
    CHECK(value(Quantity::Power, "3uW") == 3'000);
    CHECK(value(Quantity::Percent, "7%") == 70);
    CHECK(value(Quantity::Percent, "12.5 %") == 125);
}

TEST_CASE("a bare number says which units to write")
{
    CHECK(error(Quantity::Time, "25") == "has no unit: write a time with a unit (ps, ns, us, ms or s), like \"25us\"");
    CHECK(error(Quantity::Energy, "25") ==
          "has no unit: write an energy with a unit (fJ, pJ, nJ, uJ, mJ or J), like \"150nJ\"");
}

TEST_CASE("a unit of another quantity is named")
{
    CHECK(error(Quantity::Time, "25MHz") ==
          "\"MHz\" is not a unit of time: write a time with a unit (ps, ns, us, ms or s), like \"25us\"");
    CHECK(error(Quantity::Size, "2KB").find("\"KB\" is not a unit of size") == 0);
    CHECK(error(Quantity::Rate, "3Gb/s").find("\"Gb/s\" is not a unit of rate") == 0);
}

TEST_CASE("a number that is not a plain decimal is refused")
{
    for (const char* text :
         {"", "us", "-1us", "+1us", " 1us", "1e3us", ".5us", "5.us", "1,5us", "1  us", "us1", "0x10us"})
        CHECK_FALSE(parseQuantity(Quantity::Time, text).value);
}

TEST_CASE("nothing is rounded: what is finer than the resolution is refused")
{
    CHECK(error(Quantity::Time, "0.5ps") == "is finer than the resolution of 1 ps");
    CHECK(error(Quantity::Time, "1.0001ns") == "is finer than the resolution of 1 ps");
    CHECK(error(Quantity::Size, "0.3KiB") == "is finer than the resolution of 1 B");
    CHECK(error(Quantity::Percent, "1.25%") == "is finer than the resolution of 0.1 %");
}

TEST_CASE("the largest value is taken, one more is too large")
{
    CHECK(value(Quantity::Time, "9223372036854775807ps") == INT64_MAX);
    CHECK(error(Quantity::Time, "9223372036854775808ps") == "is too large");
    CHECK(error(Quantity::Time, "9223373s").find("too large") != std::string::npos);
    CHECK(error(Quantity::Time, "99999999999999999999s") == "has too many digits");
}

TEST_CASE("a value is written in the largest unit that leaves at least one, and reads back the same")
{
    CHECK(quantityText(Quantity::Time, 19'810) == "19.81ns");
    CHECK(quantityText(Quantity::Time, 25'000'000) == "25us");
    CHECK(quantityText(Quantity::Time, 0) == "0s");
    CHECK(quantityText(Quantity::Time, 999) == "999ps");
    CHECK(quantityText(Quantity::Time, 1'001) == "1.001ns");
    CHECK(quantityText(Quantity::Size, 2'048) == "2KiB");
    CHECK(quantityText(Quantity::Size, 2'000) == "2kB");
    CHECK(quantityText(Quantity::Size, 1'025) == "1025B");
    CHECK(quantityText(Quantity::Size, 64'000'000'000) == "64GB");
    CHECK(quantityText(Quantity::Rate, 800'000'000) == "800MB/s");
    CHECK(quantityText(Quantity::Frequency, 1'250'000'000) == "1.25GHz");
    CHECK(quantityText(Quantity::Percent, 70) == "7%");
    CHECK(quantityText(Quantity::Percent, 125) == "12.5%");

    for (const Quantity kind : {Quantity::Time, Quantity::Size, Quantity::Frequency, Quantity::Rate, Quantity::Energy,
                                Quantity::Power, Quantity::Percent}) {
        for (const std::int64_t v :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{999}, std::int64_t{1'000},
              std::int64_t{1'024}, std::int64_t{19'814}, std::int64_t{1'048'576}, std::int64_t{123'456'789'012},
              std::int64_t{999'999'999'999'999}}) {
            INFO(quantityText(kind, v));
            CHECK(value(kind, quantityText(kind, v)) == v);
        }
    }
}

TEST_CASE("durations are whole seconds up to years, printed in the largest unit that has no decimals")
{
    CHECK(parseQuantity(Quantity::Duration, "90d").value == 90 * 24 * 3'600);
    CHECK(parseQuantity(Quantity::Duration, "1.5h").value == 5'400);
    CHECK(!parseQuantity(Quantity::Duration, "1ms").value);
    CHECK(quantityText(Quantity::Duration, 90 * 24 * 3'600) == "90d");
    CHECK(quantityText(Quantity::Duration, 365 * 24 * 3'600) == "1y");
    CHECK(quantityText(Quantity::Duration, 3'601) == "3601s");
    CHECK(quantityText(Quantity::Duration, 0) == "0s");
}
