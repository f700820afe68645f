// SPDX-License-Identifier: Apache-2.0
//
// Cells that age: times and errors by the wear of the block, and draws with the specified mean.
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

Part ageingPart()
{
    Part part = smallPart();
    part.endurance = 4;
    part.wear.points = {{0, 1, 0.9, 1.2, 1e-6}, {1, 2, 1.5, 3, 1e-4}, {2, 3, 3, 3, 1e-2}};
    return part;
}

Time programTime(Die& die, PageAddress target, Time& now)
{
    Operation op = make(Opcode::Program, target);
    const Time ready = die.issue(op, now);
    const Time busy = ready - now;
    now = ready;
    return busy;
}

void erase(Die& die, std::uint32_t block, Time& now)
{
    Operation op = make(Opcode::Erase, {block, 0});
    now = die.issue(op, now);
    REQUIRE(op.status == Status::Ok);
}

} // namespace

TEST_CASE("between the points of wear times are interpolated, error rates by their logarithm; beyond them both stay")
{
    const WearCurve curve = ageingPart().wear;
    CHECK(curve.at(0.5).programMean == Approx(1.5));
    CHECK(curve.at(0.5).programMin == Approx(1.2));
    CHECK(curve.at(0.5).programMax == Approx(2.1));
    CHECK(curve.at(0.5).bitErrorRate == Approx(1e-5));
    CHECK(curve.at(1).programMean == Approx(2));
    CHECK(curve.at(7).bitErrorRate == Approx(1e-2));
    WearCurve later = curve;
    later.points[0].wear = 0.25;
    CHECK(later.at(0).programMean == Approx(1));
    later.points[0].bitErrorRate = 0;
    CHECK(later.at(0.625).bitErrorRate == Approx(0.5e-4));
}

TEST_CASE("drawn program times lie between minimum and maximum and have the mean")
{
    Rng rng(7, "draws");
    const WearPoint point{1, 2, 1.5, 4, 0};
    constexpr int draws = 20'000;
    double sum = 0;
    for (int i = 0; i < draws; ++i) {
        const double factor = toMicroseconds(drawProgramTime(100us, point, rng)) / 100;
        REQUIRE(factor >= 1.5);
        REQUIRE(factor <= 4);
        sum += factor;
    }
    CHECK(sum / draws == Approx(2).margin(0.02));
    CHECK(drawProgramTime(100us, {1, 2, 2, 2, 0}, rng) == 200us);
}

TEST_CASE("the worst of several codewords has the distribution of the largest Poisson draw")
{
    Rng rng(7, "draws");
    CHECK(drawWorst(0, 8, rng) == 0);
    constexpr int draws = 20'000;
    for (const double mean : {0.1, 3.0, 80.0}) {
        int above = 0;
        const auto median = static_cast<std::uint32_t>(mean);
        for (int i = 0; i < draws; ++i)
            above += drawWorst(mean, 4, rng) > median ? 1 : 0;
        double below = 0;
        double term = std::exp(-mean);
        for (std::uint32_t k = 0; k <= median; term *= mean / ++k)
            below += term;
        CHECK(above == Approx(draws * (1 - std::pow(below, 4))).margin(draws * 0.02));
    }
    CHECK(drawWorst(5000, 1, rng) > 4000); // far beyond what exp() can hold
}

TEST_CASE("a block's programs take longer with each of its erases, other blocks' do not")
{
    const Part part = ageingPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    Time now{};
    const Time fresh = programTime(die, {0, 0}, now);
    CHECK(fresh >= 180us);
    CHECK(fresh <= 240us);
    for (int i = 0; i < 8; ++i)
        erase(die, 0, now);
    CHECK(die.wear({0, 0}) == Approx(2));
    CHECK(programTime(die, {0, 0}, now) == 600us);
    CHECK(programTime(die, {2, 0}, now) <= 240us);
}

