// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/lcov_tracefile.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

namespace strobe::cpu {

namespace {

template <class Map, class Hit>
std::size_t countOf(const Map& map, Hit isHit)
{
    return static_cast<std::size_t>(std::count_if(map.begin(), map.end(), isHit));
}

std::string recordOf(const std::string& path, const SourceCoverage& file)
{
    std::string text = "TN:\nSF:" + path + "\n";
    for (const auto& [name, function] : file.functions)
        text += fmt::format("FN:{},{}\n", function.line, name);
    for (const auto& [name, function] : file.functions)
        text += fmt::format("FNDA:{},{}\n", function.calls, name);
    text += fmt::format("FNF:{}\nFNH:{}\n", file.functions.size(),
                        countOf(file.functions, [](const auto& f) { return f.second.calls > 0; }));
    for (const auto& [branch, count] : file.branches)
        text += fmt::format("BRDA:{},{},{},{}\n", branch.line, branch.block, branch.way,
                            count ? std::to_string(*count) : "-");
    text += fmt::format("BRF:{}\nBRH:{}\n", file.branches.size(),
                        countOf(file.branches, [](const auto& b) { return b.second.value_or(0) > 0; }));
    for (const auto& [line, count] : file.lines)
        text += fmt::format("DA:{},{}\n", line, count);
    text += fmt::format("LF:{}\nLH:{}\nend_of_record\n", file.lines.size(),
                        countOf(file.lines, [](const auto& l) { return l.second > 0; }));
    return text;
}

class Parser {
public:
    explicit Parser(const std::string& name) : name_(name) {}

    void line(std::string_view text)
    {
        ++number_;
        if (text.empty() || text.front() == '#')
            return;
        const std::size_t colon = text.find(':');
        const std::string_view key = text.substr(0, colon);
        const std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
        if (key == "TN")
            return;
        if (key == "SF")
            file_ = &files_[std::string(value)];
        else if (file_ == nullptr)
            fail("must follow an SF record");
        else if (key == "end_of_record")
            file_ = nullptr;
        else
            record(key, value);
    }

    CoverageByFile result()
    {
        if (file_ != nullptr) {
            ++number_;
            fail("ends inside a record: there is no end_of_record");
        }
        return std::move(files_);
    }

private:
    void record(std::string_view key, std::string_view value)
    {
        std::vector<std::string_view> words;
        for (std::size_t end = 0; end != std::string_view::npos; value.remove_prefix(std::min(end + 1, value.size()))) {
            end = value.find(',');
            words.push_back(value.substr(0, end));
        }
        const auto mustHave = [&](std::size_t least) {
            if (words.size() < least)
                fail(fmt::format("{} needs {} values", key, least));
        };
        if (key == "DA") {
            mustHave(2);
            file_->lines[lineOf(words[0])] += number(words[1]);
        } else if (key == "FN") {
            mustHave(2);
            file_->functions[std::string(words.back())].line = lineOf(words[0]);
        } else if (key == "FNDA") {
            mustHave(2);
            file_->functions[std::string(words[1])].calls += number(words[0]);
        } else if (key == "BRDA") {
            mustHave(4);
            std::optional<std::uint64_t>& count =
                file_->branches[{lineOf(words[0]), lineOf(words[1]), lineOf(words[2])}];
            if (words[3] != "-")
                count = count.value_or(0) + number(words[3]);
        } else if (key != "FNF" && key != "FNH" && key != "BRF" && key != "BRH" && key != "LF" && key != "LH") {
            fail(fmt::format("\"{}\" is no record of an lcov tracefile", key));
        }
    }

    std::uint64_t number(std::string_view word) const
    {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size())
            fail(fmt::format("\"{}\" must be a number", word));
        return value;
    }
    std::uint32_t lineOf(std::string_view word) const
    {
        const std::uint64_t value = number(word);
        if (value > UINT32_MAX)
            fail(fmt::format("\"{}\" must be less than 2^32", word));
        return static_cast<std::uint32_t>(value);
    }
    [[noreturn]] void fail(const std::string& what) const
    {
        throw ConfigError(fmt::format("{}:{}: {}", name_, number_, what));
    }

    const std::string& name_;
    std::size_t number_ = 0; // of the line
    CoverageByFile files_;
    SourceCoverage* file_ = nullptr; // null: between records
};

} // namespace

std::string lcovTracefile(const CoverageByFile& files)
{
    std::string text;
    for (const auto& [path, file] : files)
        text += recordOf(path, file);
    return text;
}

CoverageByFile parseLcov(std::string_view text, const std::string& name)
{
    Parser parser(name);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        parser.line(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return parser.result();
}

} // namespace strobe::cpu
