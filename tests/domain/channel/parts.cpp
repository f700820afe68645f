// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/channel/parts.h"

#include "models/channel/interface_rows.h"
#include "models/channel/line_use.h"

#include <vector>

namespace strobe::channel::test {

nand::Part makePart(const char* name, std::uint32_t pageBytes, std::uint32_t spareBytes, std::uint32_t rowCycles,
                    Time tR, Time tPROG, Time tBERS)
{
    nand::Part part;
    part.name = name;
    part.geometry = {1, 16, 64, pageBytes, spareBytes};
    part.times = {tR, tPROG, tBERS, 5us, 5us, 10us, 500us};
    part.columnCycles = 2;
    part.rowCycles = rowCycles;
    part.id = {0xEC, 0xF1, 0x00, 0x95, 0x40};
    return part;
}

std::vector<nand::Part> parts()
{
    return {makePart("K9F1G08U0A", 2048, 64, 2, 25us, 200us, 2ms),
            makePart("K9GAG08U0M", 4096, 128, 3, 60us, 800us, 1500us),
            makePart("K9K8G08U0M", 2048, 64, 3, 20us, 200us, 2ms),
            makePart("MLC 8 KiB two-plane", 8192, 448, 3, 100us, 1300us, 3ms)};
}

nand::Part roundPart()
{
    nand::Part part = makePart("round", 512, 0, 1, 1us, 2us, 3us);
    part.columnCycles = 1;
    part.times.tRstIdle = 500ns;
    return part;
}

InterfaceTiming roundTiming()
{
    InterfaceTiming timing;
    timing.name = "round";
    timing.cycle = 10ns;
    return timing;
}

InterfaceTiming separateTiming()
{
    InterfaceTiming timing = findInterface("NV_DDR3_10")->timing;
    timing.dataInCycle = timing.dataOutCycle = 20ns;
    timing.tCS = 5ns;
    timing.tADL = 100ns;
    timing.tCCS = 200ns;
    timing.tWHR = 50ns;
    timing.dataInPostamble = timing.dataOutPreamble = Time{};
    return withCommandLines(timing, 10ns);
}

nand::Operation operation(nand::Opcode opcode, std::uint32_t sectors)
{
    nand::Operation op;
    op.opcode = opcode;
    op.sectors = sectors;
    return op;
}

nand::Operation in(nand::Form form, nand::Opcode opcode, std::uint32_t sectors)
{
    nand::Operation op = operation(opcode, sectors);
    op.form = form;
    return op;
}

} // namespace strobe::channel::test
