// SPDX-License-Identifier: Apache-2.0
//
// Flexible data placement: what the drive gets, log pages, features, events.
#include "models/host/nvme/nvme_commands.h"
#include "models/host/nvme/nvme_placement.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

namespace {

constexpr std::uint32_t handles = 3;

FakeSsd::Config placingDrive()
{
    FakeSsd::Config config;
    config.placement = {handles, true, 1000};
    return config;
}

DriveHealth health()
{
    DriveHealth health;
    health.bytesProgrammed = 9'000'000;
    health.bytesErased = 7'000'000;
    return health;
}

struct Bench : RawHost {
    std::uint64_t page = 0;

    explicit Bench(const FakeSsd::Config& config = placingDrive()) : RawHost(config, options())
    {
        enable();
        createPair(1);
        page = memory.allocate(4096);
        buffer.resize(8 * sectorBytes);
    }
    static ControllerOptions options()
    {
        ControllerOptions options;
        options.health = health;
        return options;
    }
    template <class T>
    T valueAt(std::size_t offset)
    {
        T value{};
        memory.read(page + offset, reinterpret_cast<std::byte*>(&value), sizeof value);
        return value;
    }
    NvmeStatus writeWith(std::uint32_t type, std::uint32_t directive)
    {
        SubmissionEntry s = blocks(IoOpcode::Write, 0, 1);
        s.dword[12] |= type << directiveTypeShift;
        s.dword[13] = directive << directiveShift;
        return status(1, s);
    }
    SubmissionEntry manage(IoOpcode opcode, std::uint32_t operation, std::uint32_t more = 0) const
    {
        SubmissionEntry s = make(opcode);
        s.dword[1] = 1;
        s.setQuad(6, page);
        s.dword[10] = operation;
        s.dword[11] = more;
        return s;
    }
    NvmeStatus update(const std::vector<std::uint16_t>& identifiers)
    {
        memory.write(page, identifiers.data(), static_cast<std::uint32_t>(identifiers.size() * sizeof(std::uint16_t)));
        const auto last = static_cast<std::uint32_t>(identifiers.size() - 1);
        return status(1, manage(IoOpcode::IoManagementSend, 1 | last << 16U));
    }
    NvmeStatus log(std::uint32_t number, std::uint32_t specific = 0, std::uint32_t group = enduranceGroup)
    {
        SubmissionEntry s = make(AdminOpcode::GetLogPage);
        s.setQuad(6, page);
        s.dword[10] = number | specific << 8U | (512 / 4 - 1) << 16U;
        s.dword[11] = group << 16U;
        return status(0, s);
    }
};

} // namespace

TEST_CASE("placement: a write names a handle; one that does not exist is handle 0, and an event")
{
    Bench host;
    CHECK(host.writeWith(2, 2) == NvmeStatus::Success);
    CHECK(host.ssd.submitted.back().placement == std::uint16_t{2});
    CHECK(host.writeWith(0, 2) == NvmeStatus::Success); // no directive
    CHECK_FALSE(host.ssd.submitted.back().placement.has_value());
    CHECK(host.writeWith(2, handles) == NvmeStatus::Success);
    CHECK_FALSE(host.ssd.submitted.back().placement.has_value());
    CHECK(host.writeWith(1, 0) == NvmeStatus::InvalidField); // streams
    REQUIRE(host.log(0x23, 1) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint32_t>(0) == 1);
    CHECK(host.valueAt<std::uint8_t>(64) == 3);
    CHECK(host.valueAt<std::uint8_t>(65) == 3); // identifier and namespace are valid, the location is not
    CHECK(host.valueAt<std::uint16_t>(66) == handles);
    Bench other{FakeSsd::Config{}};
    CHECK(other.writeWith(2, 0) == NvmeStatus::InvalidField);
    CHECK(other.status(1, other.manage(IoOpcode::IoManagementReceive, 1)) == NvmeStatus::InvalidOpcode);
    CHECK(other.log(0x20) == NvmeStatus::InvalidLogPage);
}

TEST_CASE("placement: the status of the handles is what the drive's table says")
{
    Bench host;
    host.ssd.placementTable[1].available = 123;
    REQUIRE(host.status(1, host.manage(IoOpcode::IoManagementReceive, 1, 4096 / 4 - 1)) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint16_t>(14) == handles);
    CHECK(host.valueAt<std::uint64_t>(16 + 8) == 1000);
    CHECK(host.valueAt<std::uint16_t>(48) == 1);
    CHECK(host.valueAt<std::uint16_t>(48 + 2) == 1);
    CHECK(host.valueAt<std::uint64_t>(48 + 8) == 123);
    CHECK(host.status(1, host.manage(IoOpcode::IoManagementReceive, 2)) == NvmeStatus::InvalidField);
    CHECK(host.status(1, host.manage(IoOpcode::IoManagementReceive, 0)) == NvmeStatus::Success); // no action
    CHECK(host.status(1, host.manage(IoOpcode::IoManagementSend, 0)) == NvmeStatus::Success);
    CHECK(placementStatus({{1, 0}, {2, 0}}, 20).size() == 20);
}

