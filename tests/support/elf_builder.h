#pragma once
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace strobe::test {

// An ELF file under construction: as a linker would write it, unless a test corrupts it.
struct ElfBuilder {
    Elf32_Ehdr header{};
    std::vector<Elf32_Phdr> segments;
    std::vector<std::vector<unsigned char>> contents;
    struct Named {
        const char* name;
        std::uint32_t address;
        std::uint32_t size;
        unsigned type;
    };
    std::vector<Named> symbols;

    ElfBuilder()
    {
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS32;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_type = ET_EXEC;
        header.e_machine = EM_RISCV;
        header.e_entry = 0x1040;
        add(0x1000, 0x100, PF_R | PF_X, {1, 2, 3, 4});
        add(0x2000, 0x20, PF_R | PF_W, {5, 6});
        symbols = {{"vector_table", 0x1000, 0, STT_OBJECT},
                   {"_start", 0x1040, 16, STT_FUNC},
                   {"work", 0x1060, 8, STT_FUNC},
                   {"state", 0x2000, 4, STT_OBJECT}};
    }

    void add(std::uint32_t address, std::uint32_t size, unsigned flags, std::vector<unsigned char> bytes)
    {
        Elf32_Phdr row{};
        row.p_type = PT_LOAD;
        row.p_vaddr = row.p_paddr = address;
        row.p_memsz = size;
        row.p_filesz = static_cast<std::uint32_t>(bytes.size());
        row.p_flags = flags;
        segments.push_back(row);
        contents.push_back(std::move(bytes));
    }

    std::vector<std::byte> file() const
    {
        std::vector<unsigned char> out(sizeof header);
        const auto append = [&out](const void* bytes, std::size_t size) {
            const auto* p = static_cast<const unsigned char*>(bytes);
            out.insert(out.end(), p, p + size);
            return static_cast<std::uint32_t>(out.size() - size);
        };
        Elf32_Ehdr head = header;
        std::vector<Elf32_Phdr> rows = segments;
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].p_offset = append(contents[i].data(), contents[i].size());
        head.e_phoff = static_cast<std::uint32_t>(out.size());
        head.e_phentsize = sizeof(Elf32_Phdr);
        head.e_phnum = static_cast<std::uint16_t>(rows.size());
        append(rows.data(), rows.size() * sizeof(Elf32_Phdr));

        std::string names(1, '\0');
        std::vector<Elf32_Sym> table(1);
        for (const Named& named : symbols) {
            Elf32_Sym row{};
            row.st_name = static_cast<std::uint32_t>(names.size());
            row.st_value = named.address;
            row.st_size = named.size;
            row.st_info = static_cast<unsigned char>(ELF32_ST_INFO(STB_GLOBAL, named.type));
            row.st_shndx = SHN_ABS;
            table.push_back(row);
            names += named.name + std::string(1, '\0');
        }
        Elf32_Shdr sections[3]{};
        sections[1].sh_type = SHT_SYMTAB;
        sections[1].sh_link = 2;
        sections[1].sh_size = static_cast<std::uint32_t>(table.size() * sizeof(Elf32_Sym));
        sections[1].sh_offset = append(table.data(), sections[1].sh_size);
        sections[2].sh_type = SHT_STRTAB;
        sections[2].sh_size = static_cast<std::uint32_t>(names.size());
        sections[2].sh_offset = append(names.data(), names.size());
        head.e_shoff = append(sections, sizeof sections);
        head.e_shnum = 3;
        head.e_shentsize = sizeof(Elf32_Shdr);
        std::memcpy(out.data(), &head, sizeof head);
        std::vector<std::byte> bytes(out.size());
        std::memcpy(bytes.data(), out.data(), out.size());
        return bytes;
    }
};

} // namespace strobe::test
