// SPDX-License-Identifier: Apache-2.0
//
// The Zoned Namespace Command Set: identify, reports, and the commands as the drive gets them.
#include "models/host/nvme/nvme_commands.h"
#include "models/host/nvme/nvme_zones.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

namespace {

FakeSsd::Config zonedDrive()
{
    FakeSsd::Config config;
    config.capacity = 8 * 1024;
    config.zones = {1024, 800, 3, 5};
    return config;
}

template <class T, class Bytes>
T valueAt(const Bytes& bytes, std::size_t offset)
{
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

struct Bench : RawHost {
    std::uint64_t page = 0;

    explicit Bench(const FakeSsd::Config& config = zonedDrive()) : RawHost(config)
    {
        enable();
        createPair(1);
        page = memory.allocate(8192);
    }
    static SubmissionEntry send(std::uint32_t action, std::uint64_t lba, std::uint32_t more = 0)
    {
        SubmissionEntry s = make(IoOpcode::ZoneManagementSend);
        s.dword[1] = 1;
        s.setQuad(10, lba);
        s.dword[13] = action | more;
        return s;
    }
    SubmissionEntry receive(std::uint64_t lba, std::uint32_t bytes, std::uint32_t options = 0) const
    {
        SubmissionEntry s = make(IoOpcode::ZoneManagementReceive);
        s.dword[1] = 1;
        s.setQuad(6, page);
        s.setQuad(10, lba);
        s.dword[12] = bytes / 4 - 1;
        s.dword[13] = options;
        return s;
    }
    std::vector<std::byte> bytes(std::uint32_t count)
    {
        std::vector<std::byte> read(count);
        memory.read(page, read.data(), count);
        return read;
    }
};

} // namespace

TEST_CASE("zones: a report lists the zones of a state from a zone on, as many as fit")
{
    const ZoneShape shape{1024, 800, 3, 5};
    const std::vector<ZoneEntry> zones{{1, 0}, {2, 17}, {14, 800}, {2, 5}};
    ZoneReportRequest request{4096, 64 + 3 * 64, 0, false};
    const auto all = zoneReport(request, shape, 4, zones);
    REQUIRE(all.size() == request.bytes);
    CHECK(valueAt<std::uint64_t>(all, 0) == 4); // one of them does not fit
    CHECK(valueAt<std::uint8_t>(all, 64) == 2); // sequential writes are required
    CHECK(valueAt<std::uint8_t>(all, 64 + 1) == 0x10);
    CHECK(valueAt<std::uint64_t>(all, 64 + 8) == 800);
    CHECK(valueAt<std::uint64_t>(all, 128 + 16) == 5 * 1024);
    CHECK(valueAt<std::uint64_t>(all, 128 + 24) == 5 * 1024 + 17);
    CHECK(valueAt<std::uint8_t>(all, 192 + 1) == 0xE0);
    CHECK(valueAt<std::uint64_t>(all, 192 + 24) == ~std::uint64_t{0}); // a full zone has no write pointer
    request.isPartial = true;
    CHECK(valueAt<std::uint64_t>(zoneReport(request, shape, 4, zones), 0) == 3);
    request.state = 2;
    const auto open = zoneReport(request, shape, 4, zones);
    CHECK(valueAt<std::uint64_t>(open, 0) == 2);
    CHECK(valueAt<std::uint64_t>(open, 128 + 24) == 7 * 1024 + 5);
    request.bytes = 4;
    CHECK(zoneReport(request, shape, 4, zones).size() == 4);
}

TEST_CASE("zones: a drive with zones identifies itself, one without has no such command set")
{
    for (const bool isZoned : {true, false}) {
        Bench host(isZoned ? zonedDrive() : FakeSsd::Config{});
        CHECK(((host.read(reg::CAP + 4) & capCommandSets) != 0) == isZoned);
        SubmissionEntry s = identify(5, 1, host.page);
        s.dword[11] = zonedCommandSet << 24U;
        CHECK(host.status(0, s) == (isZoned ? NvmeStatus::Success : NvmeStatus::InvalidField));
        if (isZoned) {
            const auto page = host.bytes(4096);
            CHECK(valueAt<std::uint32_t>(page, 4) == 4); // from zero
            CHECK(valueAt<std::uint32_t>(page, 8) == 2);
            CHECK(valueAt<std::uint64_t>(page, 2816) == 1024);
        }
        s.dword[10] = 6;
        CHECK(host.status(0, s) == (isZoned ? NvmeStatus::Success : NvmeStatus::InvalidField));
        CHECK(host.status(0, identify(3, 1, host.page)) == NvmeStatus::Success);
        CHECK(valueAt<std::uint8_t>(host.bytes(20), 16) == (isZoned ? 2 : 0));
        CHECK(host.status(0, identify(1, 0, host.page)) == NvmeStatus::Success);
        CHECK(valueAt<std::uint16_t>(host.bytes(258), 256) == (isZoned ? 0x200 : 0x202)); // zones cannot be formatted
        SubmissionEntry format = RawHost::make(AdminOpcode::FormatNvm);
        format.dword[1] = 1;
        CHECK(host.status(0, format) == (isZoned ? NvmeStatus::InvalidOpcode : NvmeStatus::Success));
        CHECK(host.status(1, Bench::send(4, 0)) == (isZoned ? NvmeStatus::Success : NvmeStatus::InvalidOpcode));
        CHECK(host.status(1, host.receive(0, 4096)) == (isZoned ? NvmeStatus::Success : NvmeStatus::InvalidOpcode));
    }
}

TEST_CASE("zones: the drive gets what the host asks of its zones")
{
    Bench host;
    struct Row {
        std::uint32_t action;
        RequestKind kind;
    };
    for (const auto& [action, kind] : {Row{1, RequestKind::CloseZone},
                                       {2, RequestKind::FinishZone},
                                       {3, RequestKind::OpenZone},
                                       {4, RequestKind::ResetZone}}) {
        CHECK(host.status(1, Bench::send(action, 3 * 1024)) == NvmeStatus::Success);
        CHECK(host.ssd.submitted.back().kind == kind);
        CHECK(host.ssd.submitted.back().lba == 3 * 1024);
        CHECK(host.ssd.submitted.back().sectors == 1024);
        CHECK(host.status(1, Bench::send(action, 99, zoneSelectAll)) == NvmeStatus::Success);
        CHECK(host.ssd.submitted.back().sectors == 0);
    }
    const std::size_t submitted = host.ssd.submitted.size();
    CHECK(host.status(1, Bench::send(5, 0)) == NvmeStatus::InvalidField);
    CHECK(host.status(1, Bench::send(4, 1)) == NvmeStatus::InvalidField); // not the start of a zone
    CHECK(host.status(1, Bench::send(4, 8 * 1024)) == NvmeStatus::LbaOutOfRange);
    CHECK(host.status(1, host.receive(8 * 1024, 4096)) == NvmeStatus::LbaOutOfRange);
    CHECK(host.status(1, host.receive(0, 4096, 1)) == NvmeStatus::InvalidField);
    CHECK(host.ssd.submitted.size() == submitted);
}

TEST_CASE("zones: an append returns the address at which it was written, a report the write pointers")
{
    Bench host;
    SubmissionEntry s = transfer(IoOpcode::ZoneAppend, 1, 2 * 1024, 8, DriverMemory::dataPage(0, 0));
    CHECK(host.execute(1, s).result == 2 * 1024);
    const CompletionEntry second = host.execute(1, s);
    CHECK(second.status() == NvmeStatus::Success);
    CHECK(second.result == 2 * 1024 + 8);
    CHECK(second.resultHigh == 0);
    s.setQuad(10, 2 * 1024 + 16);
    CHECK(host.status(1, s) == NvmeStatus::InvalidField);
    CHECK(host.status(1, host.receive(1024 + 5, 64 + 2 * 64)) == NvmeStatus::Success);
    const auto report = host.bytes(64 + 2 * 64);
    CHECK(valueAt<std::uint64_t>(report, 0) == 7);
    CHECK(valueAt<std::uint64_t>(report, 64 + 24) == 1024);
    CHECK(valueAt<std::uint64_t>(report, 128 + 24) == 2 * 1024 + 16);
}

TEST_CASE("zones: each status of the drive is one of the specification")
{
    struct Row {
        CommandStatus drive;
        std::uint16_t code;
    };
    for (const auto& [drive, code] : {Row{CommandStatus::ZoneBoundary, 0x1B8},
                                      {CommandStatus::ZoneFull, 0x1B9},
                                      {CommandStatus::ZoneReadOnly, 0x1BA},
                                      {CommandStatus::ZoneOffline, 0x1BB},
                                      {CommandStatus::ZoneInvalidWrite, 0x1BC},
                                      {CommandStatus::TooManyActiveZones, 0x1BD},
                                      {CommandStatus::TooManyOpenZones, 0x1BE},
                                      {CommandStatus::InvalidZoneTransition, 0x1BF}}) {
        Bench host;
        host.ssd.judge = [status = drive](const Command&) { return status; };
        CHECK(static_cast<std::uint16_t>(host.status(1, Bench::send(4, 0))) == code);
    }
}
