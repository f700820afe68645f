// SPDX-License-Identifier: Apache-2.0
//
// The queue of a die and its trains, without a bus. Their timelines on a bus are in test_join_policy.cpp.
#include "models/base/check.h"
#include "models/channel/lane_train.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <deque>
#include <utility>
#include <vector>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Form;
using nand::Opcode;
using Step = LaneTrain::Step;

namespace {

nand::Part planesPart()
{
    nand::Part part = roundPart();
    part.geometry.planes = 2;
    part.times.tPSUSP = 100ns;
    part.maxSuspends = 1;
    return part;
}

struct Lane {
    DieQueue queue;
    LaneTrain train;
    JoinPolicy join;
    nand::Part part = planesPart();
    std::deque<nand::Operation> operations;

    nand::Operation& add(Opcode opcode, nand::PageAddress target, nand::Priority priority = nand::Priority::Background)
    {
        operations.emplace_back();
        nand::Operation& op = operations.back();
        op.opcode = opcode;
        op.target = target;
        op.priority = priority;
        op.status = nand::Status::Ok;
        queue.push({&op, nullptr});
        return op;
    }
    void start() { train.start(queue, join, part); }
    Waiting issueNext() { return train.issueNext(queue, join, part); }
    bool extendCacheRead() { return train.extendCacheRead(queue, join, part); }
    bool advance() { return train.advance(queue, join); }
};

} // namespace

TEST_CASE("a die's queue serves foreground first, each priority in order of arrival")
{
    Lane lane;
    nand::Operation& a = lane.add(Opcode::Read, {1, 0});
    nand::Operation& b = lane.add(Opcode::Read, {2, 0}, nand::Priority::Foreground);
    nand::Operation& c = lane.add(Opcode::Read, {3, 0}, nand::Priority::Foreground);
    CHECK(lane.queue.size() == 3);
    CHECK(lane.queue.depth() == 2);
    CHECK(lane.queue.take(1).op == &c);
    CHECK(lane.queue.pop().op == &b);
    CHECK(lane.queue.front().op == &a);
    CHECK(lane.queue.maxSize() == 3);
    lane.queue.resetMaxSize();
    CHECK(lane.queue.maxSize() == 1);
}

TEST_CASE("planes are joined from the head of the queue, but not across priorities")
{
    Lane lane;
    lane.join.multiPlane = true;
    SECTION("of one priority")
    {
        nand::Operation& a = lane.add(Opcode::Program, {2, 5});
        nand::Operation& b = lane.add(Opcode::Program, {3, 5});
        lane.start();
        CHECK(lane.queue.empty());
        CHECK(a.form == Form::Plane);
        CHECK(b.form == Form::LastPlane);
        CHECK(&lane.train.latest() == &a);
        REQUIRE(lane.train.arrayDone(1us) == Step::NextRequest);
        CHECK(&lane.train.stepOperation() == &b);
        CHECK(lane.issueNext().op == &b);
        CHECK(&lane.train.latest() == &b);
        CHECK(lane.train.arrayDone(2us) == Step::Response);
        CHECK(lane.advance());
        CHECK(lane.train.first().op == &b);
        CHECK_FALSE(lane.advance());
    }
    SECTION("of two")
    {
        lane.part.geometry.planes = 4;
        lane.add(Opcode::Program, {4, 5}, nand::Priority::Foreground);
        nand::Operation& b = lane.add(Opcode::Program, {5, 5}, nand::Priority::Foreground);
        lane.add(Opcode::Program, {6, 5});
        lane.start();
        CHECK(b.form == Form::LastPlane);
        CHECK(lane.queue.size() == 1);
    }
}

TEST_CASE("a stepped operation is not joined with others")
{
    for (const Opcode opcode : {Opcode::Read, Opcode::Program}) {
        for (const bool isFirst : {true, false}) {
            Lane lane;
            lane.join.multiPlane = lane.join.cache = true;
            nand::Operation& a = lane.add(opcode, {2, 5});
            nand::Operation& b = lane.add(opcode, {3, 5});
            (isFirst ? a : b).isStepped = true;
            lane.start();
            CHECK(a.form == Form::Alone);
            CHECK(lane.train.arrayDone(1us) == Step::Response);
            CHECK_FALSE(lane.extendCacheRead());
            CHECK(lane.queue.size() == 1);
        }
    }
}

TEST_CASE("a cache read takes the next read when its data could go out, and ends with 3Fh")
{
    Lane lane;
    lane.join.cache = true;
    lane.add(Opcode::Read, {1, 0});
    lane.start();
    CHECK(lane.train.arrayDone(1us) == Step::Response);
    CHECK_FALSE(lane.extendCacheRead()); // nothing waits
    nand::Operation& b = lane.add(Opcode::Read, {1, 1});
    REQUIRE(lane.extendCacheRead());
    CHECK(b.form == Form::Cache);
    CHECK(lane.issueNext().op == &b);
    CHECK(lane.train.arrayDone(2us) == Step::Response);
    REQUIRE(lane.advance());
    CHECK(lane.train.step() == Step::CacheEnd);
    lane.train.endCacheRead();
    CHECK(lane.train.step() == Step::Response);
    lane.add(Opcode::Read, {1, 2});
    CHECK_FALSE(lane.extendCacheRead()); // the sequence is over
    CHECK_FALSE(lane.advance());
}

