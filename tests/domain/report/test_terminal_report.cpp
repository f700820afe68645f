// SPDX-License-Identifier: Apache-2.0
#include "platform/report/terminal_report.h"
#include "platform/report/text_table.h"
#include "sample_report.h"
#include "tests/support/catch.h"

#include <sstream>

using namespace strobe;
using namespace strobe::platform;
using namespace strobe::test;

namespace {

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

// The words of the first line whose first word (after indentation) is `name`, below the heading.
std::vector<std::string> rowOf(const std::string& text, const std::string& heading, const std::string& name)
{
    std::istringstream lines(text);
    bool below = false;
    for (std::string line; std::getline(lines, line);) {
        below = below || line == heading;
        std::istringstream words(line);
        std::vector<std::string> row;
        for (std::string word; words >> word;)
            row.push_back(word);
        if (below && !row.empty() && row.front() == name)
            return row;
    }
    return {};
}

using Row = std::vector<std::string>;

} // namespace

TEST_CASE("throughput and latency are tables by kind")
{
    const std::string text = terminalReport(sampleReport());
    CHECK(rowOf(text, "Throughput", "read") == Row{"read", "1,000", "4.096", "MB", "4.096", "3.906", "1,000"});
    CHECK(rowOf(text, "Throughput", "all") == Row{"all", "1,500", "6.144", "MB", "6.144", "5.859", "1,500"});
    CHECK(rowOf(text, "Latency", "write") == Row{"write", "10.00", "us", "100.0", "us", "90.00", "us", "200.0", "us",
                                                 "500.0", "us", "1.000", "ms", "1.500", "ms", "2.000", "ms"});
}

TEST_CASE("phases show which were measured and what the source did")
{
    const std::string text = terminalReport(sampleReport());
    CHECK(contains(text, "fill  (not measured)"));
    CHECK(contains(text, "main: uniform over 1 GiB; 7 not 4 KiB aligned"));
}

TEST_CASE("resources are shown by group, with the limiting sentence below")
{
    const std::string text = terminalReport(sampleReport());
    CHECK(rowOf(text, "Resources", "channel") == Row{"channel", "buses", "x", "2", "20.0", "%", "30.0", "%", "channel",
                                                     "1", "2.000", "us", "11.00", "us", "0.00", "3", "40"});
    CHECK(contains(text, "  time in the flash units: in flash 75.0 %, decoding 25.0 %\n"));
    CHECK(contains(text, "  limited by latency at queue depth 8: host link 30 %"));
}

TEST_CASE("flash, energy and firmware are shown with their shares")
{
    const std::string text = terminalReport(sampleReport());
    CHECK(contains(text, "write amplification 1.500"));
    CHECK(contains(text, "erase counts 0 to 3, mean 0.50; 100 blocks, 2 factory bad, 1 failed"));
    CHECK(contains(text, "life used 0.05 % on average, 0.3 % by the most worn block (rated for 1,000 erases)"));
    CHECK(rowOf(text, "Energy", "dies") ==
          Row{"dies", "3.000", "mJ", "3.00", "mW", "488.3", "pJ", "250.0", "nJ", "75.0", "%"});
    CHECK(rowOf(text, "Firmware (page_map)", "gc_page") == Row{"gc_page", "5", "600", "60.0", "%"});
}

