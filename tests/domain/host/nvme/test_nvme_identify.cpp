// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

TEST_CASE("identify describes the controller, the namespace and the list of namespaces")
{
    RawHost host;
    host.enable();
    std::vector<std::uint8_t> page(4096);
    const std::uint64_t address = host.memory.allocate(8192);
    const auto identify = [&](std::uint32_t cns, std::uint32_t space, std::uint32_t offset = 0) {
        SubmissionEntry s = RawHost::make(AdminOpcode::Identify);
        s.dword[1] = space;
        s.setQuad(6, address + offset);
        s.setQuad(8, address + 4096);
        s.dword[10] = cns;
        const NvmeStatus status = host.status(0, s);
        host.memory.read(address + offset, page.data(), 4096);
        return status;
    };
    CHECK(identify(1, 0) == NvmeStatus::Success);
    CHECK(std::string(reinterpret_cast<char*>(page.data() + 24), 10) == "Strobe SSD");
    CHECK(page[77] == 13); // MDTS: 32 MiB
    CHECK(page[512] == 0x66);
    CHECK(page[513] == 0x44);
    CHECK(page[516] == 1); // namespaces
    CHECK(page[520] == 0x5D);
    CHECK(page[521] == 0x01); // copy
    CHECK(page[534] == 0x01);
    CHECK(page[525] == 7);                              // a volatile write cache; flushes of all namespaces
    CHECK(identify(0, 1, 2048) == NvmeStatus::Success); // across a page
    std::uint64_t size = 0;
    std::memcpy(&size, page.data(), 8);
    CHECK(size == host.ssd.capacitySectors());
    CHECK(page[130] == 9); // 512 bytes
    CHECK(identify(2, 0) == NvmeStatus::Success);
    CHECK(page[0] == 1);
    CHECK(identify(2, 1) == NvmeStatus::Success);
    CHECK(page[0] == 0);
    CHECK(identify(3, 1) == NvmeStatus::Success);
    CHECK(page[0] == 1);
    CHECK(identify(0, 2) == NvmeStatus::InvalidNamespace);
    CHECK(identify(0, allNamespaces) == NvmeStatus::InvalidNamespace); // without namespace management
    CHECK(identify(2, 0xFFFF'FFFF) == NvmeStatus::InvalidNamespace);
    CHECK(identify(3, 2) == NvmeStatus::InvalidNamespace);
    CHECK(identify(0x55, 1) == NvmeStatus::InvalidField);
    CHECK(identify(1, 0, 2) == NvmeStatus::PrpOffsetInvalid);
    SubmissionEntry nowhere = RawHost::make(AdminOpcode::Identify);
    nowhere.dword[10] = 1;
    CHECK(host.status(0, nowhere) == NvmeStatus::DataTransferError);
}

TEST_CASE("a flush may name all namespaces, with and without a volatile write cache")
{
    ControllerOptions config;
    config.hasVolatileCache = GENERATE(true, false);
    RawHost host({}, config);
    host.enable();
    host.createPair(1);
    const std::uint64_t address = host.memory.allocate(4096);
    SubmissionEntry identify = RawHost::make(AdminOpcode::Identify);
    identify.setQuad(6, address);
    identify.dword[10] = 1; // the controller
    REQUIRE(host.status(0, identify) == NvmeStatus::Success);
    std::uint8_t cache = 0;
    host.memory.read(address + 525, &cache, 1);
    CHECK(cache == (config.hasVolatileCache ? 7 : 6));
    SubmissionEntry flush = RawHost::make(IoOpcode::Flush);
    flush.dword[1] = allNamespaces;
    CHECK(host.status(1, flush) == NvmeStatus::Success);
}
