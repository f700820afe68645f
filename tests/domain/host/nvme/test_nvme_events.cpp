// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_events.h"
#include "models/host/nvme/nvme_logs.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

TEST_CASE("an event waits for a request and a request for an event")
{
    AsyncEvents events;
    CHECK_FALSE(events.next());
    REQUIRE(events.request(5));
    CHECK_FALSE(events.next());
    events.raise(0x100);
    const auto report = events.next();
    REQUIRE(report);
    CHECK(report->id == 5);
    CHECK(report->event == 0x100);
    events.raise(0x200);
    events.logRead(EventType::Error);
    CHECK_FALSE(events.next()); // no request
    REQUIRE(events.request(6));
    CHECK(events.next()->event == 0x200);
}

TEST_CASE("after an event was reported the next waits until the log is read")
{
    AsyncEvents events;
    events.request(1);
    events.request(2);
    events.raise(0x100);
    events.raise(0x200);
    REQUIRE(events.next());
    CHECK_FALSE(events.next());
    events.logRead(EventType::Error);
    CHECK(events.next()->event == 0x200);
}

TEST_CASE("a type that waits for its log does not hold up another type")
{
    AsyncEvents events;
    events.request(1);
    events.request(2);
    events.raise(invalidDoorbellRegister);
    events.raise(invalidDoorbellValue);
    events.raise(spareBelowThreshold);
    CHECK(events.next()->event == invalidDoorbellRegister);
    CHECK(events.next()->event == spareBelowThreshold);
    events.request(3);
    events.logRead(EventType::Health);
    CHECK_FALSE(events.next());
    events.logRead(EventType::Error);
    CHECK(events.next()->event == invalidDoorbellValue);
}

TEST_CASE("requests and events beyond their limits are rejected and lost")
{
    AsyncEvents events;
    for (std::uint16_t id = 0; id < AsyncEvents::requestLimit; ++id)
        CHECK(events.request(id));
    CHECK_FALSE(events.request(9));
    for (std::uint32_t i = 0; i < AsyncEvents::eventLimit + 2; ++i)
        events.raise(i << 8U);
    std::size_t reported = 0;
    while (events.next()) {
        events.logRead(EventType::Error);
        events.request(7);
        ++reported;
    }
    CHECK(reported == AsyncEvents::eventLimit);
    events.request(8);
    events.reset();
    events.raise(1);
    CHECK_FALSE(events.next());
}

// --- through a controller -------------------------------------------------------------------------------------------

TEST_CASE("wrong doorbells raise an asynchronous event, reported once until the log is read")
{
    RawHost host;
    host.enable();
    host.createPair(1, 8);
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 22));
    host.ringSq(0);
    CHECK(host.take(0).empty());

    host.write(reg::doorbells + 8, 8); // beyond the queue
    auto events = host.take(0);
    REQUIRE(events.size() == 1);
    CHECK(events[0].commandId == 21);
    CHECK(events[0].result == invalidDoorbellValue);
    host.ringCq(0);
    host.write(reg::doorbells + 9 * 8, 1); // there is no queue 9
    CHECK(host.take(0).empty());           // masked until the log is read

    SubmissionEntry log = RawHost::make(AdminOpcode::GetLogPage, 5);
    log.setQuad(6, host.memory.allocate(4096));
    log.dword[10] = 1 | 15U << 16U;
    host.put(0, log);
    host.ringSq(0);
    events = host.take(0);
    REQUIRE(events.size() == 2);
    CHECK(events[0].commandId == 5);
    CHECK(events[1].commandId == 22);
    CHECK(events[1].result == invalidDoorbellRegister);
}

TEST_CASE("doorbells that change nothing, add too many or take too many entries are invalid")
{
    RawHost host;
    host.enable();
    host.createPair(1, 4);
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.ringSq(0);
    const std::uint32_t offset = GENERATE(reg::doorbells + 8, reg::doorbells + 12);
    const std::uint32_t value = GENERATE(0U, 4U, 0xFFFFU);
    host.write(offset, value);
    REQUIRE(host.take(0).size() == 1);
    CHECK(host.ssd.submitted.empty());
}