TEST_CASE("the response of firmware is a table, and the longest are named")
{
    Report r = sampleReport();
    CHECK_FALSE(contains(terminalReport(r), "Response of firmware"));
    r.firmware.response.commands = {{{2, 5us, 4us, 1ms, {}}, {7, host::RequestKind::Read, false, 99, 8}}, ""};
    r.firmware.response.handling = {{{2, 60us, 40us, 1ms, {}}, {7, host::RequestKind::Read, false, 99, 8}}, "done+0x8"};
    r.firmware.response.cores.resize(1);
    r.firmware.response.cores[0].rounds = {{1'000, 7ms, 70us, 3us, {}}, "sleep+0x4"};
    const std::string text = terminalReport(r);
    CHECK(contains(text, "Response of firmware\n"
                         "                         times      mean   longest   from us\n"
                         "  wait of a command          2  2.500 us  4.000 us  1000.000\n"
                         "  handling of a command      2  30.00 us  40.00 us  1000.000\n"
                         "  round of the loop      1,000  7.000 us  70.00 us     3.000\n"
                         "  longest wait of a command: read of 8 sectors at 99, slot 7\n"
                         "  longest handling of a command: read of 8 sectors at 99, slot 7; until done+0x8\n"
                         "  longest round of the loop: until sleep+0x4\n"));
    CHECK_FALSE(contains(text, "wait of an interrupt"));
}

TEST_CASE("firmware on the core is shown with its executed instructions, in total, per second and per request")
{
    Report r = sampleReport();
    r.firmware = {"page_map", "rv32", {}, ExecutedInstructions{50'000'000}, {}, {}, {}};
    const std::string text = terminalReport(r, {});
    CHECK(text.find("Firmware (page_map on the rv32 core)") != std::string::npos);
    CHECK(text.find("50,000,000 instructions, ") != std::string::npos);
    CHECK(text.find(" million per second of simulated time, ") != std::string::npos);
    CHECK(text.find(" per request") != std::string::npos);
}

TEST_CASE("cost points that are not shown are counted")
{
    Report r = sampleReport();
    r.firmware.costs.clear();
    for (std::uint64_t i = 0; i < 9; ++i)
        r.firmware.costs.push_back({"point" + std::to_string(i), 1, i == 0 ? 0U : 25U}); // one was never reached
    CHECK(contains(terminalReport(r), "  and 2 more with 25.0 % of the cycles\n"));
    r.firmware.costs.resize(7);
    CHECK_FALSE(contains(terminalReport(r), " more with "));
}

TEST_CASE("a write amplification below one is shown with its reason")
{
    Report r = sampleReport();
    r.flash = {{"host", 0, 100, 0, 0}};
    const std::string text = terminalReport(r);
    CHECK(contains(text, "write amplification 0.200 (below 1: some of the host's data was overwritten"));
}

TEST_CASE("the verdict on the data comes last")
{
    Report r = sampleReport();
    CHECK(contains(terminalReport(r), "data intact: 8,000 sectors read back and checked"));
    r.integrity.checkedSectors = 0;
    CHECK(contains(terminalReport(r), "nothing was read back"));
    r.integrity = {false, 0, 0, {}};
    CHECK(contains(terminalReport(r), "data was not checked"));
    r.integrity = {true, 8000, 2, {"sector 7: lost"}};
    r.failures = {{"illegal command", 1, true, {"die 0.1: program of block 3"}},
                  {"operation failed", 4, false, {"no"}}};
    const std::string text = terminalReport(r);
    CHECK(contains(text, "DATA MISMATCH in 2 of 8,000 sectors checked\n    sector 7: lost\n"));
    CHECK(contains(text, "illegal command: 1\n    die 0.1: program of block 3\n"));
    CHECK(contains(text, "operation failed: 4, handled by firmware; the first: no\n"));
}

TEST_CASE("an interrupted run is reported at the top")
{
    Report r = sampleReport();
    r.interrupted = true;
    r.interruption = "Ctrl-C";
    CHECK(contains(terminalReport(r), "INTERRUPTED (Ctrl-C): the figures cover the time until then"));
}

TEST_CASE("no line is wider than 100 columns and plain output has no escapes")
{
    Report r = sampleReport();
    r.description = std::string(30, 'x') + " " + std::string(80, 'y') + " " + std::string(40, 'z');
    r.kinds[0].requests = 123'456'789'012;
    r.kinds[0].bytes = 999'999'999'999'999;
    for (ResourceReport& resource : r.resources)
        resource.usage.jobs = 9'999'999'999;
    const std::string text = terminalReport(r);
    CHECK_FALSE(contains(text, "\033"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.size() <= 100);
    }
    CHECK(contains(terminalReport(r, {true}), "\033[1m"));
}

TEST_CASE("an empty report is drawn without dividing by nothing")
{
    const std::string text = terminalReport(Report{});
    CHECK(contains(text, "nothing was measured"));
    CHECK_FALSE(contains(text, "nan"));
    CHECK_FALSE(contains(text, "inf "));
}

TEST_CASE("short quantities have four digits and the right unit")
{
    CHECK(shortTime(picoseconds(999)) == "999.0 ps");
    CHECK(shortTime(picoseconds(19'814)) == "19.81 ns");
    CHECK(shortTime(std::chrono::microseconds(152)) == "152.0 us");
    CHECK(shortTime(Time{}) == "0");
    CHECK(shortTime(std::chrono::hours(1)) == "3600 s");
    CHECK(shortBytes(999) == "999 B");
    CHECK(shortBytes(112'300'000) == "112.3 MB");
    CHECK(shortEnergy(0.0012345) == "1.234 mJ");
    CHECK(shortEnergy(0) == "0 J");
    CHECK(grouped(1'234'567) == "1,234,567");
    CHECK(grouped(999) == "999");
    CHECK(shortNumber(1234.5) == "1,235");
    CHECK(shortNumber(0.5) == "0.500");
}

TEST_CASE("text is wrapped at words")
{
    CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
    CHECK(wrapped("unbreakable", 4) == std::vector<std::string>{"unbr", "eaka", "ble"});
    CHECK(wrapped("", 10) == std::vector<std::string>{""});
}
