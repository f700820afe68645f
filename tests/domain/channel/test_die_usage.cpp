// SPDX-License-Identifier: Apache-2.0
#include "models/channel/die_usage.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace std::chrono_literals;

namespace {

nand::Operation requested(Time submitted, Time start)
{
    nand::Operation op;
    op.submitted = submitted;
    op.requestStart = start;
    return op;
}

} // namespace

TEST_CASE("a die is in use from the start of the request to the end of the response")
{
    DieUsage usage;
    usage.finished(requested(1ns, 4ns), 10ns);
    usage.finished(requested(2ns, 15ns), 18ns);
    const ResourceUsage u = usage.resource().usage();
    CHECK(u.busy == 6ns + 3ns);
    CHECK(u.waited == 3ns + 13ns);
    CHECK(u.jobs == 2);
}

TEST_CASE("time that joined operations share is counted once")
{
    DieUsage usage;
    usage.finished(requested(0ns, 0ns), 10ns);
    usage.finished(requested(0ns, 2ns), 14ns);
    CHECK(usage.resource().usage().busy == 14ns);

    DieUsage wordLine; // another request of the same train starts at 6 ns
    wordLine.continues(requested(0ns, 1ns), 6ns);
    wordLine.finished(requested(0ns, 3ns), 10ns);
    CHECK(wordLine.resource().usage().busy == 9ns);
    CHECK(wordLine.resource().usage().jobs == 1);
}

TEST_CASE("a suspended operation and the read that it waits for are counted once")
{
    DieUsage usage;
    usage.continues(requested(0ns, 1ns), 5ns);    // suspend
    usage.wasSuspended(7ns);                      // the read starts
    usage.finished(requested(4ns, 7ns), 12ns);    // the read
    usage.finished(requested(0ns, 1ns), 20ns);    // the operation
    CHECK(usage.resource().usage().busy == 19ns); // 1 to 20
    CHECK(usage.resource().usage().jobs == 2);
}

TEST_CASE("reads of several planes use the die while there is at least one")
{
    DieUsage usage;
    const nand::Operation a = requested(0ns, 2ns);
    const nand::Operation b = requested(1ns, 4ns);
    usage.planesChange(false, 2ns); // a starts
    usage.planesChange(true, 4ns);  // b starts
    usage.planesChange(true, 9ns);
    usage.planeReadFinished(a, 9ns);
    usage.planesChange(true, 11ns);
    usage.planeReadFinished(b, 11ns);
    usage.planesChange(false, 20ns);
    const ResourceUsage u = usage.resource().usage();
    CHECK(u.busy == 9ns);
    CHECK(u.waited == 2ns + 3ns);
    CHECK(u.jobs == 2);
}

TEST_CASE("after a reset an operation in progress counts from the reset on")
{
    DieUsage usage;
    usage.finished(requested(0ns, 0ns), 3ns);
    usage.reset(10ns);
    CHECK(usage.resource().usage().busy == 0ns);
    usage.finished(requested(4ns, 6ns), 15ns);
    CHECK(usage.resource().usage().busy == 5ns);
    CHECK(usage.resource().usage().waited == 0ns);
    usage.planesChange(true, 18ns);
    CHECK(usage.resource().usage().busy == 8ns);
}

TEST_CASE("after a reset a suspension in progress counts from the reset on")
{
    DieUsage usage;
    usage.continues(requested(0ns, 1ns), 5ns); // suspend
    usage.reset(10ns);
    usage.wasSuspended(12ns); // the next read starts
    CHECK(usage.resource().usage().busy == 2ns);
    usage.finished(requested(11ns, 12ns), 15ns);
    CHECK(usage.resource().usage().busy == 5ns);
}
