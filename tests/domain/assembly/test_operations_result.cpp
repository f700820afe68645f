// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/operations_result.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace strobe;
using namespace strobe::platform;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

// Two dies on a bus of 10 ns cycles, without a status read; pages of one sector.
Scenario scenario()
{
    Scenario s;
    s.name = "two chips";
    s.nand.part = roundPart();
    s.nand.array = {1, 2, 1};
    s.channel.timing = roundTiming();
    s.channel.timing.statusAfterArray = false;
    s.channel.conventional = s.channel.timing;
    return s;
}

nand::Operation operationOn(std::uint16_t die, Opcode opcode, Time start, Time request, Time array, Time response)
{
    nand::Operation op = operation(opcode, opcode == Opcode::Read ? 1 : 0);
    op.die = DieId{die};
    op.status = nand::Status::Ok;
    op.requestStart = start;
    op.requestEnd = start + request;
    op.ready = op.requestEnd + array;
    op.done = op.ready + response;
    return op;
}

OperationsResult result()
{
    OperationsResult r;
    operations::OpcodeResult reads;
    reads.count = 2;
    reads.latency = 14us;
    reads.queued = 20us;
    reads.shortest = 6us;
    reads.longest = 8us;
    r.kinds = {{Opcode::Read, reads}};
    r.elapsed = 8us;
    r.busBusy = {6us};
    r.arrayBusy = {1us, 2us};
    r.pageBytes = 512;
    r.kept = {operationOn(0, Opcode::Read, 0ns, 40ns, 1us, 5120ns),
              operationOn(1, Opcode::Erase, 40ns, 30ns, 3us, 0ns)};
    return r;
}

} // namespace

TEST_CASE("shares and rates of an operation run")
{
    const OperationsResult r = result();
    CHECK(std::abs(r.megabytesPerSecond(Opcode::Read) - 128) < 1e-9);
    CHECK(r.megabytesPerSecond(Opcode::Program) == 0);
    CHECK(std::abs(r.busShare() - 0.75) < 1e-9);
    CHECK(std::abs(r.arrayShare() - 0.25) < 1e-9);
    CHECK(OperationsResult{}.megabytesPerSecond(Opcode::Read) == 0);
}

TEST_CASE("the timeline has a line for each state of each chip")
{
    CHECK(timelineCsv(scenario(), result()) == "operation,op,channel,die,block,page,state,start_ps,end_ps,bus\n"
                                               "0,read,0,0,0,0,cmd1 ready,0,10000,1\n"
                                               "0,read,0,0,0,0,addr ready,10000,40000,1\n"
                                               "0,read,0,0,0,0,operating,40000,1040000,0\n"
                                               "0,read,0,0,0,0,data out,1040000,6160000,1\n"
                                               "1,erase,0,1,0,0,cmd1 ready,40000,50000,1\n"
                                               "1,erase,0,1,0,0,addr ready,50000,60000,1\n"
                                               "1,erase,0,1,0,0,cmd2 ready,60000,70000,1\n"
                                               "1,erase,0,1,0,0,operating,70000,3070000,0\n");
}

TEST_CASE("a form without states is shown by its three parts")
{
    OperationsResult r = result();
    r.kept.resize(1);
    r.kept[0].form = nand::Form::LastPlane;
    const std::string text = timelineCsv(scenario(), r);
    CHECK(text.find("request,0,40000,1") != std::string::npos);
    CHECK(text.find("operating,40000,") != std::string::npos);
    CHECK(text.find("response,") != std::string::npos);
}

TEST_CASE("bars show which chips work and for which chip the bus is held")
{
    const std::string bars = timelineBars(scenario(), result(), 10);
    CHECK(bars == "  chip 0  |=========\n"
                  "  chip 1  |eee......\n"
                  "  bus 0   1000000000\n"
                  "          0  6.16 us\n");
}

TEST_CASE("text and JSON show the results of the operations")
{
    OperationsResult r = result();
    const std::string text = operationsText(scenario(), r);
    CHECK(text.find("read") != std::string::npos);
    CHECK(text.find("128.00 MB/s") != std::string::npos);
    CHECK(text.find("refused") == std::string::npos);
    CHECK(operationsJson(scenario(), r).find("\"elapsed_ps\": 8000000") != std::string::npos);
    CHECK(operationsJson(scenario(), r).find("\"errors\": false") != std::string::npos);
    r.problems = 3;
    CHECK(operationsText(scenario(), r).find("3 operations failed") != std::string::npos);
    CHECK(operationsJson(scenario(), r).find("\"errors\": true") != std::string::npos);
}
