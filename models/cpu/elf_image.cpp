// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/elf_image.h"

#include "models/base/config_error.h"
#include "models/cpu/image_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <type_traits>

namespace strobe::cpu {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "headers are copied as they are in the file");

namespace {

constexpr const char* vectorTableName = "vector_table";
constexpr std::uint32_t vectorTableAlignment = 256;

std::string hex(std::uint64_t value)
{
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), "0x%08llx", static_cast<unsigned long long>(value));
    return text.data();
}

std::string rangeOf(std::uint64_t begin, std::uint64_t end)
{
    return hex(begin) + " to " + hex(end - 1);
}

// The bytes of the file, with bounds checks.
class Reader {
public:
    Reader(const std::vector<std::byte>& file, const std::string& name) : file_(file), name_(name) {}

    [[noreturn]] void refuse(const std::string& why) const
    {
        throw ConfigError("firmware image \"" + name_ + "\": " + why);
    }

    const std::byte* at(std::uint64_t offset, std::uint64_t size, const char* what) const
    {
        if (offset > file_.size() || size > file_.size() - offset)
            refuse("truncated: the file ends after " + std::to_string(file_.size()) + " bytes, and its " + what +
                   " ends at " + std::to_string(offset + size));
        return file_.data() + offset;
    }

    template <class T>
    T get(std::uint64_t offset, const char* what) const
    {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, at(offset, sizeof value, what), sizeof value);
        return value;
    }

private:
    const std::vector<std::byte>& file_;
    const std::string& name_;
};

const char* machineName(std::uint16_t machine)
{
    switch (machine) {
    case EM_386: return "x86";
    case EM_X86_64: return "x86-64";
    case EM_ARM: return "Arm";
    case EM_AARCH64: return "AArch64";
    default: return "another machine";
    }
}

Elf32_Ehdr readHeader(const Reader& reader)
{
    const auto* ident = reinterpret_cast<const unsigned char*>(reader.at(0, EI_NIDENT, "ELF identification"));
    if (std::memcmp(ident, ELFMAG, SELFMAG) != 0)
        reader.refuse("not an ELF file");
    if (ident[EI_DATA] != ELFDATA2LSB)
        reader.refuse("big-endian; the RV32 core is little-endian");
    // Type and machine are at the same offset in both classes.
    const auto machine = reader.get<std::uint16_t>(offsetof(Elf32_Ehdr, e_machine), "ELF header");
    if (machine != EM_RISCV)
        reader.refuse(std::string("made for ") + machineName(machine) + " (ELF machine " + std::to_string(machine) +
                      "); the core is RISC-V (machine 243)");
    if (ident[EI_CLASS] != ELFCLASS32)
        reader.refuse("64-bit; the core is RV32, so compile with -march=rv32imac -mabi=ilp32");
    const auto header = reader.get<Elf32_Ehdr>(0, "ELF header");
    if (header.e_type != ET_EXEC)
        reader.refuse("not linked to run at fixed addresses (ELF type " + std::to_string(header.e_type) +
                      "); link it as an executable that is not position-independent");
    if ((header.e_flags & (EF_RISCV_FLOAT_ABI | EF_RISCV_RVE)) != 0)
        reader.refuse("compiled for floating-point registers or RV32E; compile with -mabi=ilp32");
    if (header.e_phnum == 0 || header.e_phentsize != sizeof(Elf32_Phdr))
        reader.refuse("no program headers, so nothing to load");
    return header;
}

