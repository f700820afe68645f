// SPDX-License-Identifier: Apache-2.0
//
// Plane-independent reads on a bus. Timelines by hand: cycles of 10 ns, a read request 40 ns, tR 1 us, the status of
// the plane and its data 5,190 ns; a program request 5,160 ns, tPROG 2 us, status 20 ns.
#include "models/base/rng.h"
#include "tests/domain/channel/parts.h"
#include "tests/domain/channel/train_player.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

nand::Part independent(std::uint32_t planes = 2)
{
    nand::Part part = roundPart();
    part.geometry.planes = planes;
    part.planeIndependentReads = true;
    part.times.tPSUSP = 150ns;
    part.times.tESUSP = 200ns;
    part.times.tPRSM = 40ns;
    part.times.tERSM = 70ns;
    part.maxSuspends = 8;
    return part;
}

JoinPolicy suspending(std::uint32_t reads)
{
    JoinPolicy join;
    join.suspend = Suspend::Both;
    join.suspendReads = reads;
    return join;
}

nand::Operation at(Opcode opcode, nand::PageAddress target)
{
    nand::Operation op = operation(opcode, opcode == Opcode::Erase ? 0 : 1);
    op.target = target;
    return op;
}

using Phases = std::vector<std::string>;

} // namespace

TEST_CASE("planes sense different pages at the same time")
{
    TrainPlayer player(roundTiming(), independent(), 1, {});
    player.add(0, 0ns, at(Opcode::Read, {2, 0}));
    player.add(0, 0ns, at(Opcode::Read, {5, 7}));
    player.play();
    CHECK(player.phases ==
          Phases{"0 request 0-40", "0 request 40-80", "0 response 1040-6230", "0 response 6230-11420"});
    CHECK(player.operations[1].form == nand::Form::PlaneRead);
    CHECK(player.dies[0]->counters().planeReads.overlapped == 1);
}

TEST_CASE("without the property of the part, one read follows the other")
{
    nand::Part part = independent();
    part.planeIndependentReads = false;
    TrainPlayer player(roundTiming(), part, 1, {});
    player.add(0, 0ns, at(Opcode::Read, {2, 0}));
    player.add(0, 0ns, at(Opcode::Read, {5, 7}));
    player.play();
    CHECK(player.phases ==
          Phases{"0 request 0-40", "0 response 1040-6160", "0 request 6160-6200", "0 response 7200-12320"});
}

TEST_CASE("reads of one plane keep their order, and those of another plane pass them")
{
    TrainPlayer player(roundTiming(), independent(), 1, {});
    player.add(0, 0ns, at(Opcode::Read, {2, 0}));
    player.add(0, 0ns, at(Opcode::Read, {4, 0}));
    player.add(0, 0ns, at(Opcode::Read, {3, 0}));
    player.play();
    CHECK(player.phases == Phases{"0 request 0-40", "0 request 40-80", "0 response 1040-6230", "0 request 6230-6270",
                                  "0 response 6270-11460", "0 response 11460-16650"});
    CHECK(player.operations[2].done == 11460ns);
    CHECK(player.operations[1].done == 16650ns);
}

TEST_CASE("reads of one option are not joined, and a read with another one takes the die alone")
{
    JoinPolicy join;
    join.multiPlane = join.cache = true;
    TrainPlayer player(roundTiming(), independent(), 1, join);
    player.add(0, 0ns, at(Opcode::Read, {2, 0}));
    player.add(0, 0ns, at(Opcode::Read, {3, 0}));
    player.add(0, 0ns, at(Opcode::Read, {4, 0}));
    player.play();
    for (const nand::Operation& op : player.operations)
        CHECK(op.form == nand::Form::PlaneRead);
    CHECK(player.dies[0]->counters().array.joined == 0);
    CHECK(player.dies[0]->counters().array.cached == 0);
}

