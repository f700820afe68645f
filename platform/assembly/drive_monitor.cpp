// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_monitor.h"

#include "models/base/strobe_registers.h"
#include "models/nand/page_store.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/register_names.h"
#include "platform/assembly/ssd_module.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

namespace strobe::platform {

namespace {

constexpr const char* help =
    "nand                every die: current state and counts of its array\n"
    "nand DIE BLOCK      a block: erases, pages programmed, contents of their spare records\n"
    "mapping LBA         pages in flash with a spare record of the logical page (or unit) of a sector\n"
    "units               flash units: their queues\n"
    "interrupts          lines of the interrupt controller\n"
    "registers BLOCK     registers of intc, timer, uart, host or flash\n";

struct Words {
    std::string_view command;
    std::vector<std::uint64_t> numbers;
    std::vector<std::string_view> texts; // the same, as written
    bool areNumbers = true;
};

Words wordsOf(std::string_view text)
{
    Words words;
    bool isFirst = true;
    while (true) {
        const std::size_t start = text.find_first_not_of(" \t\n");
        if (start == std::string_view::npos)
            return words;
        text.remove_prefix(start);
        const std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
        text.remove_prefix(word.size());
        if (isFirst) {
            words.command = word;
        } else {
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
            words.areNumbers = words.areNumbers && error == std::errc() && end == word.data() + word.size();
            words.numbers.push_back(number);
            words.texts.push_back(word);
        }
        isFirst = false;
    }
}

// How firmware divides the sectors of the host, and a page of the flash.
struct MappingUnits {
    std::uint32_t sectors; // of a unit
    std::uint32_t records; // of a unit, of those of a page
    std::uint32_t perPage;
    const char* name; // a logical one is called so

