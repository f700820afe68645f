// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_features.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

TEST_CASE("a feature takes effect in the part that it belongs to, and a reset restores the defaults")
{
    QueueManager queues({4, 64, 5, 0});
    Interrupts interrupts(5);
    Features features(queues, interrupts, true);
    const auto feature = [](Feature number, std::uint32_t value = 0) {
        SubmissionEntry s;
        s.dword[10] = static_cast<std::uint32_t>(number);
        s.dword[11] = value;
        return s;
    };
    std::uint32_t result = 0;
    CHECK(features.isWriteCacheOn());
    CHECK(features.set(feature(Feature::VolatileWriteCache, 0), result, 1) == NvmeStatus::Success);
    CHECK_FALSE(features.isWriteCacheOn());
    CHECK(features.set(feature(Feature::NumberOfQueues, 1U << 16U | 1U), result, 1) == NvmeStatus::Success);
    CHECK(result == (1U << 16U | 1U));
    CHECK(queues.count() == result);
    CHECK(features.set(feature(Feature::InterruptVector, 1U << 16U | 3U), result, 1) == NvmeStatus::Success);
    CHECK(interrupts.isVectorCoalescingDisabled(3));
    CHECK(features.set(feature(Feature::InterruptVector, 5), result, 1) == NvmeStatus::InvalidField);
    CHECK(features.get(feature(Feature::Arbitration), result, 1) == NvmeStatus::Success);
    CHECK(result == defaultBurst);
    features.reset();
    CHECK(features.isWriteCacheOn());
}

TEST_CASE("a controller without a volatile write cache says so, and has no feature to turn it off")
{
    RawHost host({}, {64, 4096, 0, false});
    host.enable();
    const std::uint64_t address = host.memory.allocate(4096);
    SubmissionEntry identify = RawHost::make(AdminOpcode::Identify);
    identify.setQuad(6, address);
    identify.dword[10] = 1;
    REQUIRE(host.status(0, identify) == NvmeStatus::Success);
    std::uint8_t cache = 0xFF;
    host.memory.read(address + 525, &cache, 1);
    CHECK(cache == 6); // a flush may name all namespaces
    for (const AdminOpcode opcode : {AdminOpcode::SetFeatures, AdminOpcode::GetFeatures})
        CHECK(host.status(0, RawHost::feature(opcode, Feature::VolatileWriteCache, 0)) == NvmeStatus::InvalidField);
}

// --- through a controller -------------------------------------------------------------------------------------------

