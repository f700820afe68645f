// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/code_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace strobe::cpu {

namespace {

// The last two parts of a path: enough to know a file, and the same on every machine.
std::string shortName(const std::string& path)
{
    const std::size_t last = path.rfind('/');
    const std::size_t before = last == std::string::npos || last == 0 ? last : path.rfind('/', last - 1);
    return before == std::string::npos ? path : path.substr(before + 1);
}

} // namespace

void CodePlaces::readLines() const
{
    areRead_ = true;
    const int file = ::open(image_.name().c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    Dwarf* dwarf = dwarf_begin(file, DWARF_C_READ);
    std::map<std::string, std::uint32_t> known;
    Dwarf_Off unit = 0;
    Dwarf_Off next = 0;
    std::size_t header = 0;
    while (dwarf != nullptr && dwarf_nextcu(dwarf, unit, &next, &header, nullptr, nullptr, nullptr) == 0) {
        Dwarf_Die die;
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (dwarf_offdie(dwarf, unit + header, &die) != nullptr && dwarf_getsrclines(&die, &lines, &count) == 0) {
            for (std::size_t i = 0; i < count; ++i) {
                Dwarf_Line* row = dwarf_onesrcline(lines, i);
                Dwarf_Addr address = 0;
                int number = 0;
                bool ends = false;
                bool isStatement = false;
                const char* name = dwarf_linesrc(row, nullptr, nullptr);
                if (name == nullptr || dwarf_lineaddr(row, &address) != 0 || dwarf_lineno(row, &number) != 0 ||
                    dwarf_lineendsequence(row, &ends) != 0 || dwarf_linebeginstatement(row, &isStatement) != 0)
                    continue;
                const auto [entry, isNew] = known.emplace(name, static_cast<std::uint32_t>(files_.size()));
                if (isNew)
                    files_.push_back(entry->first);
                lines_.push_back({static_cast<std::uint32_t>(address), entry->second, ends ? 0 : number, isStatement});
            }
        }
        unit = next;
    }
    dwarf_end(dwarf);
    ::close(file);
    // A sequence may end where another begins.
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
        return a.address != b.address ? a.address < b.address : a.line == 0 && b.line != 0;
    });
}

std::string CodePlaces::functionAt(std::uint32_t address) const
{
    const ElfImage::Symbol* symbol = image_.functionAt(address);
    return symbol != nullptr ? symbol->name : fmt::format("{:#010x}", address);
}

std::string CodePlaces::at(std::uint32_t address) const
{
    const ElfImage::Symbol* symbol = image_.functionAt(address);
    if (symbol == nullptr)
        return fmt::format("{:#010x}", address);
    std::string text = symbol->name;
    if (address != symbol->address)
        text += fmt::format("+{:#x}", address - symbol->address);
    if (const Line* line = lineAt(address))
        text += fmt::format(" ({}:{})", shortName(files_[line->file]), line->line);
    return text;
}

const CodePlaces::Line* CodePlaces::lineAt(std::uint32_t address) const
{
    const auto next = std::upper_bound(lines().begin(), lines().end(), address,
                                       [](std::uint32_t a, const Line& line) { return a < line.address; });
    return next == lines_.begin() || std::prev(next)->line == 0 ? nullptr : &*std::prev(next);
}

const std::vector<CodePlaces::Line>& CodePlaces::lines() const
{
    if (!areRead_)
        readLines();
    return lines_;
}

const std::vector<std::string>& CodePlaces::files() const
{
    lines();
    return files_;
}

} // namespace strobe::cpu