TEST_CASE("a program waits until all planes are idle, and reads after it wait for the program")
{
    TrainPlayer player(roundTiming(), independent(), 1, {});
    player.add(0, 0ns, at(Opcode::Read, {2, 0}));
    player.add(0, 0ns, at(Opcode::Program, {3, 0}));
    player.add(0, 0ns, at(Opcode::Read, {5, 0}));
    player.play();
    CHECK(player.phases == Phases{"0 request 0-40", "0 response 1040-6230", "0 request 6230-11390",
                                  "0 response 13390-13410", "0 request 13410-13450", "0 response 14450-19640"});
}

TEST_CASE("a suspended program serves reads of several planes at once")
{
    TrainPlayer player(roundTiming(), independent(), 1, suspending(4));
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 5500ns, at(Opcode::Read, {3, 0}));
    player.add(0, 5500ns, at(Opcode::Read, {4, 0}));
    player.play();
    CHECK(player.phases == Phases{"0 request 0-5160", "0 suspend 5500-5510", "0 request 5660-5700",
                                  "0 request 5700-5740", "0 response 6700-11890", "0 response 11890-17080",
                                  "0 resume 17080-17090", "0 response 18780-18800"});
}

TEST_CASE("a suspension serves no more reads than it may, of all planes together")
{
    TrainPlayer player(roundTiming(), independent(), 1, suspending(1));
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 5500ns, at(Opcode::Read, {3, 0}));
    player.add(0, 5500ns, at(Opcode::Read, {4, 0}));
    player.play();
    CHECK(player.interface.suspensions() == 2);
    const nand::Operation& a = player.operations[1];
    const nand::Operation& b = player.operations[2];
    CHECK((a.requestStart > b.done || b.requestStart > a.done));
}

TEST_CASE("a read of the block that is programmed does not suspend it, whatever its plane does")
{
    TrainPlayer player(roundTiming(), independent(), 1, suspending(4));
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 5500ns, at(Opcode::Read, {2, 0}));
    player.add(0, 5500ns, at(Opcode::Read, {3, 0}));
    player.play();
    CHECK(player.operations[2].requestStart < player.operations[0].done);
    CHECK(player.operations[1].requestStart >= player.operations[0].done);
}

TEST_CASE("the die is in use while a plane is, once; each read waits from its submission to its request")
{
    TrainPlayer player(roundTiming(), independent(), 1, {});
    player.add(0, 0ns, at(Opcode::Read, {2, 0}));
    player.add(0, 0ns, at(Opcode::Read, {5, 7}));
    player.add(0, 50us, at(Opcode::Read, {5, 7}));
    player.play();
    const ResourceUsage& usage = player.interface.die(0).usage();
    CHECK(usage.busy == 11420ns + 6230ns);
    CHECK(usage.jobs == 3);
    CHECK(usage.waited == 40ns);
}

TEST_CASE("a random mix of operations on four planes ends, and no read passes a change of its block")
{
    const auto suspends = GENERATE(false, true);
    Rng rng(7, "plane reads");
    JoinPolicy join = suspends ? suspending(3) : JoinPolicy{};
    join.multiPlane = rng.below(2) == 0;
    TrainPlayer player(roundTiming(), independent(4), 3, join);
    for (int i = 0; i < 3000; ++i) {
        const auto die = static_cast<std::uint32_t>(rng.below(3));
        const auto block = static_cast<std::uint32_t>(rng.below(8));
        const Time when{static_cast<std::int64_t>(rng.below(12'000'000'000))};
        if (rng.below(4) != 0)
            player.add(die, when, at(Opcode::Read, {block, static_cast<std::uint32_t>(rng.below(64))}));
        else
            player.add(die, when, at(Opcode::Erase, {block, 0}));
    }
    player.play();
    std::uint64_t overlapped = 0;
    for (const auto& die : player.dies)
        overlapped += die->counters().planeReads.overlapped;
    CHECK(overlapped > 100);
    CHECK((player.interface.suspensions() > 10) == suspends);
    for (const nand::Operation& read : player.operations) {
        for (const nand::Operation& erase : player.operations) {
            if (read.opcode != Opcode::Read || erase.opcode != Opcode::Erase || read.die != erase.die ||
                read.target.block != erase.target.block || erase.submitted >= read.submitted)
                continue;
            if (read.requestStart < erase.done)
                FAIL_CHECK("a read of block " << read.target.block << " passes an erase of it");
        }
    }
}
