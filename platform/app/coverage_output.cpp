// SPDX-License-Identifier: Apache-2.0
#include "platform/app/coverage_output.h"

#include "models/base/config_error.h"
#include "models/cpu/code_places.h"
#include "models/cpu/debug/lcov_tracefile.h"
#include "platform/assembly/firmware_image.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace strobe::platform {

namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

std::optional<std::string> sourceOf(const std::string& path)
{
    const fs::path name = fs::path(path).lexically_normal();
    const fs::path here = fs::current_path();
    for (auto first = name.begin(); first != name.end(); ++first) {
        if (*first == "/" || *first == "..")
            continue;
        fs::path tail;
        for (auto part = first; part != name.end(); ++part)
            tail /= *part;
        const bool isOnlyName = !tail.has_parent_path();
        if (isOnlyName && name.is_absolute() && isFile(name))
            return name.string();
        if (isFile(here / tail))
            return (here / tail).string();
    }
    return std::nullopt;
}

cpu::CoverageByFile contentsOf(const std::string& path)
{
    if (!fs::exists(path))
        return {};
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file)
        throw ConfigError("--coverage-add: " + path + ": cannot be read");
    return cpu::parseLcov(text, path);
}

void requireSources(const std::string& image)
{
    const cpu::CodePlaces places(cpu::ElfImage::load(image));
    if (places.lines().empty())
        throw ConfigError("--coverage: " + image + " has no line information; it must be compiled with -g");
    const std::vector<std::string>& files = places.files();
    if (std::none_of(files.begin(), files.end(), [](const std::string& file) { return sourceOf(file).has_value(); }))
        throw ConfigError(fmt::format("--coverage: no source of {} is found (such as {}); must be started in the "
                                      "directory of the sources (and those be compiled with -g, or only the sources of "
                                      "libraries are known)",
                                      image, files.front()));
}

struct Sum {
    std::size_t of = 0;
    std::size_t executed = 0;

    void add(bool isExecuted)
    {
        ++of;
        executed += isExecuted ? 1 : 0;
    }
    std::string text() const
    {
        return fmt::format("{} of {} ({})", grouped(executed), grouped(of),
                           shortPercent(of == 0 ? 0 : static_cast<double>(executed) / static_cast<double>(of)));
    }
};

} // namespace

CoverageOutput::CoverageOutput(const CoverageCommand& command, const FirmwareConfig& firmware) : file_(command.file)
{
    if (command.adds)
        sum_ = contentsOf(command.file);
    requireSources(findFirmwareImage(firmware));
}

void CoverageOutput::add(const cpu::CoverageByFile& coverage)
{
    leftOut_ = 0;
    for (const auto& [path, file] : coverage) {
        if (const std::optional<std::string> source = sourceOf(path))
            sum_[*source].add(file);
        else
            ++leftOut_;
    }
}

void CoverageOutput::commit()
{
    file_.commit(cpu::lcovTracefile(sum_));
}

std::string CoverageOutput::text() const
{
    Sum lines;
    Sum functions;
    Sum branches;
    for (const auto& [path, file] : sum_) {
        for (const auto& [line, count] : file.lines)
            lines.add(count > 0);
        for (const auto& [name, function] : file.functions)
            functions.add(function.calls > 0);
        for (const auto& [branch, count] : file.branches)
            branches.add(count.value_or(0) > 0);
    }
    return fmt::format("\nFirmware coverage: lines {}, functions {}, branches {} in {} files{}\n", lines.text(),
                       functions.text(), branches.text(), sum_.size(),
                       leftOut_ == 0 ? "" : fmt::format("; {} without a source here are left out", leftOut_));
}

} // namespace strobe::platform
