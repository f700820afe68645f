// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/qemu/image_writer.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

using namespace strobe;
using namespace strobe::test;
using platform::qemu::ImageWriter;

namespace {

struct File {
    std::string path =
        (std::filesystem::temp_directory_path() / ("strobe-image-" + std::to_string(::getpid()))).string();

    explicit File(std::size_t bytes)
    {
        std::ofstream file(path, std::ios::binary);
        for (std::size_t i = 0; i < bytes; ++i)
            file.put(static_cast<char>(i / sectorBytes + 1));
    }
    ~File() { std::remove(path.c_str()); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
};

struct Drive {
    KernelFixture kernel;
    FakeSsd ssd;

    Drive() : ssd(config()) {}
    static FakeSsd::Config config()
    {
        FakeSsd::Config config;
        config.mode = DataMode::Bytes;
        config.latency = std::chrono::microseconds(10);
        config.perSector = std::chrono::nanoseconds(100);
        return config;
    }
    void write(ImageWriter& writer)
    {
        ssd.connect(writer);
        writer.begin();
        for (int i = 0; i < 1000 && !writer.isDone() && writer.problem().empty(); ++i) {
            kernel.run(std::chrono::microseconds(1));
            ssd.advance(now());
        }
    }
};

} // namespace

TEST_CASE("a file is on the drive, its last sector filled with zeros, and then flushed")
{
    const File file(300 * sectorBytes + 7);
    Drive drive;
    ImageWriter writer(file.path, drive.ssd);
    CHECK(writer.sectors() == 301);
    drive.write(writer);
    CHECK(writer.isDone());
    CHECK(writer.waitingSince() == never);
    CHECK(writer.problem().empty());
    REQUIRE(drive.ssd.submitted.size() == 3);
    CHECK(drive.ssd.submitted[0].sectors == 256);
    CHECK(drive.ssd.submitted[1].sectors == 45);
    CHECK(drive.ssd.submitted[2].kind == host::RequestKind::Flush);
    for (const unsigned sector : {0U, 1U, 255U, 256U, 299U})
        CHECK(drive.ssd.sector(sector)[511] == static_cast<std::byte>((sector + 1) % 256));
    CHECK(drive.ssd.sector(300)[6] == std::byte{301 % 256});
    CHECK(drive.ssd.sector(300)[7] == std::byte{0});
}

TEST_CASE("an empty file is a flush")
{
    const File file(0);
    Drive drive;
    ImageWriter writer(file.path, drive.ssd);
    drive.write(writer);
    CHECK(writer.isDone());
    CHECK(drive.ssd.submitted.size() == 1);
}

TEST_CASE("commands that a drive does not end are known, and since when")
{
    const File file(300 * sectorBytes);
    Drive drive;
    ImageWriter writer(file.path, drive.ssd);
    CHECK(writer.waitingSince() == never);
    CHECK(writer.commands().count() == 0);
    drive.kernel.run(std::chrono::microseconds(3));
    drive.ssd.connect(writer);
    writer.begin();
    drive.kernel.run(std::chrono::microseconds(5));
    CHECK(writer.waitingSince() == std::chrono::microseconds(3));
    std::vector<std::uint64_t> lbas;
    writer.commands().forEach([&lbas](const host::OutstandingCommand& one) {
        CHECK(one.request.kind == host::RequestKind::Write);
        CHECK(one.issued == std::chrono::microseconds(3));
        lbas.push_back(one.request.lba);
    });
    std::sort(lbas.begin(), lbas.end());
    CHECK(lbas == std::vector<std::uint64_t>{0, 256});
}

TEST_CASE("a drive that does not take the image")
{
    const File file(512);
    Drive drive;
    drive.ssd.judge = [](const host::Command&) { return host::CommandStatus::DeviceFault; };
    ImageWriter writer(file.path, drive.ssd);
    drive.write(writer);
    CHECK(writer.problem() == "the drive answers \"device fault\" to a write of the image");
    CHECK_FALSE(writer.isDone());
}

TEST_CASE("a file that is not there")
{
    Drive drive;
    CHECK_THROWS_AS(ImageWriter("/none", drive.ssd), ConfigError);
}
