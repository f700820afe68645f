#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// `strobe run --report FILE`: the JSON report drawn as an HTML page by the Python package (`strobe report`).

#include <memory>
#include <string>

namespace strobe::platform {

class OutputFile;

class HtmlReport {
public:
    // Empty: none, and nothing is done. Otherwise Python, its packages and the path are found usable now, before a long
    // run; ConfigError if they are not.
    explicit HtmlReport(const std::string& file);
    ~HtmlReport();

    bool isRequested() const { return output_ != nullptr; }
    // `name` is what the page says that it was drawn from.
    void commit(const std::string& jsonReport, const std::string& name);

private:
    std::string file_;
    std::unique_ptr<OutputFile> output_;
};

} // namespace strobe::platform
