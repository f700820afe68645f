// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/native_firmware.h"

#include "models/base/config_error.h"
#include "models/cpu/image_file.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace strobe::cpu {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why)
{
    throw ConfigError("firmware image \"" + path + "\": " + why);
}

bool writeAll(int file, const std::vector<std::byte>& contents)
{
    std::size_t written = 0;
    while (written < contents.size()) {
        const ssize_t count = write(file, contents.data() + written, contents.size() - written);
        if (count <= 0)
            return false;
        written += static_cast<std::size_t>(count);
    }
    return true;
}

// dlerror() without the name of the copy: "invalid ELF header"
std::string loaderMessage()
{
    const char* text = dlerror();
    const std::string message = text != nullptr ? text : "no reason given";
    const std::size_t colon = message.find(": ");
    return colon == std::string::npos ? message : message.substr(colon + 2);
}

} // namespace

NativeFirmware::NativeFirmware(const std::string& path) : path_(path)
{
    const std::vector<std::byte> image = readImageFile(path);
    copy_ = memfd_create("strobe-firmware", MFD_CLOEXEC);
    if (copy_ < 0 || !writeAll(copy_, image)) {
        const int reason = errno;
        if (copy_ >= 0)
            close(copy_);
        refuse(path, std::string("no memory for a private copy (") + std::strerror(reason) + ")");
    }
    try {
        load();
    } catch (...) {
        if (handle_ != nullptr)
            dlclose(handle_);
        close(copy_);
        throw;
    }
}

void NativeFirmware::load()
{
    // The descriptor stays open until dlclose(), so this name stays unique; the loader compares names before inodes.
    const std::string name = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(copy_);
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr)
        refuse(path_, "not a shared object that this machine can load (" + loaderMessage() + ")");
    entry_ = reinterpret_cast<strobe_native_entry>(dlsym(handle_, STROBE_NATIVE_ENTRY_NAME));
    if (entry_ == nullptr)
        refuse(path_, "exports no symbol \"" STROBE_NATIVE_ENTRY_NAME "\"; is it a Strobe firmware image?");
}

NativeFirmware::~NativeFirmware()
{
    dlclose(handle_);
    close(copy_);
}

} // namespace strobe::cpu
