// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/qtest_run.h"

#include "models/cpu/firmware_fault.h"
#include "platform/serve/pci_machine.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <systemc>
#include <unistd.h>

namespace strobe::platform::serve {

namespace {

constexpr std::size_t mostLine = std::size_t{2} * mostQtestBytes + 100; // characters

class Lines {
public:
    explicit Lines(int input) : input_(input) {}

    std::uint64_t number() const { return number_; } // of the last line
    // False: the input has ended.
    bool next(std::string& line)
    {
        ++number_;
        for (std::size_t seen = 0;;) {
            const std::size_t end = text_.find('\n', seen);
            if (end != std::string::npos) {
                line = text_.substr(0, end);
                text_.erase(0, end + 1);
                return true;
            }
            seen = text_.size();
            if (seen > mostLine)
                throw QtestError(fmt::format("the line has more than {} characters", mostLine));
            if (readMore())
                continue;
            if (!text_.empty())
                throw QtestError("the input ends within the line");
            return false;
        }
    }

private:
    bool readMore()
    {
        std::array<char, 65536> part{};
        ssize_t got = -1;
        do
            got = ::read(input_, part.data(), part.size());
        while (got < 0 && errno == EINTR);
        if (got < 0)
            throw QtestError(fmt::format("the input cannot be read: {}", std::strerror(errno)));
        text_.append(part.data(), static_cast<std::size_t>(got));
        return got > 0;
    }

    int input_;
    std::string text_;
    std::uint64_t number_ = 0;
};

// The number of an error, or 0.
int answer(int output, std::string text)
{
    text += '\n';
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = ::write(output, text.data() + done, text.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        done += static_cast<std::size_t>(written);
    }
    return 0;
}

} // namespace

void serveQtest(const Scenario& scenario, int input, int output)
{
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    PciMachine machine(scenario);
    Lines lines(input);
    int writeError = 0;
    try {
        for (std::string line; writeError == 0 && lines.next(line);)
            writeError = answer(output, machine.execute(parseQtest(line)));
    } catch (const QtestError& error) {
        answer(output, std::string("FAIL ") + error.what());
        throw QtestError(fmt::format("line {}: {}", lines.number(), error.what()));
    } catch (const cpu::FirmwareFault& fault) { // of several lines
        const std::string_view text = fault.what();
        answer(output, fmt::format("FAIL {}", text.substr(0, text.find('\n'))));
        throw;
    }
    if (writeError != 0)
        throw QtestError(
            fmt::format("line {}: its answer cannot be written: {}", lines.number(), std::strerror(writeError)));
}

} // namespace strobe::platform::serve
