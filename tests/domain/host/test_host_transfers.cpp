// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_transfers.h"
#include "tests/domain/host/interface_bench.h"

using namespace strobe;
using namespace strobe::test;

namespace {

struct TransferBench {
    BurstMemory memory;
    HostTransfers transfers{{BusAddress{bufferAt}, bufferBytes}, memory};
    std::vector<std::byte> host = std::vector<std::byte>(4 * sectorBytes);

    Content content() { return {host.data(), DataMode::Bytes}; }
};

HostTransfer toHost(std::uint32_t buffer)
{
    HostTransfer transfer;
    transfer.toHost = true;
    transfer.buffer = buffer;
    return transfer;
}

} // namespace

TEST_CASE("transfers must be inside the data buffer, at a whole sector")
{
    const TransferBench bench;
    CHECK(bench.transfers.bufferFault(bufferAt, bufferBytes / sectorBytes).empty());
    CHECK(bench.transfers.bufferFault(bufferAt + 8, 1) == "the buffer address 65544 is not a multiple of 512");
    CHECK(bench.transfers.bufferFault(bufferAt - sectorBytes, 1) == "1 sectors at address 65024 leave the data buffer");
    CHECK(bench.transfers.bufferFault(bufferAt + bufferBytes - sectorBytes, 2) ==
          "2 sectors at address 130560 leave the data buffer");
    CHECK(bench.transfers.bufferFault(bufferAt, 1U << 31U) ==
          "2147483648 sectors at address 65536 leave the data buffer");
}

TEST_CASE("sectors are moved between the front and their place in the data buffer")
{
    TransferBench bench;
    bench.memory.bytes[bufferAt + 3 * sectorBytes] = std::byte{7};
    const std::uint64_t read = bench.transfers.add(toHost(bufferAt + sectorBytes));
    CHECK(bench.transfers.access(read, 2, 1, bench.content(), 5us) == 6us);
    CHECK(bench.host[0] == std::byte{7});
    CHECK_FALSE(bench.memory.bursts.back().isWrite);

    HostTransfer order = toHost(bufferAt);
    order.toHost = false;
    const std::uint64_t write = bench.transfers.add(order);
    bench.host[sectorBytes] = std::byte{9};
    bench.transfers.access(write, 0, 2, bench.content(), 7us);
    CHECK(bench.memory.bytes[bufferAt + sectorBytes] == std::byte{9});
    CHECK(bench.memory.bursts.back().length == 2 * sectorBytes);
}

TEST_CASE("sectors directly from flash take no memory and no time")
{
    TransferBench bench;
    std::vector<std::byte> held(2 * sectorBytes, std::byte{3});
    HostTransfer order = toHost(0);
    order.isDirect = true;
    order.direct = {held.data(), DataMode::Bytes};
    const std::uint64_t handle = bench.transfers.add(order);
    CHECK(bench.transfers.access(handle, 1, 1, bench.content(), 5us) == 5us);
    CHECK(bench.host[0] == std::byte{3});
    CHECK(bench.memory.bursts.empty());
}

TEST_CASE("the handle of a transfer that has ended is used again, no other")
{
    TransferBench bench;
    const std::uint64_t first = bench.transfers.add(toHost(bufferAt));
    const std::uint64_t second = bench.transfers.add(toHost(bufferAt + sectorBytes));
    CHECK(first != second);
    CHECK(bench.transfers.remove(first).buffer == bufferAt);
    CHECK(bench.transfers.add(toHost(bufferAt + 2 * sectorBytes)) == first);
    CHECK(bench.transfers.remove(second).buffer == bufferAt + sectorBytes);
}
