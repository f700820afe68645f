// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/source_coverage.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>
#include <cstring>

namespace strobe::cpu {

namespace {

using Line = CodePlaces::Line;

// The instructions of the image; nothing outside what the file holds of executable segments.
class Code {
public:
    explicit Code(const ElfImage& image) : image_(image) {}

    std::optional<rv32::Instruction> at(std::uint32_t address) const
    {
        for (const ElfImage::Segment& segment : image_.segments()) {
            const std::uint64_t offset = std::uint64_t{address} - segment.address;
            if (!segment.executable || address < segment.address || offset + 2 > segment.contents.size())
                continue;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &segment.contents[offset],
                        std::min<std::uint64_t>(sizeof bits, segment.contents.size() - offset));
            return rv32::decode(bits);
        }
        return std::nullopt;
    }

private:
    const ElfImage& image_;
};

class Collection {
public:
    Collection(const CodePlaces& places, const CodeCoverage::Counts& counts)
        : places_(places), counts_(counts), code_(places.image())
    {
    }

    CoverageByFile all()
    {
        const std::vector<Line>& rows = places_.lines();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].line <= 0 || !code_.at(rows[i].address)) // of a function that the linker has removed
                continue;
            addStatement(rows[i]);
            if (i + 1 < rows.size())
                addBranches(rows[i], rows[i + 1].address);
        }
        for (const ElfImage::Symbol& symbol : places_.image().symbols()) {
            if (symbol.isFunction)
                addFunction(symbol);
        }
        return std::move(files_);
    }

private:
    SourceCoverage& fileOf(const Line& row) { return files_[places_.files()[row.file]]; }

    void addStatement(const Line& row)
    {
        if (!row.isStatement)
            return;
        std::uint64_t& count = fileOf(row).lines[static_cast<std::uint32_t>(row.line)];
        count = std::max(count, counts_.executedAt(row.address));
    }

    void addBranches(const Line& row, std::uint32_t end)
    {
        std::uint32_t address = row.address;
        while (address < end) {
            const std::optional<rv32::Instruction> instruction = code_.at(address);
            if (!instruction)
                return;
            if (classOf(instruction->operation) == rv32::InstructionClass::Branch)
                addBranch(row, address);
            address += instruction->bytes;
        }
    }

    void addBranch(const Line& row, std::uint32_t address)
    {
        const auto line = static_cast<std::uint32_t>(row.line);
        const std::uint32_t block = blocks_[{row.file, line}]++;
        std::optional<std::uint64_t> taken;
        std::optional<std::uint64_t> notTaken;
        if (const std::uint64_t executed = counts_.executedAt(address); executed > 0) {
            taken = counts_.jumpedFrom(address);
            notTaken = executed - *taken;
        }
        SourceCoverage& file = fileOf(row);
        file.branches[{line, block, 0}] = taken;
        file.branches[{line, block, 1}] = notTaken;
    }

    void addFunction(const ElfImage::Symbol& symbol)
    {
        const std::vector<Line>& rows = places_.lines();
        auto row = std::lower_bound(rows.begin(), rows.end(), symbol.address,
                                    [](const Line& line, std::uint32_t address) { return line.address < address; });
        while (row != rows.end() && row->line == 0)
            ++row;
        if (row == rows.end() || row->address != symbol.address)
            return;
        SourceCoverage::Function& function = fileOf(*row).functions[symbol.name];
        function.line = static_cast<std::uint32_t>(row->line);
        function.calls += counts_.executedAt(symbol.address);
    }

    const CodePlaces& places_;
    const CodeCoverage::Counts& counts_;
    Code code_;
    CoverageByFile files_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> blocks_; // branches so far, by file and line
};

} // namespace

void SourceCoverage::add(const SourceCoverage& other)
{
    for (const auto& [line, count] : other.lines)
        lines[line] += count;
    for (const auto& [name, function] : other.functions) {
        Function& sum = functions[name];
        if (function.line != 0)
            sum.line = function.line;
        sum.calls += function.calls;
    }
    for (const auto& [branch, count] : other.branches) {
        std::optional<std::uint64_t>& sum = branches[branch];
        if (count)
            sum = sum.value_or(0) + *count;
    }
}

CoverageByFile sourceCoverage(const CodePlaces& places, const CodeCoverage::Counts& counts)
{
    return Collection(places, counts).all();
}

void add(CoverageByFile& sum, const CoverageByFile& other)
{
    for (const auto& [path, file] : other)
        sum[path].add(file);
}

} // namespace strobe::cpu
