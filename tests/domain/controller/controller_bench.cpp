// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/controller/controller_bench.h"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

namespace strobe::controller::test {

nand::Part benchPart()
{
    nand::Part part;
    part.geometry = {2, 4, 4, 2048, 64};
    part.times = {25us, 200us, 2ms, 5us, 6us, 10us, 500us};
    part.id = {0xEC};
    return part;
}

nand::Part largePagePart()
{
    nand::Part part = benchPart();
    part.geometry.pageBytes = 16384;
    return part;
}

BusAddress descriptorAt(std::uint32_t number)
{
    return descriptorsAt + number * descriptorBytes;
}

BusAddress bufferAt(std::uint32_t sector)
{
    return dataBuffer.base + static_cast<std::uint32_t>(sector * sectorBytes);
}

Bench::Bench(const FlashControllerConfig& config, const nand::Part& part)
    : part_(part), memory(memoryConfig(config.dataMode)), controller(withGeometry(config), *this, *this),
      dieFree_(config.array.dies()), planeFree_(config.array.dies() * std::size_t{part.geometry.planes})
{
    for (std::uint32_t i = 0; i < config.array.dies(); ++i)
        dies.push_back(std::make_unique<nand::Die>(DieId{static_cast<std::uint16_t>(i)}, part_, 0, Rng(1, "die")));
    controller.onLine([this](bool asserted, Time at) { lines.push_back({asserted, at}); });
    controller.connectHost(*this);
    write(regs::flash::RING_BASE, raw(ringAt));
    write(regs::flash::RING_ENTRIES, ringEntries);
}

Bench::~Bench() = default;

FlashControllerConfig Bench::oneUnit()
{
    FlashControllerConfig config;
    config.ecc = {2us, 3us, 0};
    return config;
}

Time Bench::programTime()
{
    return burst(64) + burst(2048) + 2us + request + 200us + statusRead + burst(4) + burst(16);
}

void Bench::write(std::uint32_t offset, std::uint32_t value, Time delay)
{
    REQUIRE(controller.writeRegister(offset, value, now, now + delay) == Access::Ok);
}

std::uint32_t Bench::read(std::uint32_t offset)
{
    std::uint32_t value = 0;
    REQUIRE(controller.readRegister(offset, value, now) == Access::Ok);
    return value;
}

void Bench::head(std::uint32_t unit, BusAddress list, Time delay)
{
    write(regs::flash::UNIT_HEAD + regs::flash::UNIT_HEAD_step * unit, raw(list), delay);
}

void Bench::put(std::uint32_t number, const FlashDescriptor& descriptor)
{
    putWords(descriptorAt(number), toWords(descriptor));
}

DescriptorWords Bench::descriptorWords(std::uint32_t number)
{
    DescriptorWords words{};
    std::memcpy(words.data(), memory.bytes(descriptorAt(number), descriptorBytes), sizeof words);
    return words;
}

std::uint32_t Bench::word(BusAddress address)
{
    std::uint32_t value = 0;
    std::memcpy(&value, memory.bytes(address, 4), sizeof value);
    return value;
}

std::vector<Bench::Event> Bench::takeEvents()
{
    std::vector<Event> events;
    for (;; ++taken_) {
        const BusAddress entry = ringAt + taken_ % ringEntries * 16;
        const std::uint32_t status = word(entry);
        const bool isNew = (status >> 31 != 0) == (taken_ / ringEntries % 2 == 0);
        if (!isNew)
            break;
        events.push_back({parseStatus(status), BusAddress{word(entry + 4)}, word(entry + 8), word(entry + 12)});
    }
    return events;
}

void Bench::putTags(std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors, std::uint32_t version)
{
    makeTagRun(lba, version, sectors, memory.sectors(bufferAt(sector), sectors).data);
}

bool Bench::hasTags(std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors, std::uint32_t version)
{
    std::vector<std::byte> expected(sectors * stride(DataMode::Tags));
    makeTagRun(lba, version, sectors, expected.data());
    return expected.empty() ||
           std::memcmp(memory.sectors(bufferAt(sector), sectors).data, expected.data(), expected.size()) == 0;
}

bool Bench::isTagged(const Sunk& sunk, std::uint32_t first, std::uint32_t lba, std::uint32_t sectors,
                     std::uint32_t version)
{
    return isTagRunOf(sunk.data.data() + first * stride(DataMode::Tags), lba, version, sectors);
}

BusAddress Bench::putTable(BusAddress at, const std::vector<int>& sectors)
{
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        const std::uint32_t entry = sectors[i] < 0 ? 0 : raw(bufferAt(static_cast<std::uint32_t>(sectors[i])));
        std::memcpy(memory.bytes(at + static_cast<std::uint32_t>(4 * i), 4), &entry, 4);
    }
    return at;
}

