#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What each fuzz target defines: a parser on arbitrary bytes. A mistake in the input ends with the parser's own error;
// anything else (a crash, another exception, what a sanitizer finds) is a bug. The corpus is a directory of inputs.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace strobe::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

// For parsers that read files: one file per process, which is written for each input.
class InputFile {
public:
    explicit InputFile(const std::string& suffix) : name_("/tmp/strobe-fuzz-" + std::to_string(::getpid()) + suffix) {}
    ~InputFile() { ::unlink(name_.c_str()); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::string& name() const { return name_; }
    void write(std::string_view bytes) const
    {
        std::ofstream(name_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

private:
    std::string name_;
};

} // namespace strobe::fuzz
