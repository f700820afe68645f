// SPDX-License-Identifier: Apache-2.0
#include "models/base/bytes.h"
#include "models/nand/die.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::nand;
using namespace std::chrono_literals;

namespace {

Part smallPart()
{
    Part part;
    part.geometry = {1, 8, 4, 2048, 64};
    part.times.tR = 25us;
    part.times.tPROG = 200us;
    part.times.tBERS = 2ms;
    return part;
}

const Part part = smallPart();
constexpr std::uint32_t bad = 2;

Die newDie()
{
    return Die(DieId{3}, part, bad, Rng(5, "die"));
}

std::string fileOf(const Die& die)
{
    ByteWriter file;
    die.save(file);
    return file.bytes();
}

// Programs, or erases, and waits.
class User {
public:
    explicit User(Die& die) : die_(die) {}

    void program(std::uint32_t block, std::uint32_t page, const std::vector<std::byte>& sectors, DataMode mode)
    {
        std::vector<std::byte> data = sectors;
        Operation op;
        op.opcode = Opcode::Program;
        op.target = {block, page};
        op.sectors = 4;
        op.data = {data.data(), mode};
        op.spare = {block, page, 77, 88};
        now_ = die_.issue(op, now_);
    }
    Time issue(Opcode opcode, std::uint32_t block, std::uint32_t page)
    {
        Operation op;
        op.opcode = opcode;
        op.target = {block, page};
        op.sectors = 4;
        return die_.issue(op, now_);
    }
    void erase(std::uint32_t block) { now_ = issue(Opcode::Erase, block, 0); }
    Time now() const { return now_; }

private:
    Die& die_;
    Time now_{};
};

std::uint32_t goodBlock(const Die& die, std::uint32_t from)
{
    while (die.block(from).factoryBad)
        ++from;
    return from;
}

} // namespace

TEST_CASE("the contents of a die are restored from a file to the bit")
{
    Die die = newDie();
    User user(die);
    const std::uint32_t first = goodBlock(die, 0);
    const std::uint32_t second = goodBlock(die, first + 1);
    const std::uint32_t third = goodBlock(die, second + 1);
    std::vector<std::byte> run(4 * sizeof(SectorTag));
    makeTagRun(100, 3, 4, run.data());
    std::vector<std::byte> mixed = run;
    makeTagRun(9000, 1, 1, mixed.data() + sizeof(SectorTag));
    std::vector<std::byte> bytes(4 * sectorBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i * 37);
    user.erase(first);
    user.erase(first);
    user.program(first, 0, run, DataMode::Tags);
    user.program(first, 1, mixed, DataMode::Tags);
    user.program(first, 2, bytes, DataMode::Bytes);
    user.program(second, 0, {}, DataMode::None);
    die.wearOut(second);
    user.program(second, 1, run, DataMode::Tags); // fails
    const Time ready = user.issue(Opcode::Program, third, 0);
    die.powerOff(user.now() + (ready - user.now()) / 2); // interrupts it

    const std::string file = fileOf(die);
    Die again(DieId{3}, part, 0, Rng(99, "another"));
    ByteReader reader(file);
    again.restore(reader);
    CHECK(reader.isAtEnd());
    CHECK(fileOf(again) == file);
    CHECK(again.block(first).erases == 2);
    CHECK(again.block(first).nextPage == 3);
    CHECK(again.block(second).wornOut);
    CHECK(again.block(second).failed);
    CHECK(again.cells().spareOf({first, 2}) == Spare{first, 2, 77, 88});
    for (std::uint32_t block = 0; block < part.geometry.blocks(); ++block)
        CHECK(again.block(block).factoryBad == die.block(block).factoryBad);

    for (Die* d : {&die, &again}) {
        Operation op;
        op.opcode = Opcode::Read;
        op.target = {first, 2};
        op.sectors = 4;
        std::vector<std::byte> data(bytes.size());
        op.data = {data.data(), DataMode::Bytes};
        d->issue(op, Time{});
        d->fetch(op);
        CHECK(data == bytes);
    }
}

TEST_CASE("a file of a die that is cut off or has numbers that cannot be is refused")
{
    Die die = newDie();
    User user(die);
    std::vector<std::byte> run(4 * sizeof(SectorTag));
    makeTagRun(100, 3, 4, run.data());
    user.program(goodBlock(die, 0), 0, run, DataMode::Tags);
    die.powerOff(user.now());
    const std::string file = fileOf(die);
    for (std::size_t length = 0; length < file.size(); ++length) {
        Die other = newDie();
        ByteReader reader(std::string_view(file).substr(0, length));
        CHECK_THROWS_AS(other.restore(reader), DamagedBytes);
    }
    std::string wrong = file;
    wrong[part.geometry.blocks() * sizeof(std::uint32_t)] = 9; // the first block's next page: it has four
    Die other = newDie();
    ByteReader reader(wrong);
    CHECK_THROWS_AS(other.restore(reader), DamagedBytes);
}
