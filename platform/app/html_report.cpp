// SPDX-License-Identifier: Apache-2.0
#include "platform/app/html_report.h"

#include "models/base/config_error.h"
#include "platform/app/exit_codes.h"
#include "platform/app/output_file.h"
#include "platform/app/python.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace strobe::platform {

namespace fs = std::filesystem;

namespace {

// Exists as long as this object.
class TemporaryDirectory {
public:
    TemporaryDirectory()
    {
        std::string pattern = (fs::temp_directory_path() / "strobe-report-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw ConfigError(pattern + ": cannot be made: " + std::strerror(errno));
        path_ = pattern;
    }
    ~TemporaryDirectory()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::string file(const char* name) const { return (path_ / name).string(); }

private:
    fs::path path_;
};

} // namespace

HtmlReport::HtmlReport(const std::string& file) : file_(file)
{
    if (file.empty())
        return;
    requirePython("report");
    output_ = std::make_unique<OutputFile>(file);
}

HtmlReport::~HtmlReport() = default;

void HtmlReport::commit(const std::string& jsonReport, const std::string& name)
{
    const TemporaryDirectory directory;
    const std::string json = directory.file("report.json");
    const std::string page = directory.file("report.html");
    OutputFile(json).commit(jsonReport);
    if (runPython(*findPythonCommand("report"), {json, "-o", page, "--name", name}) != exitOk)
        throw ConfigError(file_ + ": the page could not be drawn");
    std::ifstream stream(page, std::ios::binary);
    output_->commit(std::string(std::istreambuf_iterator<char>(stream), {}));
}

} // namespace strobe::platform