TEST_CASE("more event requests than the controller holds are refused")
{
    RawHost host;
    host.enable();
    for (std::uint16_t i = 0; i < AsyncEvents::requestLimit; ++i)
        host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, i));
    host.ringSq(0);
    CHECK(host.take(0).empty());
    CHECK(host.status(0, RawHost::make(AdminOpcode::AsyncEventRequest, 9)) == NvmeStatus::AsyncEventLimitExceeded);
}

TEST_CASE("critical warnings raise an event once the host asks for them, and again when they come back")
{
    DriveHealth health;
    ControllerOptions config;
    config.health = [&health] { return health; };
    RawHost host({}, config);
    host.enable();
    health.spareBlocks = 20;
    health.failedBlocks = 19;
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.ringSq(0);
    CHECK(host.take(0).empty()); // nobody asked
    host.put(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::AsyncEvents, warning::spare));
    host.ringSq(0);
    auto ends = host.take(0);
    host.ringCq(0);
    REQUIRE(ends.size() == 2);
    CHECK(ends[1].commandId == 21);
    CHECK(ends[1].result == spareBelowThreshold);

    const auto readLog = [&host] {
        SubmissionEntry log = RawHost::make(AdminOpcode::GetLogPage, 5);
        log.setQuad(6, host.memory.allocate(4096));
        log.dword[10] = 2 | 127U << 16U;
        return host.status(0, log);
    };
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 22));
    host.ringSq(0);
    CHECK(readLog() == NvmeStatus::Success); // the warning is still there, but it was reported
    health.failedBlocks = 0;
    CHECK(readLog() == NvmeStatus::Success);
    health.failedBlocks = 20;
    host.put(0, RawHost::make(AdminOpcode::Abort, 6)); // any admin command
    host.ringSq(0);
    ends = host.take(0);
    REQUIRE(ends.size() == 2);
    CHECK(ends[1].commandId == 22);
    CHECK(ends[1].result == spareBelowThreshold);
}

TEST_CASE("a temperature that passes a threshold raises an event")
{
    RawHost host;
    host.enable();
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.put(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::AsyncEvents, warning::temperature));
    host.ringSq(0);
    CHECK(host.take(0).size() == 1); // 313 K is between the thresholds
    host.ringCq(0);
    constexpr std::uint32_t under = 1U << 20U;
    const std::uint32_t threshold = GENERATE(as<std::uint32_t>{}, temperatureKelvin, under | temperatureKelvin);
    host.put(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::TemperatureThreshold, threshold));
    host.ringSq(0);
    const auto ends = host.take(0);
    REQUIRE(ends.size() == 2);
    CHECK(ends[1].result == temperatureThreshold);
}

TEST_CASE("a warning for which there is no room is raised later, and a log that could not be returned allows no event")
{
    DriveHealth health;
    health.spareBlocks = 20;
    health.failedBlocks = 20;
    ControllerOptions config;
    config.health = [&health] { return health; };
    RawHost host({}, config);
    host.enable();
    for (std::size_t i = 0; i < AsyncEvents::eventLimit; ++i)
        host.write(reg::doorbells + 9 * 8, 1); // there is no queue 9
    CHECK(host.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::AsyncEvents, warning::spare)) ==
          NvmeStatus::Success);
    const auto next = [&host](std::uint16_t id) { // the event that answers the request, and that none follows
        host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, id));
        host.ringSq(0);
        const auto ends = host.take(0);
        REQUIRE(ends.size() == 1);
        host.ringCq(0);
        return ends[0].result;
    };
    CHECK(next(21) == invalidDoorbellRegister);
    CHECK(next(22) == spareBelowThreshold); // there was room after the first

    SubmissionEntry log = RawHost::make(AdminOpcode::GetLogPage, 5);
    log.setQuad(6, host.memory.allocate(4096));
    log.dword[10] = 1 | 15U << 16U;
    log.setQuad(12, 2); // offset
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 23));
    host.ringSq(0);
    CHECK(host.status(0, log) == NvmeStatus::InvalidField); // alone: the errors are still masked
    log.setQuad(12, 0);
    host.put(0, log);
    host.ringSq(0);
    CHECK(host.take(0).size() == 2);
}
