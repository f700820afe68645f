// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/data_monitor.h"

#include "models/tlm/time_bridge.h"
#include "platform/assembly/stall.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

std::string timeOf(const PageHistory::Event& event)
{
    return event.at == Time{} ? "before the simulation" : toText(event.at);
}

bool isErase(const PageHistory::Event& event)
{
    return event.opcode == nand::Opcode::Erase;
}

bool isIn(const PageHistory::Run& run, std::uint64_t sector)
{
    return sector >= run.lba && sector - run.lba < run.sectors;
}

} // namespace

std::string DataMonitor::host() const
{
    if (!driver_.isPowered())
        return "the drive is not ready yet: the host has sent nothing\n";
    std::string text = fmt::format("{} command{} at the drive\n", driver_.commands().count(),
                                   driver_.commands().count() == 1 ? "" : "s");
    for (const std::string& line : describeCommands(ssd_, driver_.commands(), now()))
        text += "  " + line + "\n";
    return text;
}

std::string DataMonitor::page(std::uint64_t number, std::uint64_t block, std::uint64_t page) const
{
    if (number >= ssd_.dies.size())
        return fmt::format("there is no die {}; there are {}\n", number, ssd_.dies.size());
    const DieId id{static_cast<std::uint16_t>(number)};
    const nand::Die& die = *ssd_.dies[id];
    const nand::DieGeometry& geometry = die.part().geometry;
    if (block >= geometry.blocks() || page >= geometry.pagesPerBlock)
        return fmt::format("there is no such page; the die has {} blocks of {} pages\n", geometry.blocks(),
                           geometry.pagesPerBlock);
    const nand::PageAddress address{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(page)};
    std::string text = fmt::format("die {}, block {}, page {}: ", number, block, page);
    if (!die.cells().isProgrammed(address))
        return text + "not programmed\n";
    const auto& events = history_.events();
    const auto written = std::find_if(events.rbegin(), events.rend(), [&](const PageHistory::Event& event) {
        return !isErase(event) && event.die == id && event.page == address;
    });
    text += written == events.rend()
                ? "programmed before the observation began\n"
                : fmt::format("programmed at {}, for {}\n", timeOf(*written), enumName(written->purpose));
    const auto runs = PageHistory::runsOf(die.cells(), address);
    TextTable table({"sectors of the page", "sectors of the drive", "version"}, {0, 1});
    for (const PageHistory::Run& run : runs)
        table.row({fmt::format("{} to {}", run.first, run.first + run.sectors - 1),
                   fmt::format("{} to {}", run.lba, run.lba + run.sectors - 1), std::to_string(run.version)});
    return text + (runs.empty() ? "no tags of the host's sectors in it\n" : table.text());
}

std::string DataMonitor::sector(std::uint64_t sector) const
{
    if (!driver_.isReady() || sector >= driver_.capacitySectors())
        return fmt::format("there is no sector {}; the drive {}\n", sector,
                           driver_.isReady() ? fmt::format("has {}", driver_.capacitySectors()) : "is not ready yet");
    const host::VersionWindow window = driver_.integrity().expected(sector);
    std::string text =
        fmt::format("sector {}: a read may return version {}\n", sector,
                    window.floor == window.newest ? std::to_string(window.floor)
                                                  : fmt::format("{} to {}", window.floor, window.newest));
    TextTable table({"time", "", "die", "block", "page", "sector", "version", "purpose"}, {0, 1, 7});
    const auto row = [&](const PageHistory::Event& event, const char* what, const PageHistory::Event& place) {
        table.row({timeOf(event), what, std::to_string(raw(place.die)), std::to_string(place.page.block),
                   std::to_string(place.page.page), std::to_string(place.run.first + (sector - place.run.lba)),
                   std::to_string(place.run.version), std::string(enumName(event.purpose))});
    };
    std::vector<const PageHistory::Event*> places; // not erased yet
    for (const PageHistory::Event& event : history_.events()) {
        if (!isErase(event)) {
            if (isIn(event.run, sector)) {
                row(event, enumName(event.opcode).data(), event);
                places.push_back(&event);
            }
            continue;
        }
        for (std::size_t i = places.size(); i > 0; --i) {
            const PageHistory::Event& place = *places[i - 1];
            if (place.die != event.die || place.page.block != event.page.block)
                continue;
            row(event, "erase", place);
            places.erase(places.begin() + static_cast<std::ptrdiff_t>(i - 1));
        }
    }
    text += table.text();
    text += fmt::format("{} of these places still hold{} it\n", places.size(), places.size() == 1 ? "s" : "");
    return text;
}

} // namespace strobe::platform
