// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/reproduce/points.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;

namespace {

Points some()
{
    Points points;
    points.measure({"3", "read", "1 x 1, fast", "throughput"}, 10);
    points.measure({"3", "read", "1 x 2, fast", "throughput"}, 20);
    points.measure({"3", "write", "1 x 1, fast", "throughput"}, 5);
    points.declare({"4", "mix", "", "elapsed"});
    return points;
}

std::string messageFor(const PointName& name)
{
    try {
        some().at(name);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("a point has the value that was measured")
{
    CHECK(some().at({"3", "read", "1 x 2, fast", "throughput"}) == 20);
    CHECK_THROWS_AS(some().at({"4", "mix", "", "elapsed"}), NotMeasured);
    CHECK(some().allWith(1).at({"4", "mix", "", "elapsed"}) == 1);
}

TEST_CASE("the error of a point is compared with its published value and the bar of its quantity")
{
    Points points = some();
    points.publish({"3", "read", "1 x 1, fast", "throughput"}, 8, 0.5);
    CHECK(PointsOfSeed(points, 0).ofBar({"3", "read", "1 x 1, fast", "throughput"}) == Approx(0.5));
    CHECK_THROWS_WITH(PointsOfSeed(points, 0).ofBar({"3", "write", "1 x 1, fast", "throughput"}),
                      "the point [3|write|1 x 1, fast|throughput] has no published value with a bar");
    points.publish({"4", "mix", "", "elapsed"}, 8, 0.5);
    CHECK_THROWS_AS(PointsOfSeed(points, 0).ofBar({"4", "mix", "", "elapsed"}), NotMeasured);
    CHECK_THROWS_AS(points.publish({"4", "mix", "", "speed"}, 8, 0.5), ConfigError);
}

TEST_CASE("an unknown point is refused with the part that is wrong and the names that are allowed there")
{
    CHECK(messageFor({"5", "read", "1 x 1, fast", "throughput"}) ==
          "there is no point [5|read|1 x 1, fast|throughput]: unknown figure \"5\"; allowed here: \"3\", \"4\"");
    CHECK(messageFor({"3", "mix", "1 x 1, fast", "throughput"}) ==
          "there is no point [3|mix|1 x 1, fast|throughput]: unknown workload \"mix\"; allowed here: \"read\", "
          "\"write\"");
    CHECK(messageFor({"3", "write", "1 x 2, fast", "throughput"}) ==
          "there is no point [3|write|1 x 2, fast|throughput]: unknown setting \"1 x 2, fast\"; allowed here: \"1 x 1, "
          "fast\"");
    CHECK(messageFor({"3", "read", "1 x 1, fast", "latency"}) ==
          "there is no point [3|read|1 x 1, fast|latency]: unknown quantity \"latency\"; allowed here: \"throughput\"");
}

TEST_CASE("a pattern finds points in the order of their declaration, with what each star covers")
{
    using Texts = std::vector<std::vector<std::string>>;
    CHECK(some().matches({"3", "*", "1 x *, fast", "throughput"}) ==
          Texts{{"read", "1"}, {"read", "2"}, {"write", "1"}});
    CHECK(some().matches({"3", "read", "1 x 2, fast", "throughput"}) == Texts{{}});
    CHECK(some().matches({"3", "trim", "*", "throughput"}).empty());
}

TEST_CASE("a seed sees its own sample, the value of points without samples, and says how many seeds there are")
{
    Points points = some();
    points.measure({"3", "read", "1 x 2, fast", "throughput"}, 5, {5, 6, 7});
    PointsOfSeed second(points, 1);
    CHECK(second.at({"3", "read", "1 x 1, fast", "throughput"}) ==
          points.at({"3", "read", "1 x 1, fast", "throughput"}));
    CHECK(second.seeds() == 1);
    CHECK(second.at({"3", "read", "1 x 2, fast", "throughput"}) == 6);
    CHECK(second.seeds() == 3);
    CHECK(points.at({"3", "read", "1 x 2, fast", "throughput"}) == 5);
}
