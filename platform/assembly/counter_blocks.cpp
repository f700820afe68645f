// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/counter_blocks.h"

#include "platform/assembly/collect.h"

namespace strobe::platform {

namespace {

using IsReported = bool (*)(const Scenario&);

template <class Counters>
CounterRow rowOf(CounterPlace place, IsReported isReported)
{
    const auto block = [place](const CounterSums& sums) { return CounterBlock(place, sums.of<Counters>()); };
    return {place, isReported, {}, {}, block};
}

// Counters of the measured phases: `each` calls its second argument with those of each part.
template <class Counters, class Each>
CounterRow measured(CounterPlace place, IsReported isReported, Each each)
{
    CounterRow row = rowOf<Counters>(std::move(place), isReported);
    row.measure = [each](const MeasuredParts& parts, CounterSums& sums) {
        each(parts, [&sums](const Counters& part) { accumulate(sums.of<Counters>(), part); });
    };
    return row;
}

// Counters that are read at the end of the run: since power-on, or a state.
template <class Counters, class Each>
CounterRow atEnd(CounterPlace place, IsReported isReported, Each each)
{
    CounterRow row = rowOf<Counters>(std::move(place), isReported);
    row.finish = [each](const Finished& finished, CounterSums& sums) {
        each(finished, [&sums](const Counters& part) { accumulate(sums.of<Counters>(), part); });
    };
    return row;
}

bool always(const Scenario&)
{
    return true;
}
bool hasErrorModel(const Scenario& s)
{
    return s.nand.part.errors.isOn();
}
bool hasForeground(const Scenario& s)
{
    return s.controller.hasForeground;
}

// Of each die, channel and flash unit.
template <class Function>
auto eachDie(Function counters)
{
    return [counters](const MeasuredParts& parts, auto add) {
        for (const auto& die : parts.ssd.dies)
            add(counters(*die));
    };
}

template <class Function>
auto eachChannel(Function counters)
{
    return [counters](const MeasuredParts& parts, auto add) {
        for (std::size_t c = 0; c < parts.ssd.channels.size(); ++c)
            add(counters(parts.ssd.flash.controller().ecc(ChannelId{static_cast<std::uint16_t>(c)})));
    };
}

const auto eachUnit = [](const MeasuredParts& parts, auto add) {
    const controller::FlashController& flash = parts.ssd.flash.controller();
    for (std::uint32_t u = 0; u < flash.unitCount(); ++u)
        add(flash.unit(UnitId{static_cast<std::uint16_t>(u)}).counters());
};

const auto eachErrorModel = [](const MeasuredParts& parts, auto add) {
    for (const auto& die : parts.ssd.dies) {
        if (die->errors() != nullptr)
            add(die->errors()->counters());
    }
};

const auto forwarder = [](const MeasuredParts& parts, auto add) {
    if (const controller::FlashController& flash = parts.ssd.flash.controller(); flash.config().hasForeground)
        add(flash.forwarder().counters());
};

const auto synthesizer = [](const MeasuredParts& parts, auto add) {
    const controller::FlashController& flash = parts.ssd.flash.controller();
    if (flash.config().hasForeground && flash.config().hasSynthesizer)
        add(flash.synthesizer().counters());
};

std::vector<CounterRow> makeRows()
{
    using namespace controller;
    using namespace nand;
    return {
        measured<FlashUnitCounters>({"flash.unit_stages", "summed over all flash units", ""}, always, eachUnit),
        measured<DispatcherCounters>(
            {"flash", "", ""}, always,
            [](const MeasuredParts& p, auto add) { add(p.ssd.flash.controller().dispatcher().counters()); }),
        measured<EccCounters>({"flash.ecc", "all channels", ""}, always,
                              eachChannel([](const EccEngines& ecc) { return ecc.counters(); })),
        measured<ReadCounters>({"flash.reliability", "parts with an error model", ""}, hasErrorModel,
                               eachChannel([](const EccEngines& ecc) { return ecc.reads(); })),
        measured<CellErrorCounters>({"flash.reliability", "parts with an error model", ""}, hasErrorModel,
                                    eachErrorModel),
        atEnd<ReadDisturb>({"flash.reliability", "parts with an error model", ""}, hasErrorModel,
                           [](const Finished& finished, auto add) {
                               for (const auto& die : finished.lasting.dies)
                                   add(die->errors()->disturb());
                           }),
        measured<ForwarderCounters>({"flash.foreground", "with controller.foreground", "foreground unit"},
                                    hasForeground, forwarder),
        measured<SynthesizerCounters>(
            {"flash.foreground", "with controller.synthesizer", "foreground unit"},
            [](const Scenario& s) { return hasForeground(s) && s.controller.hasSynthesizer; }, synthesizer),
        measured<ReadAheadCounters>(
            {"flash.read_ahead", "with firmware.pageMap.readAhead", "read-ahead"},
            [](const Scenario& s) { return s.firmware.readAheadStreams != 0; },
            [](const MeasuredParts& p, auto add) { add(p.writeBuffer.readAhead()); }),
        measured<RefreshCounters>(
            {"flash.refresh", "with firmware.pageMap.refresh", "data refresh"},
            [](const Scenario& s) { return s.firmware.refresh.isOn(); },
            [](const MeasuredParts& p, auto add) { add(p.writeBuffer.refresh()); }),
        measured<ParityCounters>(
            {"flash.parity", "with firmware.pageMap.superblock.parity", "parity"},
            [](const Scenario& s) { return s.firmware.superblockParity; },
            [](const MeasuredParts& p, auto add) { add(p.writeBuffer.parity()); }),
        measured<PlaneReadCounters>(
            {"flash.plane_reads", "parts with plane-independent reads; all dies", ""},
            [](const Scenario& s) { return s.nand.part.hasPlaneReads(); },
            eachDie([](const Die& die) { return die.counters().planeReads; })),
        measured<SnapReadCounters>(
            {"flash.snap_reads", "parts with snap reads; all dies", ""},
            [](const Scenario& s) { return s.nand.part.snapRead.bytes != 0; },
            eachDie([](const Die& die) { return die.counters().snapReads; })),
        measured<PslcCounters>(
            {"flash.pslc", "parts with a pSLC mode; all dies", ""},
            [](const Scenario& s) { return s.nand.part.geometry.hasPslc(); },
            eachDie([](const Die& die) { return die.counters().pslc; })),
        atEnd<FlashFaultCounters>(
            {"faults.flash", "with faults.flash; since power-on", ""},
            [](const Scenario& s) { return !s.faults.flash.empty(); },
            [](const Finished& finished, auto add) {
                for (const auto& die : finished.lasting.dies)
                    add(die->faultCounters());
            }),
        atEnd<host::HostFaultCounters>(
            {"faults.host", "with resets or aborts in faults.host; since power-on", ""},
            [](const Scenario& s) { return s.faults.host.isOn(); },
            [](const Finished& finished, auto add) { add(finished.lasting.hostFaults); }),
    };
}

} // namespace

const std::vector<CounterRow>& counterRows()
{
    static const std::vector<CounterRow> rows = makeRows();
    return rows;
}

std::vector<CounterBlock> counterBlocks(const Finished& finished)
{
    CounterSums sums = finished.lasting.sums.counters;
    std::vector<CounterBlock> blocks;
    for (const CounterRow& row : counterRows()) {
        if (!row.isReported(finished.scenario))
            continue;
        if (row.finish)
            row.finish(finished, sums);
        blocks.push_back(row.block(sums));
    }
    return blocks;
}

std::vector<CounterBlock> allCounterBlocks()
{
    std::vector<CounterBlock> blocks;
    for (const CounterRow& row : counterRows())
        blocks.push_back(row.block({}));
    return blocks;
}

} // namespace strobe::platform
