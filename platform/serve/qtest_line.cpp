// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/qtest_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

namespace strobe::platform::serve {

namespace {

using Kind = QtestCommand::Kind;

constexpr std::uint64_t mostPort = 0xFFFF;

// What of a line is quoted in a message.
std::string quoted(std::string_view text)
{
    constexpr std::size_t most = 40;
    std::string shown;
    for (const char c : text.substr(0, most))
        shown += c >= ' ' && c <= '~' ? c : '?';
    return "\"" + shown + (text.size() > most ? "..." : "") + "\"";
}

class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}
    std::string_view next(const char* what)
    {
        skipBlanks();
        const std::string_view word = rest_.substr(0, rest_.find(' '));
        if (word.empty())
            throw QtestError(fmt::format("{} is missing", what));
        rest_.remove_prefix(word.size());
        return word;
    }
    std::uint64_t number(const char* what, std::uint64_t most = std::numeric_limits<std::uint64_t>::max())
    {
        const std::string_view word = next(what);
        const bool isHexadecimal = word.substr(0, 2) == "0x";
        const std::string_view digits = word.substr(isHexadecimal ? 2 : 0);
        std::uint64_t value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, isHexadecimal ? 16 : 10);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || value > most)
            throw QtestError(fmt::format("{}: {} is not a number up to {}", what, quoted(word), most));
        return value;
    }
    std::uint32_t size() { return static_cast<std::uint32_t>(number("number of bytes", mostQtestBytes)); }
    void end()
    {
        skipBlanks();
        if (!rest_.empty())
            throw QtestError(fmt::format("{} follows the command", quoted(rest_)));
    }

private:
    void skipBlanks()
    {
        while (!rest_.empty() && rest_.front() == ' ')
            rest_.remove_prefix(1);
    }
    std::string_view rest_;
};

std::byte digitPair(std::string_view hex, std::size_t at)
{
    unsigned value = 0;
    const auto read = std::from_chars(hex.data() + at, hex.data() + at + 2, value, 16);
    if (read.ec != std::errc() || read.ptr != hex.data() + at + 2)
        throw QtestError(fmt::format("data: {} is not two hexadecimal digits", quoted(hex.substr(at, 2))));
    return static_cast<std::byte>(value);
}

std::vector<std::byte> bytesOf(std::string_view word, std::uint32_t bytes)
{
    if (word.substr(0, 2) != "0x" || word.size() != 2 + std::size_t{2} * bytes)
        throw QtestError(fmt::format("data: must be 0x and {} hexadecimal digits", std::size_t{2} * bytes));
    std::vector<std::byte> data(bytes);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = digitPair(word, 2 + 2 * i);
    return data;
}

struct Access {
    std::string_view name;
    Kind kind;
    std::uint32_t bytes;
};
constexpr std::array accesses{
    Access{"readb", Kind::Read, 1},   Access{"readw", Kind::Read, 2},   Access{"readl", Kind::Read, 4},
    Access{"readq", Kind::Read, 8},   Access{"writeb", Kind::Write, 1}, Access{"writew", Kind::Write, 2},
    Access{"writel", Kind::Write, 4}, Access{"writeq", Kind::Write, 8}, Access{"inb", Kind::In, 1},
    Access{"inw", Kind::In, 2},       Access{"inl", Kind::In, 4},       Access{"outb", Kind::Out, 1},
    Access{"outw", Kind::Out, 2},     Access{"outl", Kind::Out, 4}};

void readAccess(QtestCommand& command, const Access& access, Words& words)
{
    constexpr std::uint32_t wide = 8;
    const bool isPort = access.kind == Kind::In || access.kind == Kind::Out;
    command.kind = access.kind;
    command.bytes = access.bytes;
    command.address = isPort ? words.number("port", mostPort) : words.number("address");
    if (access.kind == Kind::Write || access.kind == Kind::Out)
        command.value = words.number("value", access.bytes == wide ? std::numeric_limits<std::uint64_t>::max()
                                                                   : (std::uint64_t{1} << 8U * access.bytes) - 1);
}

} // namespace

QtestCommand parseQtest(std::string_view line)
{
    constexpr std::uint64_t mostByte = 0xFF;
    Words words(line);
    QtestCommand command;
    const std::string_view name = words.next("command");
    const auto* const access =
        std::find_if(accesses.begin(), accesses.end(), [name](const Access& each) { return each.name == name; });
    if (access != accesses.end()) {
        readAccess(command, *access, words);
    } else if (name == "read") {
        command.kind = Kind::ReadBytes;
        command.address = words.number("address");
        command.bytes = words.size();
    } else if (name == "write") {
        command.kind = Kind::WriteBytes;
        command.address = words.number("address");
        command.bytes = words.size();
        command.data = bytesOf(words.next("data"), command.bytes);
    } else if (name == "memset") {
        command.kind = Kind::WriteBytes;
        command.address = words.number("address");
        command.bytes = words.size();
        command.data.assign(command.bytes, static_cast<std::byte>(words.number("value", mostByte)));
    } else if (name == "clock_step") {
        command.kind = Kind::StepClock;
        command.value = words.number("nanoseconds", mostQtestStep);
    } else {
        throw QtestError(fmt::format("the command {} is unknown; the commands are readb, readw, readl, readq, writeb, "
                                     "writew, writel, writeq, inb, inw, inl, outb, outw, outl, read, write, memset, "
                                     "clock_step",
                                     quoted(name)));
    }
    words.end();
    return command;
}

} // namespace strobe::platform::serve
