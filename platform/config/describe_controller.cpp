// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the flash controller, once.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

void describeController(Fields& f, ControllerSection& c)
{
    f.numberOr("units", c.units, "per-die", within(bounds::units),
               "Background flash units; if there are fewer than dies, dies share them.");
    f.choice("backgroundUnits", c.backgroundUnits,
             "Whether hardware or firmware executes the operations of the background units. Firmware needs superblock "
             "mapping.");
    f.numberOr("unitDepth", c.unitDepth, "auto", {1, 254},
               "Descriptor lists that a unit queues in addition to the one in execution; auto: 4, or more if joined "
               "operations need it.");
    f.number("unitRegisterCycles", c.unitRegisterCycles, {0, 1'000},
             "Cycles of the NAND bus that an access to a register of a flash unit takes, added to fabric.latency: the "
             "units have the clock of the bus.");
    f.object("superchip", "Chips operated as one: adjacent channels times adjacent dies on each.", [&](Fields& g) {
        g.number("bus", c.superchip.bus, {1, bounds::superchipBus.maximum},
                 "Bus-level interleaving: channels of a superchip.");
        g.number("chip", c.superchip.chip, {1, bounds::superchipChip.maximum},
                 "Chip-level interleaving: dies on each of them.");
    });
    f.flagOr("foreground", c.foreground, "auto",
             "A unit for host reads that has priority over the background units; auto: with superblock mapping, which "
             "needs it, and with a synthesizer.");
    f.flag("synthesizer", c.synthesizer,
           "Hardware turns host reads into foreground requests, using tables of the firmware; needs foreground.");
    f.flag("priority", c.priority,
           "Operations of the foreground unit go first; false: they are scheduled like those of background units.");
    f.choice("interleaving", c.interleaving, "Unit of bus sharing.");
    f.flag("multiPlane", c.multiPlane,
           "Join operations on several planes that wait for a die into multi-plane commands.");
    f.onlyIf(c.multiPlane, "multiPlane true", "planes work one at a time", {"multiPlane"});
    f.numberOr("planesAtOnce", c.planesAtOnce, "all", {2, 16}, "Maximum number of planes per command.");
    f.flag("cacheOperations", c.cacheOperations,
           "Join reads and programs that wait for a die into cache reads and cache programs.");
    f.object("ecc", "Error correction, one encoder and decoder per channel.", [&](Fields& g) {
        g.quantity("encodeLatency", Quantity::Time, c.encodeLatency, {0, millisecond}, "Added to each page written.");
        g.quantity("decodeLatency", Quantity::Time, c.decodeLatency, {0, millisecond}, "Added to each page read.");
        g.quantityOr("rate", Quantity::Rate, c.eccRate, "unlimited", {megabytePerSecond, 1'000'000'000'000},
                     "Throughput of an encoder or decoder.");
        controller::EccCode& code = c.eccCode;
        g.quantity("codeword", Quantity::Size, code.codewordBytes, {512, 16'384},
                   "Data bytes of a codeword, whole sectors.");
        g.number("correctableBits", code.correctableBits, {0, 4'096},
                 "Bit errors that can be corrected in a codeword; 0: no code, errors are not detected.");
        g.number("bitsPerIteration", code.bitsPerIteration, {1, 4'096}, "Bit errors found by one decoding iteration.");
        g.number("maxIterations", code.maxIterations, {1, 1'000},
                 "Maximum iterations per codeword, which an uncorrectable codeword takes.");
        g.quantity("iterationTime", Quantity::Time, code.iterationTime, {0, millisecond},
                   "Decoder time of one iteration; a page without errors takes none.");
        g.real("softGain", code.softGain, 0, 10,
               "A soft read corrects this share of correctableBits more with each pair of further senses.");
        g.quantity("softTime", Quantity::Time, code.softTime, {0, 10 * millisecond},
                   "Decoder time that the soft decode of a page adds.");
        g.real("miscorrection", code.miscorrection, 0, 1,
               "Probability that an uncorrectable codeword is delivered as corrected.");
        g.listOf("slowChannels", c.slowEcc, "Failure injection: channels whose encoder and decoder take longer.",
                 [](Fields& h, ControllerSection::SlowEcc& s) {
                     h.number("channel", s.channel, {0, 63}, "Channel.");
                     h.real("factor", s.factor, 1, 1'000,
                            "Its latencies and iterationTime are multiplied by this, its rate is divided.");
                 });
    });
}

} // namespace strobe::platform
