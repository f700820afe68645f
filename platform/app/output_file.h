#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A file that exists complete or not at all: written in the same directory under a temporary name, renamed at the end.
// The constructor already creates the temporary file, so that an unusable path is found before a long run. Anything but
// a regular file (/dev/null, a pipe) is written directly.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

struct NamedOutput {
    const char* option;
    const std::string& path; // empty: none; "-": standard output
};

// Throws ConfigError if two outputs of a command go to the same file, or both to standard output, or if one goes to a
// file that the command reads. /dev/null may be used several times.
void requireSafeOutputs(const std::vector<std::string>& inputs, std::initializer_list<NamedOutput> outputs);

std::vector<std::string> filesIn(const std::string& directory); // and those below it

class OutputFile {
public:
    explicit OutputFile(const std::string& path); // throws ConfigError if it cannot be written there
    ~OutputFile();                                // without commit(): nothing remains
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view content);    // more of it; throws ConfigError, e.g. if the disk is full
    void commit(std::string_view last = {}); // the same, and it is complete

    // The program ends without destructors: the temporary files go. A signal handler may call it while none is made or
    // committed.
    static void abandonAll();

private:
    [[noreturn]] void fail(int error) const;

    std::string path_;      // as given, for messages
    std::string target_;    // links resolved
    std::string temporary_; // empty: written directly, or committed
    int descriptor_ = -1;
    OutputFile* next_ = nullptr; // of those there are
};

} // namespace strobe::platform
