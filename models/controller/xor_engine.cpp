// SPDX-License-Identifier: Apache-2.0
#include "models/controller/xor_engine.h"

#include <algorithm>

namespace strobe::controller {

XorEngine::Accumulator& XorEngine::take(const Order& order)
{
    if (accumulators_.size() <= order.accumulator)
        accumulators_.resize(order.accumulator + 1);
    Accumulator& accumulator = accumulators_[order.accumulator];
    if (accumulator.set != order.set) {
        accumulator.set = order.set;
        accumulator.reads = 0;
        std::fill(accumulator.sectors.begin(), accumulator.sectors.end(), std::byte{});
        std::fill(accumulator.records.begin(), accumulator.records.end(), nand::Spare{});
    }
    return accumulator;
}

Content XorEngine::sum(Accumulator& accumulator, DataMode mode, std::uint32_t first, std::uint32_t sectors)
{
    const std::size_t end = (std::size_t{first} + sectors) * stride(mode);
    if (accumulator.sectors.size() < end)
        accumulator.sectors.resize(end);
    return Content{accumulator.sectors.data(), mode}.at(first);
}

void XorEngine::program(const Order& order, const Part& part)
{
    Accumulator& accumulator = take(order);
    const Content sectors = sum(accumulator, part.data.mode, part.firstSector, part.sectors);
    if (accumulator.records.size() < part.firstRecord + part.recordCount)
        accumulator.records.resize(part.firstRecord + part.recordCount);
    const auto records = accumulator.records.begin() + part.firstRecord;
    if (order.count != 0) {
        copySectors(part.data, sectors, part.sectors);
        std::copy_n(records, part.recordCount, part.records);
        return;
    }
    xorSectors(sectors, part.data, part.sectors);
    for (std::uint32_t i = 0; i < part.recordCount; ++i) {
        for (std::size_t word = 0; word < part.records[i].size(); ++word)
            records[i][word] ^= part.records[i][word];
    }
}

bool XorEngine::read(const Order& order, Content data, std::uint32_t sectors, bool isBlank)
{
    Accumulator& accumulator = take(order);
    const Content soFar = sum(accumulator, data.mode, 0, sectors);
    if (!isBlank)
        xorSectors(soFar, data, sectors);
    if (++accumulator.reads != order.count)
        return false;
    copySectors(data, soFar, sectors);
    return true;
}

} // namespace strobe::controller
