// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/blocks.h"

#include "models/host/port_module.h"
#include "platform/assembly/memory_map.h"
#include "platform/assembly/ssd_module.h"

#include <string>

namespace strobe::platform {

namespace {

class Diagram {
public:
    void block(std::string name, std::string kind, std::string detail = {}, std::vector<std::string> resources = {})
    {
        drawn.blocks.push_back({std::move(name), std::move(kind), std::move(detail), std::move(resources)});
    }
    void data(std::string from, std::string to) { drawn.links.push_back({std::move(from), std::move(to), true}); }
    void control(std::string from, std::string to) { drawn.links.push_back({std::move(from), std::move(to), false}); }

    PlatformReport drawn;
};

std::string counted(std::size_t number, const std::string& what)
{
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

void addHost(Diagram& diagram, const SsdModule& ssd, const host::PortFigures& port, const std::string& link)
{
    std::vector<std::string> lines;
    for (const host::PortFigures::Line& line : port.lines())
        lines.push_back(line.name);
    diagram.block("host", "host");
    diagram.block("host link", "link", link, std::move(lines));
    diagram.block("host interface", "host interface");
    diagram.data("host", "host link");
    diagram.data("host link", "host interface");
    diagram.data("host interface", "sdram");
    diagram.control("host interface", "interrupt controller");
    if (ssd.flash.controller().config().hasHost && ssd.flash.controller().config().hasSynthesizer)
        diagram.control("host interface", "flash controller");
}

void addCpus(Diagram& diagram, const SsdModule& ssd)
{
    const std::string mode = ssd.firmware ? "RV32 core" : "native firmware";
    diagram.block("cpu", "cpu", mode, {"cpu"});
    diagram.control("cpu", "fabric");
    diagram.control("interrupt controller", "cpu");
    if (!ssd.second)
        return;
    diagram.block("cpu 1", "cpu", mode, {"cpu 1"});
    diagram.control("cpu 1", "fabric");
    diagram.control("interrupt controller 1", "cpu 1");
}

// Everything that the cores address, as wired by SsdModule.
void addFabric(Diagram& diagram, const SsdModule& ssd)
{
    diagram.block("fabric", "fabric", {}, {"fabric"});
    for (const BusMapping& mapping : memoryMap(ssd.layout, ssd.second ? 2 : 1)) {
        if (mapping.target != BusTarget::HostInterface && mapping.target != BusTarget::FlashController &&
            mapping.target != BusTarget::Sdram)
            diagram.block(mapping.name, mapping.registers == nullptr ? "memory" : "peripheral");
        diagram.control("fabric", mapping.name);
    }
    std::vector<std::string> paths{"sdram"};
    for (const std::string& port : ssd.sdram.memory().config().ports)
        paths.push_back("sdram port " + port);
    diagram.block("sdram", "sdram", "buffer, map, tables", std::move(paths));
    diagram.block("write buffer", "write buffer", "places in the SDRAM", {"write buffer"});
}

void addFlash(Diagram& diagram, const SsdModule& ssd)
{
    const controller::FlashController& flash = ssd.flash.controller();
    std::vector<std::string> units;
    for (std::uint32_t u = 0; u < flash.unitCount(); ++u)
        units.push_back(u >= flash.config().units ? "foreground unit" : "unit " + std::to_string(u));
    std::string detail = counted(flash.config().units, "unit");
    if (flash.config().hasForeground)
        detail += flash.config().hasSynthesizer ? ", foreground unit, synthesizer" : ", foreground unit";
    diagram.block("flash controller", "flash controller", std::move(detail), std::move(units));
    diagram.data("sdram", "flash controller");
    diagram.control("flash controller", ssd.second ? "interrupt controller 1" : "interrupt controller");

    const std::uint32_t dies = flash.config().array.diesPerChannel();
    for (std::size_t c = 0; c < ssd.channels.size(); ++c) {
        const std::string number = std::to_string(c);
        std::vector<std::string> names;
        for (std::uint32_t d = 0; d < dies; ++d)
            names.push_back("die " + number + "." + std::to_string(d));
        diagram.block("ecc " + number, "ecc", {}, {"ecc encoder " + number, "ecc decoder " + number});
        diagram.block("channel " + number, "channel", {}, {"channel " + number});
        diagram.block("dies of channel " + number, "dies", counted(dies, "die"), std::move(names));
        diagram.data("flash controller", "ecc " + number);
        diagram.data("ecc " + number, "channel " + number);
        diagram.data("channel " + number, "dies of channel " + number);
    }
}

} // namespace

PlatformReport blocksOf(const SsdModule& ssd, const host::PortFigures& port, const std::string& link)
{
    Diagram diagram;
    addHost(diagram, ssd, port, link);
    addCpus(diagram, ssd);
    addFabric(diagram, ssd);
    addFlash(diagram, ssd);
    return std::move(diagram.drawn);
}

} // namespace strobe::platform