TEST_CASE("placement: an update is a command of the drive for each handle; a unit that was not full is an event")
{
    Bench host;
    host.ssd.placementTable[2].available = 10;
    const std::size_t before = host.ssd.submitted.size();
    CHECK(host.update({2, 0}) == NvmeStatus::Success);
    REQUIRE(host.ssd.submitted.size() == before + 2);
    CHECK(host.ssd.submitted[before].kind == RequestKind::UpdatePlacement);
    CHECK(host.ssd.submitted[before].placement == std::uint16_t{2});
    CHECK(host.ssd.submitted[before + 1].placement == std::uint16_t{0});
    REQUIRE(host.log(0x23, 1) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint32_t>(0) == 1); // the unit of handle 0 is empty
    CHECK(host.valueAt<std::uint8_t>(64) == 0);
    CHECK(host.valueAt<std::uint16_t>(66) == 2);
    CHECK(host.update({0, handles}) == NvmeStatus::InvalidField);
    CHECK(host.update({0, 1, 2, 0}) == NvmeStatus::InvalidField);
    CHECK(host.ssd.submitted.size() == before + 2);
}

TEST_CASE("placement: data that collection has moved is an event of the controller, once")
{
    Bench host;
    host.ssd.placementTable[1].moved = 77;
    for (int i = 0; i < 2; ++i) {
        REQUIRE(host.log(0x23, 0) == NvmeStatus::Success);
        CHECK(host.valueAt<std::uint32_t>(0) == 1);
        CHECK(host.valueAt<std::uint8_t>(64) == 0x80);
        CHECK(host.valueAt<std::uint16_t>(66) == 1);
        CHECK(host.valueAt<std::uint16_t>(64 + 18) == 77);
        CHECK(host.valueAt<std::uint16_t>(64 + 34) == 1);
    }
    PlacementEvents events;
    for (std::uint16_t i = 0; i < 100; ++i)
        events.add({PlacementEventType::UnitNotFull, i, Time{}});
    CHECK(events.log(true, [](Time) { return std::uint64_t{0}; }).size() == 64 * (1 + PlacementEvents::limit));
}

TEST_CASE("placement: the host chooses the events of a handle")
{
    Bench host;
    SubmissionEntry s = RawHost::feature(AdminOpcode::GetFeatures, Feature::DataPlacementEvents, 1 | 8U << 16U);
    s.setQuad(6, host.page);
    CHECK(host.execute(0, s).result == 3);
    CHECK(host.valueAt<std::uint8_t>(1) == 1);
    s = RawHost::feature(AdminOpcode::SetFeatures, Feature::DataPlacementEvents, 1 | 1U << 16U);
    s.setQuad(6, host.page);
    const std::uint8_t type = 0x80;
    host.memory.write(host.page, &type, 1);
    CHECK(host.status(0, s) == NvmeStatus::Success); // off: dword 12 is 0
    host.ssd.placementTable[1].moved = 5;
    REQUIRE(host.log(0x23, 0) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint32_t>(0) == 0);
    const std::uint8_t unknown = 0x44;
    host.memory.write(host.page, &unknown, 1);
    CHECK(host.status(0, s) == NvmeStatus::InvalidField);
    s.dword[11] = handles | 1U << 16U;
    CHECK(host.status(0, s) == NvmeStatus::InvalidField);
}

TEST_CASE("placement: identify, the feature, and the logs of the endurance group")
{
    Bench host;
    REQUIRE(host.status(0, identify(identifyControllerStructure, 0, host.page)) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint32_t>(96) == (1U << 19U | 1U << 4U));
    CHECK(host.valueAt<std::uint16_t>(340) == 1);
    REQUIRE(host.status(0, identify(identifyNamespaceStructure, 1, host.page)) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint16_t>(102) == 1);
    CHECK(host.execute(0, RawHost::feature(AdminOpcode::GetFeatures, Feature::DataPlacement, 1)).result == 1);
    CHECK(host.status(0, RawHost::feature(AdminOpcode::GetFeatures, Feature::DataPlacement, 2)) ==
          NvmeStatus::InvalidField);
    CHECK(host.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::DataPlacement, 1)) ==
          NvmeStatus::CommandSequenceError);
    REQUIRE(host.log(0x20) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint16_t>(16) == 80); // 64 and four bytes for each handle, in whole eights
    CHECK(host.valueAt<std::uint8_t>(18) == 0x80);
    CHECK(host.valueAt<std::uint32_t>(20) == 1);
    CHECK(host.valueAt<std::uint16_t>(24) == handles);
    CHECK(host.valueAt<std::uint64_t>(32) == 1000 * sectorBytes);
    CHECK(host.valueAt<std::uint8_t>(80) == 2); // persistently isolated
    REQUIRE(host.log(0x21) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint16_t>(0) == handles);
    CHECK(host.valueAt<std::uint8_t>(8) == 1);
    host.writeWith(2, 1);
    REQUIRE(host.log(0x22) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint64_t>(0) == sectorBytes);
    CHECK(host.valueAt<std::uint64_t>(16) == 9'000'000);
    CHECK(host.valueAt<std::uint64_t>(32) == 7'000'000);
    REQUIRE(host.log(0x09) == NvmeStatus::Success);
    CHECK(host.valueAt<std::uint8_t>(3) == 100);
    CHECK(host.log(0x22, 0, 2) == NvmeStatus::InvalidField); // no such endurance group
}
