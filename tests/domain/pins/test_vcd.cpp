// SPDX-License-Identifier: Apache-2.0
//
// A VCD file is read back and compared with the waveform it was made from.
#include "models/pins/vcd.h"
#include "pin_helpers.h"

#include <map>
#include <sstream>

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;

namespace {

// A reader for what IEEE 1364 allows in such a file; refuses everything else.
struct VcdFile {
    explicit VcdFile(const std::string& text)
    {
        std::istringstream in(text);
        std::string word;
        while (in >> word) {
            if (word == "$timescale")
                readTimescale(in);
            else if (word == "$var")
                readVariable(in);
            else if (word == "$enddefinitions" || word == "$version" || word == "$comment" || word == "$scope" ||
                     word == "$upscope")
                skipToEnd(in);
            else if (word == "$dumpvars" || word == "$end")
                continue;
            else if (word[0] == '#')
                readTime(word);
            else
                readValue(in, word);
        }
    }

    std::map<std::string, std::string> namesByCode;
    std::map<std::string, std::map<std::int64_t, std::string>> values; // name, picoseconds
    std::int64_t scale = 0;
    bool monotonic = true;

private:
    static void skipToEnd(std::istringstream& in)
    {
        std::string word;
        while (in >> word && word != "$end") {
        }
    }
    void readTimescale(std::istringstream& in)
    {
        std::int64_t number = 0;
        std::string unit;
        in >> number >> unit;
        scale = number * (unit == "ps" ? 1 : unit == "ns" ? 1'000 : 1'000'000);
        skipToEnd(in);
    }
    void readVariable(std::istringstream& in)
    {
        std::string type;
        std::string width;
        std::string code;
        std::string name;
        in >> type >> width >> code >> name;
        CHECK(namesByCode.emplace(code, name).second); // codes are unique
        skipToEnd(in);
    }
    void readTime(const std::string& word)
    {
        const std::int64_t at = std::stoll(word.substr(1)) * scale;
        monotonic = monotonic && (at > now_ || !started_);
        now_ = at;
        started_ = true;
    }
    void readValue(std::istringstream& in, const std::string& word)
    {
        std::string value = word.substr(0, 1);
        std::string code = word.substr(1);
        if (word[0] == 'b') {
            value = code;
            in >> code;
        }
        REQUIRE(namesByCode.count(code) == 1);
        CHECK(value.find_first_not_of("01xz") == std::string::npos);
        values[namesByCode[code]][now_] = value;
    }

    std::int64_t now_ = 0;
    bool started_ = false;
};

Level levelOf(const std::string& value)
{
    if (value[0] == 'z')
        return highImpedance;
    return value[0] == 'x' ? unknown : static_cast<Level>(std::stoul(value, nullptr, 2));
}

} // namespace

TEST_CASE("every change of every pin is in the file, at its picosecond, and nothing else")
{
    for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED", "NV_DDR_5", "NV_DDR2_5"}) {
        for (const Opcode opcode : {Opcode::Read, Opcode::Program}) {
            const Waveform waveform = replayOf(twinOf(interfaceNamed(name), parts()[0]), operation(opcode, 1), 9);
            const VcdFile file(vcdText(waveform, "channel", "test"));
            INFO(name);
            CHECK(file.monotonic);
            std::size_t changes = 0;
            for (const Line line : waveform.lines()) {
                auto values = file.values.at(waveform.identifierOf(line));
                CHECK(values.begin()->first == 0);
                CHECK(levelOf(values.begin()->second) == waveform.levelAt(line, {}));
                for (const Change& change : waveform.changesOf(line)) {
                    REQUIRE(values.count(change.at.count()) == 1);
                    CHECK(levelOf(values[change.at.count()]) == change.level);
                    changes += change.at > Time{} ? 1U : 0U;
                }
                changes -= values.size() - 1;
            }
            CHECK(changes == 0);
        }
    }
}

TEST_CASE("the time scale is the coarsest that is exact")
{
    InterfaceTiming timing;
    timing.name = "CONV";
    const auto scaleAt = [&timing](Time cycle) {
        timing.cycle = cycle;
        PinTwin twin(PinModel{timing, Signalling::Conventional, {}}, roundPart());
        return VcdFile(vcdText(replayOf(twin, operation(Opcode::Erase)), "channel", "")).scale;
    };
    CHECK(scaleAt(20ns) == 10'000);
    CHECK(scaleAt(10ns) == 1'000); // half cycles of 5 ns
    CHECK(scaleAt(picoseconds(2'500)) == 10);
    CHECK(scaleAt(picoseconds(19'814)) == 1);
}

TEST_CASE("the phase says in ASCII what the bus does")
{
    const Waveform waveform =
        replayOf(twinOf(interfaceNamed("PROPOSED"), parts()[0]), operation(Opcode::Program, 1), 2);
    const VcdFile file(vcdText(waveform, "channel", ""));
    std::vector<std::string> phases;
    for (const auto& [at, bits] : file.values.at("phase")) {
        std::string text;
        for (std::size_t i = 0; i + 8 <= bits.size(); i += 8)
            text += static_cast<char>(std::stoul(bits.substr(i, 8), nullptr, 2));
        phases.push_back(text);
    }
    CHECK(phases == std::vector<std::string>{"tCS", "80h", "column address", "row address", "tADL", "data in", "10h",
                                             "tPROG", "poll delay", "tCS", "70h", "tWHR", "status", ""});
}

TEST_CASE("a comment cannot end itself")
{
    const Waveform waveform = replayOf(twinOf(interfaceNamed("CONV"), parts()[0]), operation(Opcode::Reset));
    CHECK(vcdText(waveform, "channel", "my $end drive").find("$comment my _end drive $end") != std::string::npos);
}