TEST_CASE("a die may begin with wear, and without a curve of its part it does not age")
{
    const Part part = ageingPart();
    Die aged(DieId{0}, part, 0, Rng(1, "die"), {2, 1024});
    Time now{};
    CHECK(programTime(aged, {0, 0}, now) == 600us);
    const Part plain = smallPart();
    Die ageless(DieId{0}, plain, 0, Rng(1, "die"), {2, 1024});
    CHECK(programTime(ageless, {0, 0}, now) == 200us);
}

TEST_CASE("reads of a worn block take the same time, but have more bit errors")
{
    const Part part = ageingPart();
    const auto errorsAt = [&part](double wear) {
        Die die(DieId{0}, part, 0, Rng(1, "die"), {wear, 1024});
        Time now{};
        Operation blank = make(Opcode::Read, {0, 1});
        now = die.issue(blank, now);
        CHECK(blank.bitErrors == 0);
        programTime(die, {0, 0}, now);
        std::uint64_t errors = 0;
        for (int i = 0; i < 100; ++i) {
            Operation op = make(Opcode::Read, {0, 0});
            const Time ready = die.issue(op, now);
            CHECK(ready - now == 25us);
            now = ready;
            errors += op.bitErrors;
        }
        return errors;
    };
    CHECK(errorsAt(0) < 10);
    CHECK(errorsAt(1) > errorsAt(0));
    CHECK(errorsAt(2) > 7'000); // 8,192 bits at 1 %, the worse of two codewords
}

TEST_CASE("of several planes the slowest program decides")
{
    const Part part = ageingPart();
    Die die(DieId{0}, part, 0, Rng(3, "die"));
    Time now{};
    for (int i = 0; i < 8; ++i)
        erase(die, 0, now);
    Operation first = make(Opcode::Program, {0, 0});
    first.form = Form::Plane;
    now = die.issue(first, now);
    Operation last = make(Opcode::Program, {1, 0}); // of a fresh block
    last.form = Form::LastPlane;
    CHECK(die.issue(last, now) - now == 600us);
}

TEST_CASE("a word line has one program time, by the wear of its block; of several planes the slowest decides")
{
    Part part = ageingPart();
    part.geometry.pagesPerProgram = 2;
    part.times.tPBSY = 3us;
    part.wear.points = {{0, 1, 1, 1, 0}, {1, 2, 2, 2, 0}, {2, 3, 3, 3, 0}}; // nothing is drawn
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    Time now{};
    for (int i = 0; i < 8; ++i)
        erase(die, 3, now);
    const auto issue = [&](Form form, PageAddress target) {
        Operation op = make(Opcode::Program, target);
        op.form = form;
        const Time busy = die.issue(op, now) - now;
        now += busy;
        return busy;
    };
    CHECK(issue(Form::WordLinePage, {2, 0}) == 3us);
    CHECK(issue(Form::WordLineEnd, {2, 1}) == 200us);
    CHECK(issue(Form::WordLinePage, {3, 0}) == 3us);
    CHECK(issue(Form::WordLineEnd, {3, 1}) == 600us);
    issue(Form::WordLinePlane, {3, 2});
    issue(Form::WordLinePage, {2, 2});
    issue(Form::Plane, {3, 3});
    CHECK(issue(Form::LastPlane, {2, 3}) == 600us);
    issue(Form::WordLinePage, {4, 0}); // nothing of it stays
    CHECK(issue(Form::WordLineEnd, {4, 1}) == 200us);
}

TEST_CASE("a power loss late in a slow program interrupts it, and before it the program has not begun")
{
    const Part part = ageingPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"), {2, 1024});
    Operation op = make(Opcode::Program, {0, 0});
    CHECK(die.issue(op, 100us) == 700us);
    CHECK(die.powerOff(150us) == 1); // a fresh page's program would have ended at 300 us
    CHECK(die.block(0).nextPage == 1);
}
