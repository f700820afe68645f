// SPDX-License-Identifier: Apache-2.0
#include "platform/app/console.h"

#include "models/base/config_error.h"
#include "platform/app/interruption.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <unistd.h>

namespace strobe::platform {

namespace {

constexpr std::chrono::milliseconds drawInterval{500};

std::string clockText(double seconds)
{
    const auto whole = std::llround(seconds);
    return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                         : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

} // namespace

Console::Console(bool showProgress) : show_(showProgress && ::isatty(STDERR_FILENO) == 1)
{
    catchInterruptions();
}

Console::~Console()
{
    clearLine();
}

void Console::showFirmware(const std::string& file)
{
    firmware_ = stdout;
    firmwareName_ = file == "-" ? "standard output" : file;
    if (file == "-")
        return;
    firmwareFile_.reset(std::fopen(file.c_str(), "w"));
    firmware_ = firmwareFile_.get();
    if (firmware_ == nullptr)
        throw ConfigError(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
}

void Console::firmwareSays(std::string_view line)
{
    if (firmware_ == nullptr || !firmwareFault_.empty())
        return;
    clearLine();
    const bool isWritten = std::fwrite(line.data(), 1, line.size(), firmware_) == line.size() &&
                           std::fputc('\n', firmware_) != EOF && std::fflush(firmware_) == 0;
    if (!isWritten) // the run goes on: its report is worth more than this file
        firmwareFault_ = fmt::format("--console: {}: cannot be written: {}; lines of firmware are missing",
                                     firmwareName_, std::strerror(errno));
}

void Console::progress(const Progress& progress)
{
    if (!show_)
        return;
    const Clock::time_point now = Clock::now();
    if (progress.phaseIndex != phaseIndex_) {
        phaseIndex_ = progress.phaseIndex;
        phaseStart_ = now;
    }
    if (now - lastDrawn_ < drawInterval)
        return;
    lastDrawn_ = now;
    const double elapsed = std::chrono::duration<double>(now - phaseStart_).count();
    const double rate = elapsed > 0 ? static_cast<double>(progress.done) / elapsed : 0;
    std::string line =
        fmt::format("[{}/{}] {}: {}", progress.phaseIndex + 1, progress.phases, progress.phase, grouped(progress.done));
    if (progress.total && *progress.total != 0) {
        line += fmt::format(" of {} ({:.0f} %)", grouped(*progress.total),
                            100.0 * static_cast<double>(progress.done) / static_cast<double>(*progress.total));
    }
    line += fmt::format(", simulated {}, {} requests/s", shortTime(progress.simulated),
                        grouped(static_cast<std::uint64_t>(rate)));
    if (progress.total && *progress.total > progress.done && rate > 0)
        line += fmt::format(", {} left", clockText(static_cast<double>(*progress.total - progress.done) / rate));
    fmt::print(stderr, "\r\033[K{}", line.substr(0, 110));
    std::fflush(stderr);
    drawn_ = true;
}

bool Console::stopRequested()
{
    return interruption() != 0;
}

void Console::simulating(bool begins)
{
    watchSimulation(begins);
}

void Console::abandoned(std::string_view stall)
{
    clearLine();
    fmt::print(stderr, "strobe: firmware has {}\n", stall);
}

void Console::clearLine()
{
    if (drawn_) {
        fmt::print(stderr, "\r\033[K");
        std::fflush(stderr);
    }
    drawn_ = false;
}

} // namespace strobe::platform
