// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/nvme/parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;
using Kind = PciePort::Arrival::Kind;

namespace {

PciePort::Read pageList(std::uint64_t address)
{
    PciePort::Read read;
    read.purpose = PciePort::Read::Purpose::PageList;
    read.slot = 7;
    read.address = address;
    return read;
}

} // namespace

TEST_CASE("a register write arrives after its packet's time and the link's latency")
{
    Parts parts;
    parts.port.writeRegister(0x1008, 4, 5, {});
    CHECK(parts.port.nextTime() == parts.link.lineTime(24) + parts.link.config().latency);
    parts.run();
    REQUIRE(parts.arrivals.size() == 1);
    CHECK(parts.arrivals[0].kind == Kind::RegisterWrite);
    CHECK(parts.arrivals[0].index == 0x1008);
    CHECK(parts.arrivals[0].bytes == 4);
    CHECK(parts.arrivals[0].value == 5);
}

TEST_CASE("a structure arrives with its last byte, data with its first")
{
    Parts parts;
    const PcieConfig& config = parts.link.config();
    const std::uint64_t high = std::uint64_t{1} << 32;
    parts.port.read(pageList(high), 4096, {});
    const Time asked = parts.link.lineTime(requestTrain(config, high, 4096).bytes) + config.latency;
    const Time answer = parts.link.lineTime(completionTrain(config, high, 4096).bytes);
    parts.run();
    REQUIRE(parts.arrivals.size() == 1);
    CHECK(parts.now == asked + config.memoryLatency + answer + config.latency);
    const PciePort::TakenRead taken = parts.port.takeRead(parts.arrivals[0].index);
    CHECK(taken.read.slot == 7);
    CHECK(taken.isCurrent);

    Parts data;
    TransferOrder order;
    order.slot = 3;
    data.port.readData(order, requestTrain(config, high, 4096), completionTrain(config, high, 4096), {});
    data.run();
    REQUIRE(data.arrivals.size() == 1);
    CHECK(data.now == asked + config.memoryLatency + config.latency);
    CHECK(data.port.takeRead(data.arrivals[0].index).read.last == data.now + answer);
}

TEST_CASE("after a reset, structures in flight are not current and completions are not written")
{
    Parts parts;
    parts.port.read(pageList(parts.sq), 64, {});
    CompletionEntry completion;
    completion.commandId = 9;
    parts.port.postCompletion(parts.cq, 0, completion, {});
    parts.port.reset();
    parts.run();
    REQUIRE(parts.arrivals.size() == 1);
    CHECK(parts.arrivals[0].kind == Kind::Read);
    CHECK_FALSE(parts.port.takeRead(parts.arrivals[0].index).isCurrent);
    CHECK(parts.completion(0).commandId == 0);
}

TEST_CASE("a completion is in memory when it arrives, or reports a fault if there is no memory")
{
    Parts parts;
    CompletionEntry completion;
    completion.commandId = 9;
    parts.port.postCompletion(parts.cq, 2, completion, {});
    CHECK(parts.completion(0).commandId == 0);
    parts.run();
    REQUIRE(parts.arrivals.size() == 1);
    CHECK(parts.arrivals[0].kind == Kind::Completion);
    CHECK(parts.arrivals[0].index == 2);
    CHECK(parts.completion(0).commandId == 9);
    parts.port.postCompletion(0x1000, 2, completion, parts.now);
    parts.run();
    CHECK(parts.arrivals.back().kind == Kind::Fault);
}

TEST_CASE("messages arrive after the completions that were posted before them")
{
    Parts parts;
    std::vector<std::uint16_t> found;
    parts.port.onMessage([&](std::uint64_t, std::uint32_t, Time) { found.push_back(parts.completion(0).commandId); });
    CompletionEntry completion;
    completion.commandId = 9;
    parts.port.postCompletion(parts.cq, 0, completion, {});
    parts.port.postMessage(0xFEE0'0000, 1, {});
    parts.run();
    CHECK(found == std::vector<std::uint16_t>{9});
}
