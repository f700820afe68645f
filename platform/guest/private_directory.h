#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A directory for one run, which only this user can read; removed with its contents at the end.
// Errors: ConfigError.

#include <string>

namespace strobe::platform::guest {

class PrivateDirectory {
public:
    // `parent`: empty: TMPDIR or /tmp.
    explicit PrivateDirectory(const std::string& prefix, const std::string& parent = "");
    ~PrivateDirectory();
    PrivateDirectory(const PrivateDirectory&) = delete;
    PrivateDirectory& operator=(const PrivateDirectory&) = delete;

    void makeDirectory(const std::string& name) const;
    void write(const std::string& name, const std::string& text) const;
    void copy(const std::string& file, const std::string& name) const;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace strobe::platform::guest
