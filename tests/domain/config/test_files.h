#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A directory of scenario files that a test writes, removed at its end.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace strobe::test {

class ScenarioDirectory {
public:
    ScenarioDirectory()
    {
        std::string name = (std::filesystem::temp_directory_path() / "strobe-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no temporary directory");
        path_ = name;
    }
    ~ScenarioDirectory() { std::filesystem::remove_all(path_); }
    ScenarioDirectory(const ScenarioDirectory&) = delete;
    ScenarioDirectory& operator=(const ScenarioDirectory&) = delete;

    std::string write(const std::string& name, const std::string& text) const
    {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return file.string();
    }
    std::string at(const std::string& name) const { return (path_ / name).string(); }
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

} // namespace strobe::test
