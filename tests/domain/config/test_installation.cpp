// SPDX-License-Identifier: Apache-2.0
#include "platform/config/installation.h"
#include "tests/domain/config/test_files.h"
#include "tests/support/catch.h"

using namespace strobe::platform;
using strobe::test::ScenarioDirectory;

TEST_CASE("an installed program has its scenarios and images below its own prefix")
{
    const ScenarioDirectory prefix;
    prefix.write("share/strobe/scenarios/quickstart.json", "{}");
    const auto found = installationOf(prefix.at("bin/strobe"));
    REQUIRE(found);
    CHECK(found->scenarios == prefix.at("share/strobe/scenarios"));
    CHECK(found->firmware == prefix.at("lib/strobe/firmware"));
    CHECK(found->python == prefix.at("share/strobe/python"));
}

TEST_CASE("a program without scenarios beside it is not installed")
{
    const ScenarioDirectory build;
    CHECK_FALSE(installationOf(build.at("release/strobe")));
}
