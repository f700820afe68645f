// SPDX-License-Identifier: Apache-2.0
#include "models/pins/tenure_writer.h"
#include "pin_helpers.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;

namespace {

struct Bench {
    PinModel model = pinModelOf(interfaceNamed("CONV"), table2);
    nand::Part part = parts()[0];
    Waveform waveform{model.signalling};

    Tenure write(const nand::Operation& op, const Steps& steps, std::optional<std::uint32_t> bytes = {})
    {
        const Tenure tenure = TenureWriter(model, part, op, bytes, waveform, 1us).write(steps, 0);
        waveform.finish();
        return tenure;
    }
};

} // namespace

TEST_CASE("a tenure has a cycle for each latch of its steps, after tCS")
{
    Bench bench;
    nand::Operation op = operation(Opcode::Erase);
    op.target = {2, 9};
    const Tenure tenure = bench.write(op, {{Act::Command, 0x60}, {Act::Row}, {Act::Twhr}, {Act::Command, 0xD0}});
    CHECK(latched(bench.waveform).substr(0, 4) == "C60 ");
    CHECK(latched(bench.waveform).substr(latched(bench.waveform).size() - 3) == "CD0");
    const channel::InterfaceTiming& timing = bench.model.timing;
    CHECK(tenure.start == 1us);
    CHECK(tenure.firstDrive == 1us + timing.tCS);
    CHECK(tenure.end == tenure.firstDrive + timing.inCycle() * (2 + bench.part.rowCycles) + timing.tWHR);
    CHECK(edgesOf(bench.waveform, Pin::ChipEnable, 0) == std::vector<Time>{1us});
}

TEST_CASE("data is the operation's, or counts")
{
    Bench counting;
    counting.write(operation(Opcode::Program, 1), {{Act::Column}, {Act::In}}, 3);
    CHECK(dataBytes(counting.waveform, true) == std::vector<std::uint8_t>{0, 1, 2});
    Bench real;
    std::vector<std::byte> sector(sectorBytes, std::byte{0xA5});
    nand::Operation op = operation(Opcode::Program, 1);
    op.data = {sector.data(), DataMode::Bytes};
    real.write(op, {{Act::Column}, {Act::In}}, 2);
    CHECK(dataBytes(real.waveform, true) == std::vector<std::uint8_t>{0xA5, 0xA5});
}

TEST_CASE("without steps nothing is drawn")
{
    Bench bench;
    const Tenure tenure = bench.write(operation(Opcode::Read, 1), {});
    CHECK(tenure.end == tenure.start);
    CHECK(tenure.released == tenure.start);
    CHECK(bench.waveform.changes().empty());
}
