// SPDX-License-Identifier: Apache-2.0
//
// The history of the blocks of a die with an error model; the rates themselves are tested in test_error_model.cpp.
#include "models/nand/cell_errors.h"
#include "models/nand/die.h"
#include "tests/domain/nand/die_helpers.h"
#include "tests/domain/nand/error_tables.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

constexpr double year = 8'760;

Part agingPart()
{
    Part part = smallPart();
    part.endurance = 3'000;
    part.pageTypes = {{"LSB"}, {"CSB"}, {"MSB"}};
    part.errors = statesModel();
    part.errors.states.disturb = 0.05;
    return part;
}

constexpr Aging stored{0.5, 1024, year, 40};

} // namespace

TEST_CASE("data of before the run is as old as the storage, data of the run is as old as its program")
{
    const Part part = agingPart();
    CellErrors errors(part, stored, Rng(1, "errors"));
    errors.leaveTime();
    errors.programmed(2);
    errors.enterTime(1us);
    errors.programmed(3);
    PageStress old;
    old.cycles = 2'000;
    old.hours = year;
    old.reads = 10; // 40 reads of a block of four pages
    CHECK(errors.rate({2, 0}, 2'000, 0) == Approx(bitErrorRate(part.errors, old, 0)).epsilon(1e-9));
    CHECK(errors.rate({3, 0}, 2'000, 0) < errors.rate({2, 0}, 2'000, 0));
    const double fresh = errors.rate({3, 1}, 2'000, 0);
    errors.enterTime(Time(std::chrono::hours(2)));
    CHECK(errors.rate({3, 1}, 2'000, 0) > fresh);
    errors.powerOff(Time(std::chrono::hours(2)));
    errors.enterTime(1s);
    const double later = errors.rate({3, 1}, 2'000, 0);
    CHECK(later > fresh); // the age survives
    errors.erased(2);
    errors.programmed(2);
    CHECK(errors.rate({2, 1}, 2'000, 0) < fresh * 1.01);
}

TEST_CASE("reads disturb their block until it is erased")
{
    const Part part = agingPart();
    CellErrors errors(part, {}, Rng(1, "errors"));
    errors.enterTime(Time{});
    errors.programmed(1);
    errors.programmed(2);
    const double before = errors.rate({1, 0}, 2'000, 0);
    for (int read = 0; read < 2'000; ++read)
        errors.sensed(1);
    CHECK(errors.rate({1, 0}, 2'000, 0) > 1.5 * before);
    CHECK(errors.rate({2, 0}, 2'000, 0) == before);
    CHECK(errors.disturb().mostReads == 2'000);
    CHECK(errors.disturb().toReclaim == 0);
    errors.erased(1);
    errors.programmed(1);
    CHECK(errors.rate({1, 0}, 2'000, 0) == before);
    CHECK(errors.disturb().mostReads == 0);
}

TEST_CASE("blocks above the threshold of the part are counted")
{
    Part part = agingPart();
    part.errors.reclaimReads = 3;
    CellErrors errors(part, {}, Rng(1, "errors"));
    for (const std::uint32_t block : {1U, 1U, 1U, 2U, 2U, 4U, 4U, 4U, 4U})
        errors.sensed(block);
    CHECK(errors.disturb().toReclaim == 2);
}

TEST_CASE("process variation belongs to blocks and word lines and comes from the seed")
{
    Part part = agingPart();
    part.errors.blockSpread = 0.05;
    const auto rates = [&part](std::uint64_t seed) {
        CellErrors errors(part, stored, Rng(seed, "errors"));
        std::vector<double> all;
        for (std::uint32_t block = 0; block < 8; ++block) {
            for (std::uint32_t page = 0; page < 4; page += 3) // of one type, on two word lines
                all.push_back(errors.rate({block, page}, 2'000, 0));
        }
        return all;
    };
    const std::vector<double> ofBlocks = rates(1);
    CHECK(rates(1) == ofBlocks);
    CHECK(rates(2) != ofBlocks);
    CHECK(std::set<double>(ofBlocks.begin(), ofBlocks.end()).size() == 8);
    part.errors.wordLineSpread = 0.05;
    const std::vector<double> ofLines = rates(1);
    CHECK(std::set<double>(ofLines.begin(), ofLines.end()).size() == 16);
}

TEST_CASE("a read reports the errors of the worst codeword under its read option")
{
    const Part part = agingPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"), stored);
    PageTags tags = tagsOf(0, 1);
    for (std::uint32_t page = 0; page < 2; ++page) {
        Operation program = makeProgram({1, page}, tags);
        die.executeAtOnce(program);
        REQUIRE(program.status == Status::Ok);
    }
    const auto meanErrors = [&](std::uint8_t option) {
        double sum = 0;
        for (int i = 0; i < 300; ++i) {
            Operation read = make(Opcode::Read, {1, 1});
            read.readOption = option;
            die.executeAtOnce(read);
            REQUIRE(read.status == Status::Ok);
            sum += read.bitErrors;
        }
        return sum / 300;
    };
    const double before = meanErrors(0);
    CHECK(before > 60); // 8192 bits at about 1e-2
    CHECK(before < 130);
    CHECK(meanErrors(1) < 0.7 * before);
}

TEST_CASE("SET FEATURES holds until the next one, and a die refuses what it was not set to")
{
    const Part part = agingPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"), stored);
    Time now{};
    const auto issue = [&](Form form, std::uint8_t option, std::uint8_t senses = 1) {
        Operation read = make(Opcode::Read, {1, 1});
        read.form = form;
        read.readOption = option;
        read.senses = senses;
        now = die.issue(read, now);
        return read;
    };
    CHECK(issue(Form::Alone, 0).status == Status::Ok);
    CHECK(issue(Form::Alone, 1).reason == IllegalReason::NoOption);      // not set
    CHECK(issue(Form::References, 2).reason == IllegalReason::NoOption); // none of the part
    CHECK(issue(Form::References, 1).status == Status::Ok);
    CHECK(issue(Form::Alone, 1).status == Status::Ok);
    CHECK(issue(Form::Alone, 0).reason == IllegalReason::NoOption);
    CHECK(die.errors()->counters().featureSets == 1);
    die.powerOff(now);
    now = {};
    CHECK(issue(Form::Alone, 0).status == Status::Ok);
}

TEST_CASE("a soft read is several senses, each with its array time, after which no option is set")
{
    const Part part = agingPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"), stored);
    Operation read = make(Opcode::Read, {1, 1});
    read.form = Form::References;
    read.readOption = 1;
    read.senses = 3;
    const Time first = die.issue(read, Time{});
    CHECK(first == 25us);
    CHECK(read.accesses == 2);
    read.form = Form::Sense;
    CHECK(die.issue(read, first) == 50us);
    CHECK(die.issue(read, 50us) == 75us);
    CHECK(die.counters().array.reads == 3);
    CHECK(die.errors()->counters().softSenses == 2);
    Operation next = make(Opcode::Read, {1, 1});
    next.readOption = 1;
    CHECK(die.probe(next, 75us).reason == IllegalReason::NoOption);
}

TEST_CASE("a part without an error model has no read options and no soft reads")
{
    const Part part = smallPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    CHECK(die.errors() == nullptr);
    Operation read = make(Opcode::Read);
    read.readOption = 1;
    CHECK(die.probe(read, Time{}).reason == IllegalReason::NoOption);
    read.readOption = 0;
    read.senses = 2;
    CHECK(die.probe(read, Time{}).reason == IllegalReason::NoOption);
    read.senses = 1;
    read.form = Form::References;
    CHECK(die.probe(read, Time{}).reason == IllegalReason::NoOption);
}

TEST_CASE("a page in pSLC mode is a word line of its own, and has its errors, also under a read option")
{
    Part part = agingPart();
    part.cell = CellTechnology::Tlc;
    part.geometry.pagesPerBlock = 6;
    part.geometry.pslcPages = 2;
    part.pslc.tPROG = 75us;
    part.pslc.tR = 9us;
    part.errors = formulaModel();
    part.errors.wordLineSpread = 0.2;
    part.errors.formula.pslcFactor = 0.02;
    part.errors.options = {{{}, 0.5}};
    CellErrors errors(part, stored, Rng(1, "errors"));
    for (const std::uint32_t option : {0U, 1U}) {
        // Page 1 in pSLC mode is on the word line of pages 3 to 5.
        PageStress history;
        history.cycles = 2'000;
        history.hours = year;
        history.reads = 20; // 40 reads of a block of two pages
        history.pslc = true;
        const double mean = bitErrorRate(part.errors, history, option);
        const double variation = errors.rate({1, 1}, 2'000, option, true) / mean;
        PageStress usual = history;
        usual.pslc = false;
        usual.reads = 40.0 / 6;
        const double usualVariation = errors.rate({1, 3}, 2'000, 0) / bitErrorRate(part.errors, usual, 0);
        CHECK(variation == Approx(usualVariation).epsilon(1e-9));
        CHECK(variation != 1);
    }

    Die die(DieId{0}, part, 0, Rng(1, "die"), stored);
    PageTags tags = tagsOf(0, 1);
    Operation program = makeProgram({1, 0}, tags);
    program.pslc = true;
    die.executeAtOnce(program);
    REQUIRE(program.status == Status::Ok);
    std::uint32_t sum = 0;
    Time now{};
    for (int i = 0; i < 100; ++i) {
        Operation read = make(Opcode::Read, {1, 0});
        read.pslc = true;
        read.readOption = 1;
        read.form = i == 0 ? Form::References : Form::Alone;
        now = die.issue(read, now);
        REQUIRE(read.status == Status::Ok);
        sum += read.bitErrors;
    }
    CHECK(now == 100 * 9us);
    CHECK(die.counters().pslc.reads == 100);
    CHECK(sum > 0); // 8192 bits at about 1e-3
    CHECK(sum < 100 * 20);
}
