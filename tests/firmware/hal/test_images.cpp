// SPDX-License-Identifier: Apache-2.0
//
// The shared objects that the platform loads, run as they are.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/firmware/support/host_model.h"
#include "tests/support/catch.h"

#include <dlfcn.h>

using namespace strobe;
using namespace strobe::test;

namespace {

class Image {
public:
    explicit Image(const std::string& name)
        : handle_(dlopen((STROBE_FIRMWARE_DIRECTORY "/" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL))
    {
        REQUIRE(handle_ != nullptr);
    }
    ~Image() { dlclose(handle_); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    void* symbol(const char* name) const { return dlsym(handle_, name); }
    strobe_native_entry entry() const
    {
        return reinterpret_cast<strobe_native_entry>(symbol(STROBE_NATIVE_ENTRY_NAME));
    }

private:
    void* handle_;
};

// Runs a random workload on an image; returns the host's error message, or an empty text.
std::string complaintOf(const Image& image, std::uint32_t completion)
{
    MockOptions options = smallDrive();
    options.boot.completion = completion;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.random(6000, {});
    try {
        drive.run(image.entry(), host);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("the image exports its entry and nothing else")
{
    const Image image("strobe_firmware_page_map");
    CHECK(image.entry() != nullptr);
    CHECK(image.symbol("firmware_main") == nullptr);
    CHECK(image.symbol("reg_write") == nullptr);
}

TEST_CASE("the image passes the integrity check")
{
    const Image image("strobe_firmware_page_map");
    CHECK(complaintOf(image, 0) == "");
    CHECK(complaintOf(image, 1) == "");
}

TEST_CASE("the integrity check detects the image that loses mapping updates")
{
    const Image image("strobe_firmware_page_map_lossy");
    CHECK(complaintOf(image, 0).find("host: sector ") == 0);
    CHECK(complaintOf(image, 1).find("host: sector ") == 0);
}

TEST_CASE("an image refuses a runner with another version of the table")
{
    strobe_native_hal table{};
    table.abi = STROBE_NATIVE_ABI + 1;
    table.panic = [](void*, const char* text) { throw FirmwarePanic(text); };
    CHECK_THROWS_AS(strobe_firmware_entry(&table), FirmwarePanic);
}