TEST_CASE("a read that failed is not the start of a cache read")
{
    Lane lane;
    lane.join.cache = true;
    lane.add(Opcode::Read, {1, 0}).status = nand::Status::Illegal;
    lane.add(Opcode::Read, {1, 1});
    lane.start();
    CHECK(lane.train.arrayDone(1us) == Step::Response);
    CHECK_FALSE(lane.extendCacheRead());
}

TEST_CASE("a cache program continues as long as the next operation is a program")
{
    Lane lane;
    lane.join.cache = true;
    nand::Operation& a = lane.add(Opcode::Program, {1, 0});
    nand::Operation& b = lane.add(Opcode::Program, {1, 1});
    nand::Operation& c = lane.add(Opcode::Program, {1, 2});
    lane.add(Opcode::Read, {2, 0});
    lane.start();
    CHECK(a.form == Form::Cache);
    CHECK(lane.train.arrayDone(1us) == Step::NextRequest);
    CHECK(lane.issueNext().op == &b);
    CHECK(b.form == Form::Cache); // c has joined
    CHECK(lane.train.arrayDone(2us) == Step::Response);
    REQUIRE(lane.advance());
    REQUIRE(lane.train.step() == Step::NextRequest);
    CHECK(lane.issueNext().op == &c);
    CHECK(c.form == Form::Alone); // the last one
    CHECK(lane.queue.size() == 1);
}

TEST_CASE("operations that can be planes of one command do not join a cache program")
{
    Lane lane;
    lane.join.cache = lane.join.multiPlane = true;
    nand::Operation& a = lane.add(Opcode::Program, {2, 0});
    SECTION("at its start")
    {
        lane.add(Opcode::Program, {2, 1});
        lane.add(Opcode::Program, {3, 1});
        lane.start();
        CHECK(a.form == Form::Alone);
    }
    SECTION("nor later")
    {
        nand::Operation& b = lane.add(Opcode::Program, {2, 1});
        lane.start();
        CHECK(a.form == Form::Cache); // b is alone so far
        lane.add(Opcode::Program, {2, 2});
        lane.add(Opcode::Program, {3, 2});
        CHECK(lane.train.arrayDone(1us) == Step::NextRequest);
        CHECK(lane.issueNext().op == &b);
        CHECK(b.form == Form::Alone);
    }
    CHECK(lane.queue.size() == 2);
    while (lane.advance())
        ;
    lane.start();
    CHECK(lane.train.first().op->form == Form::Plane);
    CHECK(lane.queue.empty());
}

TEST_CASE("programs of planes are chained by cache programs of a part that has them")
{
    Lane lane;
    lane.join.cache = lane.join.multiPlane = true;
    lane.part.multiPlaneCache = true;
    std::vector<nand::Operation*> ops;
    for (std::uint32_t page = 0; page < 3; ++page) {
        ops.push_back(&lane.add(Opcode::Program, {2, page}));
        ops.push_back(&lane.add(Opcode::Program, {3, page}));
    }
    const auto forms = [&](std::size_t page) { return std::make_pair(ops[2 * page]->form, ops[2 * page + 1]->form); };
    const auto cached = std::make_pair(Form::Plane, Form::LastPlaneCache);
    lane.start();
    CHECK(forms(0) == cached);
    CHECK(lane.queue.size() == 2); // the first two commands are in the train
    CHECK(lane.train.arrayDone(1us) == Step::NextRequest);
    CHECK(lane.issueNext().op == ops[1]);
    CHECK(lane.train.arrayDone(2us) == Step::NextRequest); // the array works on the first planes
    CHECK(lane.issueNext().op == ops[2]);
    CHECK(lane.train.arrayDone(3us) == Step::NextRequest);
    CHECK(lane.issueNext().op == ops[3]);
    CHECK(forms(1) == cached); // the third command has joined
    CHECK(lane.train.arrayDone(4us) == Step::Response);
    REQUIRE(lane.advance());
    CHECK(lane.train.first().op == ops[1]);
    CHECK(lane.train.step() == Step::Response);
    REQUIRE(lane.advance());
    CHECK(lane.train.first().op == ops[2]);
    REQUIRE(lane.train.step() == Step::NextRequest);
    CHECK(lane.issueNext().op == ops[4]);
    CHECK(lane.train.arrayDone(5us) == Step::NextRequest);
    CHECK(lane.issueNext().op == ops[5]);
    CHECK(forms(2) == std::make_pair(Form::Plane, Form::LastPlane)); // the last one
    for (int i = 2; i < 5; ++i) {
        CHECK(lane.advance());
        CHECK(lane.train.step() == Step::Response);
    }
    CHECK(lane.train.first().op == ops[5]);
    CHECK_FALSE(lane.advance());
}

