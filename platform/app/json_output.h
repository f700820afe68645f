#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where a command's JSON goes (option --json): nowhere, to a file, or to standard output, which then has no text.

#include <memory>
#include <string>

namespace strobe::platform {

class OutputFile;

class JsonOutput {
public:
    // Empty: none; "-": standard output. Make it before a long run: throws ConfigError if the file cannot be written.
    explicit JsonOutput(const std::string& path);
    ~JsonOutput(); // without commit(): nothing remains
    JsonOutput(const JsonOutput&) = delete;
    JsonOutput& operator=(const JsonOutput&) = delete;

    bool isWanted() const { return isOnOutput_ || file_ != nullptr; }
    bool isOnOutput() const { return isOnOutput_; }
    // Prints `json` or `text` on standard output; `json` is not used unless it is wanted.
    void commit(const std::string& json, const std::string& text);

private:
    bool isOnOutput_;
    std::unique_ptr<OutputFile> file_;
};

} // namespace strobe::platform
