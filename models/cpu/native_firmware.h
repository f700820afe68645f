#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A firmware image compiled for the host (firmware/hal/native.h): a shared object, loaded as a private copy, so that
// each CPU has its own globals. (The loader shares globals between loads of one inode, and dlmopen() is limited to 15
// namespaces; each copy is a file in memory, which stays open so that debuggers find its symbols.) Linux only.

#include "firmware/hal/native.h"

#include <string>

namespace strobe::cpu {

class NativeFirmware {
public:
    // Throws ConfigError if the file cannot be read, is not a shared object of this machine, or lacks the entry symbol.
    explicit NativeFirmware(const std::string& path);
    ~NativeFirmware();
    NativeFirmware(const NativeFirmware&) = delete;
    NativeFirmware& operator=(const NativeFirmware&) = delete;

    // Calls the image's entry, which must not return. `hal` must live as long as the firmware runs.
    void run(const strobe_native_hal& hal) const { entry_(&hal); }

    const std::string& path() const { return path_; }

private:
    void load();

    std::string path_;
    int copy_ = -1; // file descriptor of the private copy
    void* handle_ = nullptr;
    strobe_native_entry entry_ = nullptr;
};

} // namespace strobe::cpu
