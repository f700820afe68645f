// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/qemu_program.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace strobe::platform::qemu;

TEST_CASE("the version of QEMU whose device is known")
{
    CHECK(isKnownQemu("QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)"));
    CHECK(isKnownQemu("QEMU emulator version 7.2.0"));
    CHECK_FALSE(isKnownQemu("QEMU emulator version 7.20.1"));
    CHECK_FALSE(isKnownQemu("QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2)"));
    CHECK_FALSE(isKnownQemu("QEMU emulator version 7.1.0"));
    CHECK_FALSE(isKnownQemu(""));
}

TEST_CASE("the user's words come last, and both connections are passed on")
{
    QemuOptions options;
    options.program = "/usr/bin/qemu-system-x86_64";
    options.processors = 3;
    options.memoryMiB = 300;
    options.firmware = "/firmware.fd";
    options.words = {"-kernel", "vmlinuz"};
    const std::vector<std::string> words = qemuWords(options, 7, 9);
    const auto after = [&words](const std::string& word) {
        const auto at = std::find(words.begin(), words.end(), word);
        return at == words.end() || at + 1 == words.end() ? std::string("nothing") : at[1];
    };
    CHECK(words.front() == options.program);
    CHECK(words.back() == "vmlinuz");
    CHECK(after("-device") == "x-pci-proxy-dev,id=strobe,fd=7");
    CHECK(after("-chardev") == "socket,id=qtest,fd=9");
    CHECK(after("-object") == "memory-backend-memfd,id=mem,size=300M,share=on");
    CHECK(after("-smp") == "3");
    CHECK(after("-bios") == "/firmware.fd");
    options.firmware.clear();
    const std::vector<std::string> plain = qemuWords(options, 7, 9);
    CHECK(std::find(plain.begin(), plain.end(), "-bios") == plain.end());
}
