// SPDX-License-Identifier: Apache-2.0
#include "models/nand/error_model.h"
#include "tests/domain/nand/error_tables.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

constexpr double day = 24;
constexpr double month = 720;
constexpr double year = 8'760;

PageStress page(double cycles, double hours, double reads = 0, std::uint32_t type = 0)
{
    PageStress history;
    history.cycles = cycles;
    history.hours = hours;
    history.reads = reads;
    history.pageType = type;
    return history;
}

bool isNear(double value, double expected, double share)
{
    return std::abs(value - expected) <= expected * share;
}

} // namespace

TEST_CASE("the formula is the sum of its four terms")
{
    const ErrorModel model = formulaModel();
    const auto rate = [&](double cycles, double hours, double reads) {
        return bitErrorRate(model, page(cycles, hours, reads), 0);
    };
    CHECK(rate(0, 0, 0) == 1.48e-3);
    const double cycled = 1.48e-3 + 3.90e-10 * std::pow(1'000, 2.05);
    CHECK(isNear(rate(1'000, 0, 0), cycled, 1e-12));
    const double stored = cycled + 6.28e-5 * std::pow(1'000, 0.14) * std::pow(100, 0.54);
    CHECK(isNear(rate(1'000, 100, 0), stored, 1e-12));
    CHECK(isNear(rate(1'000, 100, 200), stored + 3.73e-9 * std::pow(1'000, 0.33) * std::pow(200, 1.71), 1e-12));
}

TEST_CASE("page types, variation and read options multiply the formula")
{
    ErrorModel model = formulaModel();
    model.formula.pageFactors = {0.5, 2, 1};
    model.options = {{{}, 0.25}};
    PageStress history = page(0, 0);
    CHECK(isNear(bitErrorRate(model, history, 0), 0.74e-3, 1e-12));
    history.pageType = 1;
    CHECK(isNear(bitErrorRate(model, history, 1), 0.74e-3, 1e-12));
    history.variation = std::log(3.0);
    CHECK(isNear(bitErrorRate(model, history, 0), 3 * 2.96e-3, 1e-12));
}

// The values of the fact sheet, computed independently from the same tables with the references of one day.
TEST_CASE("threshold voltages give the bit error rates of lower, centre and upper pages")
{
    const ErrorModel model = statesModel();
    struct Row {
        double hours;
        std::uint32_t option;
        double lower, centre, upper;
    };
    for (const Row& row : {Row{day, 0, 6.4e-4, 3.3e-4, 1.8e-4}, Row{month, 0, 1.5e-3, 2.1e-3, 1.7e-3},
                           Row{year, 0, 2.9e-3, 9.8e-3, 5.9e-3}, Row{year, 1, 2.7e-3, 5.4e-3, 3.2e-3}}) {
        INFO("hours " << row.hours << ", option " << row.option);
        CHECK(isNear(bitErrorRate(model, page(2'000, row.hours, 0, 0), row.option), row.lower, 0.04));
        CHECK(isNear(bitErrorRate(model, page(2'000, row.hours, 0, 1), row.option), row.centre, 0.04));
        CHECK(isNear(bitErrorRate(model, page(2'000, row.hours, 0, 2), row.option), row.upper, 0.04));
    }
}

TEST_CASE("moved references help old data and hurt fresh data")
{
    const ErrorModel model = statesModel();
    for (std::uint32_t type = 0; type < 3; ++type) {
        CHECK(bitErrorRate(model, page(2'000, year, 0, type), 1) < bitErrorRate(model, page(2'000, year, 0, type), 0));
        CHECK(bitErrorRate(model, page(2'000, day, 0, type), 1) > bitErrorRate(model, page(2'000, day, 0, type), 0));
    }
}

TEST_CASE("errors grow with cycles, with the logarithm of time, and with reads")
{
    for (const ErrorModel& model : {formulaModel(), statesModel()}) {
        double last = 0;
        for (const double hours : {0.1, 1.0, 10.0, 100.0, 1'000.0, 10'000.0}) {
            const double rate = bitErrorRate(model, page(2'000, hours, 0, 1), 0);
            CHECK(rate > last);
            last = rate;
        }
        CHECK(bitErrorRate(model, page(500, year, 0, 1), 0) < bitErrorRate(model, page(3'000, year, 0, 1), 0));
    }
    ErrorModel model = statesModel();
    model.states.disturb = 0.05;
    CHECK(bitErrorRate(model, page(2'000, day, 300, 0), 0) > 1.5 * bitErrorRate(model, page(2'000, day, 0, 0), 0));
    CHECK(bitErrorRate(model, page(2'000, day, 300, 2), 0) == bitErrorRate(model, page(2'000, day, 0, 2), 0));
}

TEST_CASE("no history gives more errors than noise")
{
    ErrorModel model = statesModel();
    model.states.disturb = 1e6;
    CHECK(bitErrorRate(model, page(1e6, 1e6, 1e6, 0), 0) <= 0.5);
    CHECK(bitErrorRate(formulaModel(), page(1e6, 1e6, 1e6), 0) == 0.5);
}

TEST_CASE("in pSLC mode there are few errors, whatever the page type, and a read option changes nothing")
{
    for (const ErrorModel& given : {formulaModel(), statesModel()}) {
        ErrorModel model = given;
        model.formula.pageFactors = {0.5, 2, 1};
        model.options.resize(1);
        model.options[0].factor = 0.5;
        double last = 0;
        for (const double hours : {day, month, year}) {
            PageStress history = page(2'000, hours);
            history.pslc = true;
            const double rate = bitErrorRate(model, history, 0);
            CHECK(rate > last);
            CHECK(rate < 0.05 * bitErrorRate(model, page(2'000, hours), 0));
            CHECK(bitErrorRate(model, history, 1) == rate);
            history.pageType = 1;
            CHECK(bitErrorRate(model, history, 0) == rate);
            last = rate;
        }
    }
}

TEST_CASE("in pSLC mode the states are the erased and the highest one, with a reference halfway between")
{
    ErrorModel model = statesModel();
    model.states.retention.resize(1);
    model.states.wear.clear();
    PageStress history = page(2'000, day);
    history.pslc = true;
    history.variation = 2; // three times as wide, so that there is something to see
    // The reference at 177.7 is 270.4 above the erased state and below the highest one.
    const double erased = 0.5 * std::erfc(270.4 / (3 * 48.2) / std::sqrt(2.0));
    const double highest = 0.5 * std::erfc(270.4 / (3 * 9.1) / std::sqrt(2.0));
    CHECK(isNear(bitErrorRate(model, history, 0), (erased + highest) / 2, 1e-9));
}

// Li et al., HotStorage'21: one year at 25 C.
TEST_CASE("storage at a higher temperature ages data as Arrhenius says")
{
    CHECK(isNear(year / acceleration(1.1, 60, 25), 97.65, 0.01));
    CHECK(isNear(year / acceleration(1.1, 80, 25), 11.16, 0.01));
    CHECK(isNear(year / acceleration(1.1, 120, 25), 0.28, 0.02));
    CHECK(acceleration(1.1, 30, 30) == 1);
    CHECK(acceleration(1.1, 20, 30) < 1);
}
