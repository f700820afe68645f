#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// QEMU's program: whether it is one whose proxy device Strobe knows, and how it is started. Errors: ConfigError.

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::platform::qemu {

// Of the version that `qemu-system-x86_64 --version` prints; the interface of the proxy device is experimental, so that
// others may have another one.
inline constexpr const char* qemuVersion = "7.2";

// Its path. One message if it is missing, or of another version.
std::string requireQemu();
// Whether the text of --version is of qemuVersion. Pure.
bool isKnownQemu(const std::string& text);

struct QemuOptions {
    std::string program;
    std::uint32_t memoryMiB = 512;
    std::uint32_t processors = 1;
    std::string firmware;           // file; empty: SeaBIOS, QEMU's own
    std::vector<std::string> words; // of the user, after all others
};

// `proxy`, `qtest`: descriptors that the program inherits.
std::vector<std::string> qemuWords(const QemuOptions& options, int proxy, int qtest);

} // namespace strobe::platform::qemu
