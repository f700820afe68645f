// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_dependencies.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

TEST_CASE("a dependent request keeps its distance to the completion that it waited for")
{
    TraceDependencies d;
    d.begin(1ms);
    d.arrived(Time{}, 100us);
    CHECK(d.due() == Time{1ms});
    const auto first = d.issued();
    d.arrived(130us, 100us); // 30 us after the completion
    CHECK(d.due() == never);
    d.completed(first, 1700us);
    CHECK(d.due() == Time{1730us});
}

TEST_CASE("requests that overlapped when recorded overlap when replayed")
{
    TraceDependencies d;
    d.begin(Time{});
    d.arrived(Time{}, 100us);
    d.issued();
    d.arrived(40us, 10us);
    CHECK(d.due() == Time{40us});
    d.issued();
    d.arrived(49us, 10us);
    CHECK(d.due() == Time{49us});
}

TEST_CASE("a dependent request waits for all that were complete, even if they complete in another order")
{
    TraceDependencies d;
    d.begin(Time{});
    d.arrived(Time{}, 50us);
    const auto first = d.issued();
    d.arrived(10us, 20us);
    const auto second = d.issued();
    d.arrived(60us, 1us); // 10 us after the first, 30 us after the second
    CHECK(d.due() == never);
    d.completed(first, 20us);
    CHECK(d.due() == never);
    d.completed(second, 300us);
    CHECK(d.due() == Time{310us});
}

TEST_CASE("a completion before the request that it is needed for counts")
{
    TraceDependencies d;
    d.begin(Time{});
    d.arrived(Time{}, 500us);
    const auto first = d.issued();
    d.arrived(400us, 10us);
    CHECK(d.due() == Time{400us}); // did not wait
    d.completed(first, 30us);      // a faster drive
    d.issued();
    d.arrived(520us, 10us);
    CHECK(d.due() == never); // the second
    d.completed(1, 410us);
    CHECK(d.due() == Time{430us}); // 20 us after what completed last
}

TEST_CASE("without response times the gaps between arrivals become think times")
{
    TraceDependencies d;
    d.begin(Time{});
    d.arrived(Time{}, Time{});
    const auto first = d.issued();
    d.arrived(Time{}, Time{}); // of the same instant: they do not wait for each other
    CHECK(d.due() == Time{});
    const auto second = d.issued();
    d.arrived(70us, Time{});
    CHECK(d.due() == never);
    d.completed(second, 90us);
    d.completed(first, 100us);
    CHECK(d.due() == Time{170us});
    const auto third = d.issued();
    d.completed(third, 1ms);
    d.arrived(75us, Time{});
    CHECK(d.due() == Time{1005us});
}

TEST_CASE("a request that arrives when another completes has waited for it")
{
    TraceDependencies d;
    d.begin(Time{});
    d.arrived(Time{}, 50us);
    const auto first = d.issued();
    d.arrived(50us, 50us);
    CHECK(d.due() == never);
    d.completed(first, 80us);
    CHECK(d.due() == Time{80us});
}