BusAddress Bench::putUnitTable(BusAddress at, const std::vector<int>& units, const std::vector<nand::Spare>& records)
{
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::uint32_t entry = units[i] < 0 ? 0 : raw(bufferAt(static_cast<std::uint32_t>(units[i]) * 8));
        std::memcpy(memory.bytes(at + static_cast<std::uint32_t>(4 * i), 4), &entry, 4);
    }
    const auto bytes = static_cast<std::uint32_t>(records.size() * sizeof(nand::Spare));
    if (bytes != 0)
        std::memcpy(memory.bytes(at + static_cast<std::uint32_t>(4 * units.size()), bytes), records.data(), bytes);
    return at;
}

nand::Spare Bench::recordAt(BusAddress table, std::uint32_t units, std::uint32_t number)
{
    nand::Spare spare{};
    std::memcpy(spare.data(), memory.bytes(table + units * 4 + number * 16, 16), sizeof spare);
    return spare;
}

void Bench::run(Time until)
{
    for (;;) {
        const Time next = std::min({controller.nextTime(), completions_.nextTime(), takenByHost_.nextTime()});
        if (next == never || next > until)
            break;
        now = next;
        controller.advance(now);
        while (completions_.isDue(now)) {
            const Completion done = completions_.pop();
            controller.operationDone(done.ticket, done.op, now);
        }
        while (takenByHost_.isDue(now))
            controller.hostTook(takenByHost_.pop(), now);
    }
    if (until != never)
        now = until;
}

memory::BulkMemoryConfig Bench::memoryConfig(DataMode mode)
{
    memory::BulkMemoryConfig config;
    config.region = {memoryBase, 0x20000};
    config.dataBuffer = dataBuffer;
    config.dataMode = mode;
    config.bytesPerSecond = 1'000'000'000;
    config.latency = 100ns;
    config.ports = {"flash"};
    return config;
}

FlashControllerConfig Bench::withGeometry(FlashControllerConfig config) const
{
    config.die = part_.geometry;
    config.dataBuffer = dataBuffer;
    return config;
}

Moved Bench::move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time at)
{
    CHECK(at >= now);
    if (memory.isDataBuffer(address, bytes)) {
        const auto count = static_cast<std::uint32_t>(bytes / sectorBytes);
        const Content store = memory.sectors(address, count);
        direction == Direction::ToMemory ? copySectors(store, content, count) : copySectors(content, store, count);
    } else {
        std::byte* store = memory.bytes(address, bytes);
        if (store == nullptr)
            return {at, false};
        direction == Direction::ToMemory ? std::memcpy(store, content.data, bytes)
                                         : std::memcpy(content.data, store, bytes);
    }
    const Time end = memory.access(0, bytes, at);
    bursts.push_back({address, bytes, direction, at, end});
    return {end, true};
}

bool Bench::peek(BusAddress address, std::uint32_t bytes, std::byte* data)
{
    std::memcpy(data, memory.bytes(address, bytes), bytes);
    return true;
}

