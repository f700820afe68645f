// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_text.h"
#include "models/host/workload/zstd_frames.h"
#include "tests/domain/host/workload/support.h"
#include "tests/support/source_directory.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;

namespace {
std::vector<std::string> linesOf(TraceText&& text)
{
    std::vector<std::string> lines;
    std::string_view line;
    while (text.next(line))
        lines.emplace_back(line);
    return lines;
}

std::vector<std::string> linesOf(const std::string& contents)
{
    return linesOf(TraceText::fromMemory("trace", contents));
}
} // namespace

TEST_CASE("lines end with LF, CR LF or the end of the file")
{
    CHECK(linesOf("one\ntwo\r\n\nfour") == std::vector<std::string>{"one", "two", "", "four"});
    CHECK(linesOf("").empty());
    CHECK(linesOf("\n") == std::vector<std::string>{""});
}

TEST_CASE("lines that cross the buffer come out whole")
{
    std::string contents;
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < 100; ++i) {
        expected.emplace_back(i * 40, static_cast<char>('a' + i % 26));
        contents += expected.back() + "\n";
    }
    CHECK(linesOf(contents) == expected);
}

TEST_CASE("peeking shows the first lines and takes none")
{
    TraceText text = TraceText::fromMemory("trace", "one\ntwo\nthree\n");
    CHECK(text.peek(2) == std::vector<std::string_view>{"one", "two"});
    CHECK(text.lineNumber() == 0);
    std::string_view line;
    REQUIRE(text.next(line));
    CHECK(line == "one");
    CHECK(text.lineNumber() == 1);
}

TEST_CASE("gz, bz2, xz and zst files read like the plain one, whatever they are called")
{
    const std::string plain = sampleDirectory + "sample.iolog3";
    const std::string suffix = GENERATE(".gz", ".bz2", ".xz", ".zst");
    CHECK(linesOf(TraceText(plain + suffix)) == linesOf(TraceText(plain)));

    const std::string packed = contentsOf(plain + suffix);
    const std::string text = contentsOf(plain);
    const auto twice = linesOf(text + text);
    CHECK(linesOf(packed + packed) == twice); // members one after another
}

TEST_CASE("compressed data that are cut off anywhere or damaged are an error, not a short trace")
{
    const auto [suffix, name] = GENERATE(
        table<std::string, std::string>({{".gz", "gzip"}, {".bz2", "bzip2"}, {".xz", "xz"}, {".zst", "zstd"}}));
    const std::string packed = contentsOf(sampleDirectory + "sample.iolog3" + suffix);
    for (std::size_t length = 6; length < packed.size(); ++length) {
        INFO(suffix << " cut to " << length);
        CHECK(messageOf([&] {
                  linesOf(packed.substr(0, length));
              }).find("trace: the " + name + " data are damaged or cut off (after line ") == 0);
    }
    std::string damaged = packed;
    damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x55);
    CHECK(messageOf([&] { linesOf(damaged); }) == "trace: the " + name + " data are damaged or cut off (after line 0)");
}

TEST_CASE("zstd frames are followed across blocks, checksums and skippable frames")
{
    using namespace std::string_literals;
    const std::string frame = "\x28\xB5\x2F\xFD"s // magic
                              "\x04\x58"          // checksummed, window descriptor
                              "\x10\x00\x00"s     // raw block of 2 bytes, not the last
                              "ab"
                              "\x23\x00\x00"s // repeated byte, 4 times, the last
                              "c"
                              "\x01\x02\x03\x04"; // checksum
    const std::string skippable = "\x53\x2A\x4D\x18\x03\x00\x00\x00xyz"s;
    const std::string stream = frame + skippable + frame;
    for (std::size_t length = 0; length <= stream.size(); ++length) {
        ZstdFrames whole;
        whole.pass(stream.data(), length);
        ZstdFrames bytewise;
        for (std::size_t i = 0; i < length; ++i)
            bytewise.pass(&stream[i], 1);
        const bool atFrameEnd = length == 0 || length == frame.size() || length == frame.size() + skippable.size() ||
                                length == stream.size();
        INFO(length);
        CHECK(whole.isComplete() == atFrameEnd);
        CHECK(bytewise.isComplete() == atFrameEnd);
    }
}

TEST_CASE("the message for a file that cannot be read gives the reason")
{
    CHECK(messageOf([] { TraceText("no/such/trace"); }) ==
          "no/such/trace: cannot open the trace: No such file or directory");
    CHECK(messageOf([] { TraceText(strobe::test::sourceDirectory() + "/tests"); }) ==
          strobe::test::sourceDirectory() + "/tests: expected a trace file, found a directory");
}

TEST_CASE("a line longer than the buffer is an error")
{
    CHECK(linesOf("x\n" + std::string(65535, 'a') + "\n").size() == 2);
    CHECK(messageOf([] { linesOf("x\n" + std::string(70000, 'a') + "\n"); }) ==
          "trace:2:1: expected a line of at most 64 KiB, found a longer one");
}
