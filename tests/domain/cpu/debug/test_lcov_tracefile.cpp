// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/cpu/debug/lcov_tracefile.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::cpu;

namespace {

constexpr const char* file = "TN:\n"
                             "SF:/src/ftl.c\n"
                             "FN:3,idle\n"
                             "FN:9,work\n"
                             "FNDA:0,idle\n"
                             "FNDA:7,work\n"
                             "FNF:2\n"
                             "FNH:1\n"
                             "BRDA:10,0,0,2\n"
                             "BRDA:10,0,1,5\n"
                             "BRDA:11,0,0,-\n"
                             "BRDA:11,0,1,-\n"
                             "BRF:4\n"
                             "BRH:2\n"
                             "DA:3,0\n"
                             "DA:10,7\n"
                             "LF:2\n"
                             "LH:1\n"
                             "end_of_record\n";

std::string errorOf(const std::string& text)
{
    try {
        parseLcov(text, "old.info");
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "none";
}

} // namespace

TEST_CASE("a tracefile is read as it was written")
{
    CHECK(lcovTracefile(parseLcov(file, "old.info")) == file);
}

TEST_CASE("coverage of two runs adds up, and what neither reached stays so")
{
    CoverageByFile sum = parseLcov(file, "old.info");
    add(sum, parseLcov("SF:/src/ftl.c\nFNDA:2,idle\nBRDA:11,0,0,1\nBRDA:11,0,1,0\nDA:3,2\nDA:10,1\nend_of_record\n"
                       "SF:/src/other.c\nDA:1,1\nend_of_record\n",
                       "new.info"));
    REQUIRE(sum.size() == 2);
    const SourceCoverage& ftl = sum.at("/src/ftl.c");
    CHECK(ftl.lines.at(3) == 2);
    CHECK(ftl.lines.at(10) == 8);
    CHECK(ftl.functions.at("idle").calls == 2);
    CHECK(ftl.functions.at("idle").line == 3);
    CHECK(ftl.branches.at({10, 0, 1}) == 5);
    CHECK(ftl.branches.at({11, 0, 1}) == 0);
    CHECK(sum["/src/other.c"].lines.at(1) == 1);
}

TEST_CASE("what other programs write besides is read")
{
    const CoverageByFile files =
        parseLcov("TN:name\nSF:a.c\nFN:3,5,f\nFNDA:1,f\nDA:3,1,Zm9v\nLF:1\nLH:1\nend_of_record", "x");
    CHECK(files.at("a.c").functions.at("f").line == 3);
    CHECK(files.at("a.c").lines.at(3) == 1);
}

TEST_CASE("what is no tracefile is refused with its line")
{
    CHECK(errorOf("DA:1,1\n") == "old.info:1: must follow an SF record");
    CHECK(errorOf("SF:a.c\nDA:1\n") == "old.info:2: DA needs 2 values");
    CHECK(errorOf("SF:a.c\nDA:1,many\n") == "old.info:2: \"many\" must be a number");
    CHECK(errorOf("SF:a.c\nDA:4294967296,1\n") == "old.info:2: \"4294967296\" must be less than 2^32");
    CHECK(errorOf("SF:a.c\nXY:1\n") == "old.info:2: \"XY\" is no record of an lcov tracefile");
    CHECK(errorOf("SF:a.c\nDA:1,1\n") == "old.info:3: ends inside a record: there is no end_of_record");
    CHECK(errorOf("") == "none");
}