void Bench::send(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at)
{
    CHECK(at >= now);
    CHECK(channel == controller.config().array.channelOf(op.die));
    sent.push_back({op, at});
    Completion completion{ticket, op};
    nand::Operation& running = completion.op;
    const bool isOfWordLine = part_.geometry.hasWordLines() && op.opcode == nand::Opcode::Program && !op.pslc;
    const bool isHeld = isOfWordLine && !part_.geometry.isLastOfWordLine(op.target.page);
    if (isOfWordLine)
        running.form = isHeld ? nand::Form::WordLinePage : nand::Form::WordLineEnd;
    const bool isPlaneRead = part_.hasPlaneReads() && op.opcode == nand::Opcode::Read;
    Time& planeFree = planeFree_[raw(op.die) * part_.geometry.planes + part_.geometry.planeOf(op.target.block)];
    if (isPlaneRead)
        running.form = nand::Form::PlaneRead;
    running.requestEnd = std::max({at, dieFree_[raw(op.die)], planeFree}) + request;
    running.ready = dies[raw(op.die)]->issue(running, running.requestEnd);
    running.bitErrors = op.opcode == nand::Opcode::Read ? bitErrors : 0;
    const bool hasDataOut = op.opcode == nand::Opcode::Read || op.opcode == nand::Opcode::ReadId;
    if (hasDataOut && running.status == nand::Status::Ok)
        dies[raw(op.die)]->fetch(running); // before the next operation is issued
    if (op.isStepped) {
        CHECK(dieFree_[raw(op.die)] != never);
        dieFree_[raw(op.die)] = never;
        stepped_.push_back({completion});
        controller.primitiveEnded(ticket, running.ready);
        return;
    }
    if (running.form == nand::Form::CopyOut && running.status == nand::Status::Ok && !running.blank) {
        running.form = nand::Form::CopyIn;
        running.requestEnd = running.ready + statusRead + request;
        running.ready = dies[raw(op.die)]->issue(running, running.requestEnd);
    }
    if (isHeld) { // a word line finishes with its last page
        dieFree_[raw(op.die)] = running.ready;
        held_.push_back(completion);
        return;
    }
    running.done = running.ready + (op.opcode == nand::Opcode::Read ? response : statusRead);
    (isPlaneRead ? planeFree : dieFree_[raw(op.die)]) = running.done;
    const Time done = running.done;
    for (const Completion& page : held_)
        completions_.push(done, page);
    held_.clear();
    completions_.push(done, completion);
}

void Bench::proceed(ChannelId channel, UnitId unit)
{
    const auto stepped = std::find_if(stepped_.begin(), stepped_.end(),
                                      [&](const Stepped& s) { return s.completion.ticket.unit == unit; });
    REQUIRE(stepped != stepped_.end());
    nand::Operation& op = stepped->completion.op;
    CHECK(channel == controller.config().array.channelOf(op.die));
    CHECK(op.ready <= now);
    if (stepped->isRecordOut) {
        stepped->isRecordOut = false;
        op.form = nand::Form::CopyIn;
        op.requestEnd = now + request;
        op.ready = dies[raw(op.die)]->issue(op, op.requestEnd);
        controller.primitiveEnded(stepped->completion.ticket, op.ready);
    } else if (op.form == nand::Form::CopyOut && op.status == nand::Status::Ok && !op.blank) {
        stepped->isRecordOut = true;
        controller.primitiveEnded(stepped->completion.ticket, now + statusRead);
    } else {
        op.done = now + (op.opcode == nand::Opcode::Read ? response : statusRead);
        dieFree_[raw(op.die)] = op.done;
        completions_.push(op.done, stepped->completion);
        stepped_.erase(stepped);
    }
}

bool Bench::deliver(const HostRun& run, Time at)
{
    if (run.slot == refusedSlot)
        return false;
    const std::size_t bytes = run.sectors * stride(run.content.mode);
    sunk.push_back({run, {run.content.data, run.content.data + bytes}, at});
    takenByHost_.push(at + hostTime, run.ticket);
    return true;
}

FlashDescriptor descriptor(SuperchipOpcode opcode, std::uint32_t die, std::uint32_t block)
{
    FlashDescriptor d;
    d.opcode = opcode;
    d.report = true;
    d.inlineBlocks = true;
    d.superchip = die;
    d.blocks = block;
    return d;
}

FlashDescriptor pages(SuperchipOpcode opcode, std::uint32_t die, nand::PageAddress first, std::uint32_t count,
                      std::uint32_t bufferSector)
{
    FlashDescriptor d = descriptor(opcode, die, first.block);
    d.startSector = first.page * 4;
    d.sectors = count * 4;
    d.buffer = bufferAt(bufferSector);
    return d;
}

} // namespace strobe::controller::test
