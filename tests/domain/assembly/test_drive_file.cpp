// SPDX-License-Identifier: Apache-2.0
//
// A drive of dies in use, as a file and back. Files of drives with firmware: tests/scenarios/runs/test_images.py.
#include "models/base/bytes.h"
#include "models/base/config_error.h"
#include "platform/assembly/drive_file.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

Scenario smallDrive()
{
    Scenario s;
    s.name = "two dies";
    s.nand.part.name = "part";
    s.nand.part.geometry = {2, 4, 4, 2048, 64};
    s.nand.part.times.tR = 25us;
    s.nand.part.times.tPROG = 200us;
    s.nand.part.times.tBERS = 2ms;
    s.nand.array = {1, 2, 1};
    s.nand.factoryBadBlocks = 1;
    return s;
}

// Erased and programmed at random: tags in runs and mixed, bytes, empty pages.
void use(DieArray& dies, std::uint64_t seed)
{
    Rng rng(seed, "use");
    for (auto& die : dies) {
        Time now{};
        for (std::uint32_t block = 0; block < die->part().geometry.blocks(); ++block) {
            const std::uint64_t erases = rng.below(4);
            for (std::uint64_t i = 0; i <= erases; ++i) {
                nand::Operation op;
                op.opcode = nand::Opcode::Erase;
                op.target = {block, 0};
                now = die->issue(op, now);
            }
            for (std::uint32_t page = 0; page < rng.below(5); ++page) {
                std::vector<std::byte> data(4 * sectorBytes, static_cast<std::byte>(rng.below(256)));
                const auto mode = static_cast<DataMode>(rng.below(3));
                if (mode == DataMode::Tags)
                    makeTagRun(static_cast<std::uint32_t>(rng.below(1000)), 1, 4, data.data());
                if (mode == DataMode::Tags && rng.chance(0.5))
                    makeTagRun(7, 2, 1, data.data() + sizeof(SectorTag));
                nand::Operation op;
                op.opcode = nand::Opcode::Program;
                op.target = {block, page};
                op.sectors = 4;
                op.data = {data.data(), mode};
                op.spare = {page, static_cast<std::uint32_t>(rng.below(100)), 3, 4};
                now = die->issue(op, now);
            }
        }
        die->powerOff(now - 100us); // the last program is torn
    }
}

struct Place { // a file that is removed
    std::string name =
        (std::filesystem::temp_directory_path() / ("strobe-drive-" + std::to_string(::getpid()))).string();
    ~Place() { std::filesystem::remove(name); }
    void write(const std::string& bytes) const { std::ofstream(name, std::ios::binary) << bytes; }
};

std::string fileOf(const Scenario& s, const DieArray& dies)
{
    return driveFile(s, DriveUser::Operations, dies, {0, 0, "what the user knows"}, "1.2.3");
}

std::string refusal(const Scenario& s)
{
    DieArray dies = makeDies(s);
    UserRecord known;
    try {
        loadDriveFile(s, DriveUser::Operations, dies, known);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("a drive is the same after its file was saved and loaded")
{
    const Place place;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Scenario s = smallDrive();
        s.seed = seed;
        s.nand.contents = {place.name, ContentsMode::Load};
        DieArray dies = makeDies(s);
        use(dies, seed);
        const std::string file = fileOf(s, dies);
        CHECK(fileOf(s, dies) == file);
        place.write(file);

        DieArray again = makeDies(s);
        UserRecord known;
        REQUIRE(loadDriveFile(s, DriveUser::Operations, again, known));
        CHECK(known.versions == "what the user knows");
        CHECK(fileOf(s, again) == file); // blocks, pages, spare records, wear and marks
    }
}

TEST_CASE("factory bad blocks are those of the file, whatever the seed")
{
    const Place place;
    Scenario s = smallDrive();
    DieArray dies = makeDies(s);
    use(dies, 1);
    place.write(fileOf(s, dies));
    s.nand.contents = {place.name, ContentsMode::Load};
    for (std::uint64_t seed = 2; seed < 12; ++seed) {
        s.seed = seed;
        DieArray again = makeDies(s);
        UserRecord known;
        loadDriveFile(s, DriveUser::Operations, again, known);
        for (std::uint32_t block = 0; block < s.nand.part.geometry.blocks(); ++block)
            CHECK(again[DieId{1}]->block(block).factoryBad == dies[DieId{1}]->block(block).factoryBad);
    }
}

TEST_CASE("the image of another drive is refused with all differences")
{
    const Place place;
    Scenario s = smallDrive();
    DieArray dies = makeDies(s);
    place.write(fileOf(s, dies));
    s.nand.contents = {place.name, ContentsMode::Load};
    CHECK(refusal(s) == "accepted");
    s.nand.array.ways = 1;
    s.nand.part.geometry.pageBytes = 4096;
    s.nand.preAged = 0.5;
    s.dataMode = DataMode::Bytes;
    CHECK(refusal(s) == "/nand/contents/file: " + place.name +
                            ": it is the image of another drive: nand.part.pageSize in bytes is 2048 there and 4096 "
                            "here; nand.ways is 2 there and 1 here; nand.preAged is 0.0 there and 0.5 here; data is "
                            "\"tags\" there and \"bytes\" here");
}

TEST_CASE("a damaged image is refused, wherever the damage is")
{
    const Place place;
    Scenario s = smallDrive();
    DieArray dies = makeDies(s);
    use(dies, 1);
    s.nand.contents = {place.name, ContentsMode::Load};
    const std::string file = fileOf(s, dies);
    Rng rng(1, "damage");
    for (int i = 0; i < 300; ++i) {
        std::string wrong = file;
        if (rng.chance(0.3))
            wrong.resize(rng.below(file.size()));
        else
            wrong[rng.below(file.size())] ^= static_cast<char>(1 + rng.below(255));
        place.write(wrong);
        CHECK(refusal(s) != "accepted");
    }
    place.write(file);
    CHECK(refusal(s) == "accepted");
}

TEST_CASE("the description of an image tells the drive, its wear and what was written")
{
    const Place place;
    const Scenario s = smallDrive();
    DieArray dies = makeDies(s);
    use(dies, 3);
    place.write(fileOf(s, dies));
    const auto about = nlohmann::json::parse(describeDriveFile(place.name));
    std::uint64_t programmed = 0;
    std::uint64_t erases = 0;
    for (const auto& die : dies) {
        for (std::uint32_t block = 0; block < s.nand.part.geometry.blocks(); ++block) {
            erases += die->block(block).erases;
            for (std::uint32_t page = 0; page < s.nand.part.geometry.pagesPerBlock; ++page)
                programmed += die->cells().isProgrammed({block, page}) ? 1U : 0U;
        }
    }
    CHECK(about["program"] == "1.2.3");
    CHECK(about["scenario"] == "two dies");
    CHECK(about["drive"]["nand.ways"] == 2);
    CHECK(about["flash"]["programmed_pages"] == programmed);
    CHECK(about["flash"]["erases"] == erases);
    CHECK(about["flash"]["pages"] == 2 * 8 * 4);
    CHECK(about["file"]["format"] == driveFileVersion);
    CHECK_THROWS_WITH(describeDriveFile(place.name + ".not"),
                      place.name + ".not: cannot be read: No such file or directory");
}