TEST_CASE("a cache program of planes ends where the next programs are not of the same planes, mode or priority")
{
    Lane lane;
    lane.part.geometry.planes = 4;
    lane.join.cache = lane.join.multiPlane = true;
    lane.part.multiPlaneCache = true;
    nand::Operation& first = lane.add(Opcode::Program, {4, 0});
    nand::Operation& last = lane.add(Opcode::Program, {5, 0});
    const auto add = [&](std::uint32_t block) -> nand::Operation& { return lane.add(Opcode::Program, {block, 1}); };
    SECTION("a single page")
    {
        add(4);
    }
    SECTION("other planes")
    {
        add(4);
        add(6);
    }
    SECTION("more planes")
    {
        add(4);
        add(5);
        add(6);
    }
    SECTION("another mode")
    {
        add(4).pslc = true;
        add(5).pslc = true;
    }
    SECTION("another command")
    {
        lane.add(Opcode::Erase, {4, 1});
        lane.add(Opcode::Erase, {5, 1});
    }
    SECTION("a part without them")
    {
        lane.part.multiPlaneCache = false;
        add(4);
        add(5);
    }
    lane.start();
    CHECK(first.form == Form::Plane);
    CHECK(last.form == Form::LastPlane);
}

TEST_CASE("operations that can be planes of one command do not join a cache read")
{
    Lane lane;
    lane.join.cache = lane.join.multiPlane = true;
    lane.add(Opcode::Read, {2, 0});
    lane.start();
    CHECK(lane.train.arrayDone(1us) == Step::Response);
    lane.add(Opcode::Read, {2, 1});
    lane.add(Opcode::Read, {3, 1});
    CHECK_FALSE(lane.extendCacheRead());
    CHECK_FALSE(lane.advance());
    lane.start();
    CHECK(lane.train.first().op->form == Form::Plane);
}

TEST_CASE("a read suspends a program of another block once, is served, and the program is resumed")
{
    Lane lane;
    lane.join.suspend = Suspend::Program;
    nand::Operation& program = lane.add(Opcode::Program, {1, 0});
    lane.start();
    CHECK(lane.train.arrayDone(10us) == Step::Response);
    const auto should = [&](Time from) { return lane.train.shouldSuspend(lane.queue, lane.join, lane.part, from); };
    CHECK_FALSE(should(1us)); // no read
    lane.add(Opcode::Read, {1, 3});
    CHECK_FALSE(should(1us)); // of the block at work
    nand::Operation& read = lane.add(Opcode::Read, {2, 0});
    CHECK_FALSE(should(10us - 100ns)); // the array would end first
    REQUIRE(should(10us - 101ns));

    lane.train.planSuspend(10us);
    CHECK(&lane.train.stepOperation() == &program);
    REQUIRE(lane.train.suspend(lane.part, 2us));
    program.form = Form::Suspend;
    CHECK(lane.train.arrayDone(2us + 100ns) == Step::Read);
    CHECK(program.form == Form::Alone);
    CHECK(lane.train.startRead(lane.queue).op == &read);
    CHECK(lane.train.arrayDone(3us) == Step::Response);
    REQUIRE(lane.advance());
    CHECK(lane.train.step() == Step::Resume);
    lane.train.resume();
    program.form = Form::Resume;
    CHECK(lane.train.arrayDone(11us) == Step::Response);
    lane.add(Opcode::Read, {3, 0});
    CHECK_FALSE(should(4us)); // the part allows one suspension
    CHECK_FALSE(lane.advance());
}

TEST_CASE("a suspension that comes too late leaves the response as it was")
{
    Lane lane;
    lane.join.suspend = Suspend::Program;
    lane.add(Opcode::Program, {1, 0});
    lane.start();
    lane.train.arrayDone(10us);
    lane.train.planSuspend(10us + 5ns);
    CHECK_FALSE(lane.train.suspend(lane.part, 10us - 100ns));
    CHECK(lane.train.step() == Step::Response);
    CHECK(lane.train.responsePossible() == 10us + 5ns);
}

TEST_CASE("a suspended train without its read is an internal error")
{
    Lane lane;
    lane.join.suspend = Suspend::Program;
    lane.add(Opcode::Program, {1, 0});
    lane.start();
    lane.train.arrayDone(10us);
    lane.train.planSuspend(10us);
    lane.train.suspend(lane.part, 2us);
    lane.train.arrayDone(3us);
    CHECK_THROWS_AS(lane.train.startRead(lane.queue), InternalError);
}