    std::string at(std::uint32_t page, std::uint32_t unit) const
    {
        return perPage == 1 ? std::to_string(page) : fmt::format("{}.{}", page, unit);
    }
};

MappingUnits mappingUnitsOf(const SsdModule& ssd)
{
    const nand::DieGeometry& geometry = ssd.dies[DieId{0}]->part().geometry;
    std::uint32_t bytes = ssd.spareLayout.unitSectors() * static_cast<std::uint32_t>(sectorBytes);
    if (bytes == 0)
        std::memcpy(&bytes, ssd.boot.bytes() + regs::bootBlock::MAPPING_UNIT, sizeof bytes);
    if (bytes >= geometry.pageBytes)
        return {geometry.sectorsPerPage(), geometry.spareRecords(), 1, "page"};
    const std::uint32_t perPage = geometry.pageBytes / bytes;
    return {geometry.sectorsPerPage() / perPage, geometry.spareRecords() / perPage, perPage, "unit"};
}

} // namespace

std::optional<std::string> DriveMonitor::answer(std::string_view command) const
{
    const Words words = wordsOf(command);
    const std::size_t numbers = words.areNumbers ? words.numbers.size() : SIZE_MAX;
    const auto only = [&](std::size_t count, const char* usage, auto says) -> std::string {
        return numbers == count ? says() : fmt::format("write it as: monitor {}\n", usage);
    };
    if (words.command == "help")
        return help;
    if (words.command == "nand" && words.numbers.empty())
        return dies();
    if (words.command == "nand")
        return only(2, "nand DIE BLOCK", [&] { return block(words.numbers[0], words.numbers[1]); });
    if (words.command == "mapping")
        return only(1, "mapping LBA", [&] { return mapping(words.numbers[0]); });
    if (words.command == "units")
        return only(0, "units", [&] { return units(); });
    if (words.command == "registers")
        return registers(words.texts.size() == 1 ? words.texts.front() : std::string_view());
    if (words.command == "interrupts")
        return only(0, "interrupts", [&] { return interrupts(); });
    return std::nullopt;
}

std::string DriveMonitor::countsText() const
{
    return fmt::format("counts since {}, the {}\n", toText(ssd_.countsFrom()),
                       ssd_.isCountedFromPowerOn() ? "power-on" : "begin of the measured phase");
}

std::string DriveMonitor::dies() const
{
    const nand::ArrayGeometry& array = ssd_.flash.controller().config().array;
    TextTable table({"die", "channel", "way", "array", "block", "page", "ready in", "reads", "programs", "erases"},
                    {3});
    for (std::size_t i = 0; i < ssd_.dies.size(); ++i) {
        const DieId id{static_cast<std::uint16_t>(i)};
        const nand::Die& die = *ssd_.dies[id];
        const nand::Die::Running* running = die.running(now());
        const nand::DieCounters& counted = die.counters().array;
        table.row({std::to_string(i), std::to_string(raw(array.channelOf(id))), std::to_string(raw(array.wayOf(id))),
                   die.isSuspended()    ? "suspended"
                   : running == nullptr ? "ready"
                                        : std::string(enumName(running->opcode)),
                   running == nullptr ? "" : std::to_string(running->target.block),
                   running == nullptr ? "" : std::to_string(running->target.page),
                   running == nullptr ? "" : shortTime(running->ready - now()), grouped(counted.reads),
                   grouped(counted.programs), grouped(counted.erases)});
    }
    return table.text() + countsText();
}

std::string DriveMonitor::block(std::uint64_t number, std::uint64_t block) const
{
    if (number >= ssd_.dies.size())
        return fmt::format("there is no die {}; there are {}\n", number, ssd_.dies.size());
    const nand::Die& die = *ssd_.dies[DieId{static_cast<std::uint16_t>(number)}];
    const std::uint32_t blocks = die.part().geometry.blocks();
    if (block >= blocks)
        return fmt::format("there is no block {}; the die has {}\n", block, blocks);
    const auto at = static_cast<std::uint32_t>(block);
    std::string text = fmt::format(
        "die {}, block {}: erased {} times, {} of {} pages programmed{}{}\n", number, block,
        grouped(die.block(at).erases), die.block(at).nextPage, die.part().geometry.pagesPerBlock,
        die.block(at).factoryBad ? ", bad from the factory" : "", die.block(at).failed ? ", has failed" : "");
    const MappingUnits mapped = mappingUnitsOf(ssd_);
    TextTable table(
        {mapped.perPage == 1 ? "page" : "page.unit", fmt::format("logical {}", mapped.name), "version", "spare record"},
        {3});
    for (std::uint32_t i = 0; i < die.block(at).nextPage * mapped.perPage; ++i) {
        const std::uint32_t page = i / mapped.perPage;
        const nand::Spare spare = die.cells().spareOf({at, page}, i % mapped.perPage * mapped.records);
        const std::optional<std::uint32_t> logical = ssd_.spareLayout.logicalOf(spare);
        table.row({mapped.at(page, i % mapped.perPage), logical ? std::to_string(*logical) : "",
                   logical ? versionOf(spare) : "",
                   fmt::format("{:08x} {:08x} {:08x} {:08x}", spare[0], spare[1], spare[2], spare[3])});
    }
    return text + (die.block(at).nextPage == 0 ? "" : table.text());
}

std::string DriveMonitor::versionOf(const nand::Spare& spare) const
{
    return ssd_.spareLayout.hasSequence() ? std::to_string(ssd_.spareLayout.sequenceOf(spare)) : "-";
}

std::string DriveMonitor::mapping(std::uint64_t sector) const
{
    const nand::DieGeometry& geometry = ssd_.dies[DieId{0}]->part().geometry;
    const MappingUnits mapped = mappingUnitsOf(ssd_);
    const std::uint64_t logical = sector / mapped.sectors;
    struct Copy {
        std::size_t die;
        std::uint32_t block;
        std::uint32_t page;
        std::uint32_t unit;
        nand::Spare spare;
    };
    const cpu::SpareLayout& layout = ssd_.spareLayout;
    std::vector<Copy> copies;
    for (std::size_t i = 0; i < ssd_.dies.size(); ++i) {
        const nand::Die& die = *ssd_.dies[DieId{static_cast<std::uint16_t>(i)}];
        for (std::uint32_t b = 0; b < geometry.blocks(); ++b) {
            for (std::uint32_t u = 0; u < die.block(b).nextPage * mapped.perPage; ++u) {
                const std::uint32_t page = u / mapped.perPage;
                const nand::Spare spare = die.cells().spareOf({b, page}, u % mapped.perPage * mapped.records);
                if (layout.logicalOf(spare) == logical)
                    copies.push_back({i, b, page, u % mapped.perPage, spare});
            }
        }
    }
    std::stable_sort(copies.begin(), copies.end(), [&layout](const Copy& a, const Copy& b) {
        return layout.isNewer(layout.sequenceOf(a.spare), layout.sequenceOf(b.spare));
    });
    std::string text = ssd_.isSpareLayoutKnown
                           ? ""
                           : "the image has no table strobe_spare_layout: records are read as those of page mapping\n";
    text +=
        fmt::format("sector {} is sector {} of logical {} {}", sector, sector % mapped.sectors, mapped.name, logical);
    if (copies.empty())
        return text + ", which no page in flash names\n";
    TextTable table({"die", "block", mapped.perPage == 1 ? "page" : "page.unit", "version"}, {});
    for (const Copy& copy : copies)
        table.row({std::to_string(copy.die), std::to_string(copy.block), mapped.at(copy.page, copy.unit),
                   versionOf(copy.spare)});
    return text + (layout.hasSequence() ? "; newest first:\n" : ", named by:\n") + table.text();
}

std::string DriveMonitor::units() const
{
    const controller::FlashController& flash = ssd_.flash.controller();
    TextTable table({"unit", "", "lists waiting", "lists done", "descriptors failed"}, {1});
    for (std::uint32_t u = 0; u < flash.config().units; ++u) {
        const controller::FlashUnit& unit = flash.unit(UnitId{static_cast<std::uint16_t>(u)});
        table.row({std::to_string(u), unit.isBusy() ? "busy" : "idle", std::to_string(unit.waitingLists()),
                   grouped(unit.counters().lists), grouped(unit.counters().failed)});
    }
    return table.text() + countsText();
}

std::string DriveMonitor::interrupts() const
{
    const cpu::InterruptController& controller = ssd_.interrupts.controller();
    TextTable table({"line", "", "", "has risen"}, {0, 1, 2});
    for (const auto& row : cpu::interruptSourceTable) {
        const std::uint32_t bit = 1U << static_cast<unsigned>(row.value);
        table.row({std::string(row.name), (controller.pending() & bit) != 0 ? "asserted" : "-",
                   (controller.active() & bit) != 0 ? "enabled" : "", grouped(controller.assertions(row.value))});
    }
    return table.text() + "counts since power-on\n";
}

// Arrays of registers, of flash units, are shown element by element, as far as the drive has them.
std::string DriveMonitor::registers(std::string_view block) const
{
    const std::uint32_t cores = ssd_.second ? 2 : 1;
    const RegisterNames names(ssd_.layout, cores);
    std::string known;
    for (const BusMapping& mapping : memoryMap(ssd_.layout, cores)) {
        if (mapping.registers == nullptr)
            continue;
        const std::string name = RegisterNames::blockOf(mapping);
        known += (known.empty() ? "" : ", ") + name;
        if (name != block)
            continue;
        std::string text;
        for (std::size_t i = 0; i < mapping.registerCount; ++i) {
            const RegisterInfo& row = mapping.registers[i];
            for (std::uint32_t element = 0; element < row.count; ++element) {
                const std::uint32_t address = raw(mapping.region.base) + row.offset + element * row.step;
                if (const std::optional<std::uint32_t> value = peek_(address))
                    text += fmt::format("{:#010x}  {:<28} {:#010x}\n", address, names.of(address), *value);
            }
        }
        return text;
    }
    return fmt::format("write it as: monitor registers BLOCK; there are {}\n", known);
}

} // namespace strobe::platform
