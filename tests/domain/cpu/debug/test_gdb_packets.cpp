// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/gdb_packets.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe::cpu;

TEST_CASE("a payload is framed with its checksum and decoded unchanged, whatever it contains")
{
    CHECK(gdbFrame("OK") == "$OK#9a");
    CHECK(gdbFrame("") == "$#00");
    std::string every;
    for (int c = 0; c < 256; ++c)
        every += static_cast<char>(c);
    const std::string frame = gdbFrame(every);
    CHECK(frame.find('#') == frame.size() - 3); // the one of the checksum
    GdbFrameReader reader;
    reader.take(frame);
    const auto back = reader.next();
    REQUIRE(back);
    CHECK(back->kind == GdbFrame::Kind::Packet);
    CHECK(back->payload == every);
    CHECK_FALSE(reader.next());
}

TEST_CASE("frames may come byte by byte or several at once, between acknowledgements")
{
    GdbFrameReader reader;
    const std::string bytes = "+$g#67+$m0,4#fd";
    for (const char c : bytes.substr(0, 6)) {
        CHECK_FALSE(reader.next());
        reader.take(std::string(1, c));
    }
    CHECK(reader.next()->payload == "g");
    reader.take(bytes.substr(6));
    CHECK(reader.next()->payload == "m0,4");
    CHECK_FALSE(reader.next());
}

TEST_CASE("an interrupt is one byte, in front of a packet or alone")
{
    GdbFrameReader reader;
    reader.take("\x03$?#3f\x03");
    CHECK(reader.next()->kind == GdbFrame::Kind::Interrupt);
    CHECK(reader.next()->payload == "?");
    CHECK(reader.next()->kind == GdbFrame::Kind::Interrupt);
    CHECK_FALSE(reader.next());
}

TEST_CASE("a frame with another checksum, or with none, is damaged and the next one is read")
{
    for (const char* bytes : {"$g#68$?#3f", "$g#zz$?#3f"}) {
        GdbFrameReader reader;
        reader.take(bytes);
        CHECK(reader.next()->kind == GdbFrame::Kind::Damaged);
        CHECK(reader.next()->payload == "?");
    }
    GdbFrameReader endless;
    endless.take("$" + std::string(3 * gdbPacketBytes, 'x'));
    CHECK(endless.next()->kind == GdbFrame::Kind::Damaged);
    endless.take("$?#3f");
    CHECK(endless.next()->payload == "?");
}

TEST_CASE("hexadecimal text is read strictly")
{
    CHECK(toHex(std::string("\x00\xAB", 2)) == "00ab");
    CHECK(fromHex("00aB") == std::string("\x00\xAB", 2));
    CHECK_FALSE(fromHex("0"));
    CHECK_FALSE(fromHex("0g"));
    CHECK(hexNumber("ffffffff") == 0xFFFFFFFF);
    CHECK_FALSE(hexNumber("100000000"));
    CHECK_FALSE(hexNumber(""));
    CHECK_FALSE(hexNumber("12 "));
}