std::vector<ElfImage::Segment> readSegments(const Reader& reader, const Elf32_Ehdr& header)
{
    std::vector<ElfImage::Segment> segments;
    for (std::uint32_t i = 0; i < header.e_phnum; ++i) {
        const auto row =
            reader.get<Elf32_Phdr>(std::uint64_t{header.e_phoff} + i * sizeof(Elf32_Phdr), "program headers");
        if (row.p_type == PT_INTERP || row.p_type == PT_DYNAMIC)
            reader.refuse("dynamically linked; link it with -static");
        if (row.p_type != PT_LOAD || row.p_memsz == 0)
            continue;
        const std::string place = "segment " + std::to_string(i) + " (" +
                                  rangeOf(row.p_vaddr, std::uint64_t{row.p_vaddr} + row.p_memsz) + ")";
        if (row.p_filesz > row.p_memsz)
            reader.refuse(place + " is larger in the file than in memory");
        if (std::uint64_t{row.p_vaddr} + row.p_memsz > std::uint64_t{1} << 32)
            reader.refuse(place + " ends beyond the 32-bit address space");
        ElfImage::Segment segment;
        segment.address = row.p_vaddr;
        segment.size = row.p_memsz;
        segment.executable = (row.p_flags & PF_X) != 0;
        segment.writable = (row.p_flags & PF_W) != 0;
        const std::byte* contents = reader.at(row.p_offset, row.p_filesz, place.c_str());
        segment.contents.assign(contents, contents + row.p_filesz);
        segments.push_back(std::move(segment));
    }
    if (segments.empty())
        reader.refuse("no segment to load");
    std::sort(segments.begin(), segments.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    for (std::size_t i = 1; i < segments.size(); ++i) {
        if (segments[i - 1].end() > segments[i].address)
            reader.refuse("segments " + rangeOf(segments[i - 1].address, segments[i - 1].end()) + " and " +
                          rangeOf(segments[i].address, segments[i].end()) + " overlap");
    }
    return segments;
}

void addSymbols(const Reader& reader, const Elf32_Shdr& table, const Elf32_Shdr& names,
                std::vector<ElfImage::Symbol>& symbols)
{
    for (std::uint32_t i = 0; i < table.sh_size / sizeof(Elf32_Sym); ++i) {
        const auto row = reader.get<Elf32_Sym>(std::uint64_t{table.sh_offset} + i * sizeof(Elf32_Sym), "symbol table");
        const auto type = ELF32_ST_TYPE(row.st_info);
        if (type == STT_SECTION || type == STT_FILE || row.st_shndx == SHN_UNDEF || row.st_name >= names.sh_size)
            continue;
        const std::uint32_t longest = names.sh_size - row.st_name;
        const auto* text = reinterpret_cast<const char*>(
            reader.at(std::uint64_t{names.sh_offset} + row.st_name, longest, "symbol names"));
        const std::string name(text, strnlen(text, longest));
        if (!name.empty() && name[0] != '$' && name.compare(0, 2, ".L") != 0) // not the compiler's own
            symbols.push_back({name, row.st_value, row.st_size, type == STT_FUNC});
    }
}

std::vector<ElfImage::Symbol> readSymbols(const Reader& reader, const Elf32_Ehdr& header)
{
    std::vector<ElfImage::Symbol> symbols;
    const auto section = [&](std::uint32_t index) {
        return reader.get<Elf32_Shdr>(std::uint64_t{header.e_shoff} + index * sizeof(Elf32_Shdr), "section headers");
    };
    for (std::uint32_t i = 0; i < header.e_shnum; ++i) {
        const Elf32_Shdr table = section(i);
        if (table.sh_type == SHT_SYMTAB && table.sh_link < header.e_shnum)
            addSymbols(reader, table, section(table.sh_link), symbols);
    }
    std::stable_sort(symbols.begin(), symbols.end(),
                     [](const auto& a, const auto& b) { return a.address < b.address; });
    return symbols;
}

bool isCode(const std::vector<ElfImage::Segment>& segments, std::uint32_t address)
{
    return std::any_of(segments.begin(), segments.end(), [address](const ElfImage::Segment& segment) {
        return segment.executable && address >= segment.address && address < segment.end();
    });
}

} // namespace

ElfImage ElfImage::parse(const std::vector<std::byte>& file, const std::string& name)
{
    const Reader reader(file, name);
    const Elf32_Ehdr header = readHeader(reader);
    ElfImage image;
    image.name_ = name;
    image.entry_ = header.e_entry;
    image.segments_ = readSegments(reader, header);
    image.symbols_ = readSymbols(reader, header);
    if (!isCode(image.segments_, image.entry_))
        reader.refuse("its entry point " + hex(image.entry_) + " is in no segment that may be executed");
    const Symbol* table = image.find(vectorTableName);
    if (table == nullptr)
        reader.refuse(std::string("no vector table: it has no symbol \"") + vectorTableName +
                      "\" (or was stripped); the core needs to find its traps");
    if (table->address % vectorTableAlignment != 0 || !isCode(image.segments_, table->address))
        reader.refuse(std::string("its vector table (symbol \"") + vectorTableName + "\") is at " +
                      hex(table->address) + "; it has to lie in code, at a multiple of " +
                      std::to_string(vectorTableAlignment));
    image.vectorTable_ = table->address;
    return image;
}

ElfImage ElfImage::load(const std::string& path)
{
    return parse(readImageFile(path), path);
}

void ElfImage::mustFit(const std::vector<Place>& places) const
{
    for (const Segment& segment : segments_) {
        const bool fits = std::any_of(places.begin(), places.end(), [&](const Place& place) {
            return place.region.contains(BusAddress{segment.address}, segment.size);
        });
        if (fits)
            continue;
        std::string list;
        for (const Place& place : places) {
            const std::uint64_t base = raw(place.region.base);
            list += (list.empty() ? "" : ", ") + place.name + " " + rangeOf(base, base + place.region.size);
        }
        throw ConfigError("firmware image \"" + name_ + "\": its segment " + rangeOf(segment.address, segment.end()) +
                          " does not lie in memory; there is " + list);
    }
}

const ElfImage::Symbol* ElfImage::find(std::string_view name) const
{
    const auto found =
        std::find_if(symbols_.begin(), symbols_.end(), [name](const Symbol& symbol) { return symbol.name == name; });
    return found == symbols_.end() ? nullptr : &*found;
}

const ElfImage::Symbol* ElfImage::functionAt(std::uint32_t address) const
{
    auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                  [](std::uint32_t a, const Symbol& symbol) { return a < symbol.address; });
    while (after != symbols_.begin()) {
        const Symbol& symbol = *--after;
        if (!isCode(segments_, symbol.address))
            return nullptr;
        const bool covers = symbol.size == 0 || address - symbol.address < symbol.size;
        if (covers && (symbol.isFunction || symbol.size == 0))
            return &symbol;
    }
    return nullptr;
}

} // namespace strobe::cpu