TEST_CASE("features are set and read back, and unknown ones are rejected")
{
    RawHost host;
    host.enable();
    const auto set = [&](Feature number, std::uint32_t value) {
        return host.execute(0, RawHost::feature(AdminOpcode::SetFeatures, number, value));
    };
    const auto get = [&](Feature number, std::uint32_t value = 0) {
        return host.execute(0, RawHost::feature(AdminOpcode::GetFeatures, number, value));
    };
    CHECK(get(Feature::VolatileWriteCache).result == 1);
    CHECK(get(Feature::NumberOfQueues).result == (63U << 16U | 63U));
    CHECK(set(Feature::NumberOfQueues, 99U << 16U | 99U).result == (63U << 16U | 63U));
    CHECK(set(Feature::NumberOfQueues, 3U << 16U | 3U).result == (3U << 16U | 3U));
    CHECK(get(Feature::NumberOfQueues).result == (3U << 16U | 3U));
    CHECK(set(Feature::NumberOfQueues, 0xFFFF).status() == NvmeStatus::InvalidField);
    host.makeQueue(5, 8);
    CHECK(host.status(0, host.createCq(5, 8)) == NvmeStatus::InvalidQueueIdentifier); // four are granted
    CHECK(set(Feature::Arbitration, 0x0102'0305).status() == NvmeStatus::Success);
    CHECK(get(Feature::Arbitration).result == 0x0102'0305);
    CHECK(set(Feature::InterruptCoalescing, 0x0103).status() == NvmeStatus::Success);
    CHECK(get(Feature::InterruptCoalescing).result == 0x0103);
    CHECK(set(Feature::InterruptVector, 1U << 16U | 2).status() == NvmeStatus::Success);
    CHECK(get(Feature::InterruptVector, 2).result == (1U << 16U | 2));
    CHECK(set(Feature::InterruptVector, 65).status() == NvmeStatus::InvalidField);
    CHECK(get(Feature::InterruptVector, 65).status() == NvmeStatus::InvalidField);
    CHECK(set(Feature::PowerManagement, 1).status() == NvmeStatus::InvalidField);
    CHECK(set(static_cast<Feature>(0x7F), 1).status() == NvmeStatus::InvalidField);
    CHECK(get(static_cast<Feature>(0x7F)).status() == NvmeStatus::InvalidField);
    SubmissionEntry save = RawHost::feature(AdminOpcode::SetFeatures, Feature::VolatileWriteCache, 0);
    save.dword[10] |= 1U << 31U;
    CHECK(host.status(0, save) == NvmeStatus::FeatureNotSaveable);
    host.createPair(1);
    CHECK(set(Feature::NumberOfQueues, 1).status() == NvmeStatus::CommandSequenceError);
}

TEST_CASE("a feature's current value, its default and what can be done with it are selected")
{
    RawHost host;
    host.enable();
    const auto get = [&](Feature number, FeatureSelect select, std::uint32_t value = 0) {
        SubmissionEntry s = RawHost::feature(AdminOpcode::GetFeatures, number, value);
        s.dword[10] |= static_cast<std::uint32_t>(select) << 8U;
        return host.execute(0, s);
    };
    const auto set = [&](Feature number, std::uint32_t value) {
        return host.status(0, RawHost::feature(AdminOpcode::SetFeatures, number, value));
    };
    CHECK(set(Feature::VolatileWriteCache, 0) == NvmeStatus::Success);
    CHECK(get(Feature::VolatileWriteCache, FeatureSelect::Current).result == 0);
    CHECK(get(Feature::VolatileWriteCache, FeatureSelect::Default).result == 1);
    CHECK(get(Feature::VolatileWriteCache, FeatureSelect::Saved).result == 1);
    CHECK(get(Feature::VolatileWriteCache, FeatureSelect::Capabilities).result == changeableFeature);
    CHECK(set(Feature::NumberOfQueues, 3U << 16U | 3U) == NvmeStatus::Success);
    CHECK(get(Feature::NumberOfQueues, FeatureSelect::Default).result == (63U << 16U | 63U));
    CHECK(get(Feature::InterruptVector, FeatureSelect::Default, 2).result == 2);
    CHECK(get(Feature::VolatileWriteCache, static_cast<FeatureSelect>(4)).status() == NvmeStatus::InvalidField);
    CHECK(get(static_cast<Feature>(0x7F), FeatureSelect::Capabilities).status() == NvmeStatus::InvalidField);

    constexpr std::uint32_t under = 1U << 20U;
    CHECK(set(Feature::TemperatureThreshold, under | 280) == NvmeStatus::Success);
    CHECK(set(Feature::TemperatureThreshold, 0xFU << 16U | 330) == NvmeStatus::Success); // all sensors
    CHECK(get(Feature::TemperatureThreshold, FeatureSelect::Current, under).result == 280);
    CHECK(get(Feature::TemperatureThreshold, FeatureSelect::Current).result == 330);
    CHECK(get(Feature::TemperatureThreshold, FeatureSelect::Default).result == warningKelvin);
    CHECK(get(Feature::TemperatureThreshold, FeatureSelect::Default, under).result == 0);
    CHECK(set(Feature::TemperatureThreshold, 1U << 16U | 330) == NvmeStatus::InvalidField); // there is no sensor 1
    CHECK(set(Feature::TemperatureThreshold, 1U << 21U | 330) == NvmeStatus::InvalidField);
}

TEST_CASE("a feature belongs to the controller or to the namespace, and is set for that")
{
    RawHost host;
    host.enable();
    const auto use = [&](AdminOpcode opcode, Feature number, std::uint32_t space) {
        SubmissionEntry s = RawHost::feature(opcode, number, 1);
        s.dword[1] = space;
        return host.status(0, s);
    };
    for (const Feature number : {Feature::VolatileWriteCache, Feature::Timestamp}) {
        CHECK(use(AdminOpcode::SetFeatures, number, 1) == NvmeStatus::FeatureNotNamespaceSpecific);
        CHECK(use(AdminOpcode::SetFeatures, number, 2) == NvmeStatus::InvalidNamespace);
    }
    CHECK(use(AdminOpcode::SetFeatures, Feature::VolatileWriteCache, allNamespaces) == NvmeStatus::Success);
    CHECK(use(AdminOpcode::GetFeatures, Feature::VolatileWriteCache, 1) == NvmeStatus::Success);
    CHECK(use(AdminOpcode::SetFeatures, Feature::ErrorRecovery, 1) == NvmeStatus::Success);
    CHECK(use(AdminOpcode::SetFeatures, Feature::ErrorRecovery, allNamespaces) == NvmeStatus::Success);
    CHECK(use(AdminOpcode::GetFeatures, Feature::ErrorRecovery, 1) == NvmeStatus::Success);
    CHECK(use(AdminOpcode::GetFeatures, Feature::ErrorRecovery, allNamespaces) == NvmeStatus::InvalidNamespace);
    for (const AdminOpcode opcode : {AdminOpcode::SetFeatures, AdminOpcode::GetFeatures}) {
        CHECK(use(opcode, Feature::ErrorRecovery, 0) == NvmeStatus::InvalidNamespace);
        CHECK(use(opcode, Feature::ErrorRecovery, 2) == NvmeStatus::InvalidNamespace);
    }
    SubmissionEntry s = RawHost::feature(AdminOpcode::GetFeatures, Feature::ErrorRecovery);
    s.dword[1] = 1;
    s.dword[10] |= static_cast<std::uint32_t>(FeatureSelect::Capabilities) << 8U;
    CHECK(host.execute(0, s).result == (namespaceFeature | changeableFeature));
}

TEST_CASE("the timestamp counts from a reset, then from the value that the host has set")
{
    RawHost host;
    host.enable();
    const std::uint64_t address = host.memory.allocate(4096);
    const auto get = [&] {
        SubmissionEntry s = RawHost::feature(AdminOpcode::GetFeatures, Feature::Timestamp);
        s.setQuad(6, address);
        REQUIRE(host.status(0, s) == NvmeStatus::Success);
        std::uint64_t value = 0;
        host.memory.read(address, &value, sizeof value);
        return value;
    };
    const auto wait = [&](Time time) {
        host.now += time;
        host.run(host.now);
    };
    const std::uint64_t first = get();
    CHECK(first >> 48U == 0);
    wait(std::chrono::milliseconds(250));
    CHECK(get() - first >= 249);
    CHECK(get() - first <= 251);

    const std::uint64_t base = 1'600'000'000'000;
    host.memory.write(address, &base, sizeof base);
    SubmissionEntry set = RawHost::feature(AdminOpcode::SetFeatures, Feature::Timestamp);
    set.setQuad(6, address);
    CHECK(host.status(0, set) == NvmeStatus::Success);
    wait(std::chrono::milliseconds(10));
    const std::uint64_t later = get();
    CHECK(later >> 48U == 2); // the host has set it
    CHECK((later & 0xFFFF'FFFF'FFFF) - base >= 9);
    CHECK((later & 0xFFFF'FFFF'FFFF) - base <= 11);

    set.setQuad(6, address + 1);
    CHECK(host.status(0, set) == NvmeStatus::PrpOffsetInvalid);
    set.setQuad(6, std::uint64_t{1} << 43U); // there is no memory
    CHECK(host.status(0, set) == NvmeStatus::DataTransferError);
    set.dword[10] |= 1U << 31U;
    CHECK(host.status(0, set) == NvmeStatus::FeatureNotSaveable);
}
