// SPDX-License-Identifier: Apache-2.0
#include "models/controller/failure_log.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::controller;
using namespace std::chrono_literals;

namespace {

Failure failureAt(Time at, FailureKind kind = FailureKind::OperationFailed)
{
    Failure failure;
    failure.kind = kind;
    failure.at = at;
    return failure;
}

} // namespace

TEST_CASE("a log counts all failures by kind and keeps the first ones")
{
    FailureLog log;
    std::vector<Time> heard;
    log.onNote([&heard](const Failure& failure) { heard.push_back(failure.at); });
    for (int i = 0; i < 20; ++i)
        log.note(failureAt(1us * i, i == 3 ? FailureKind::ListRefused : FailureKind::OperationFailed));
    CHECK(log.count(FailureKind::OperationFailed) == 19);
    CHECK(log.count(FailureKind::ListRefused) == 1);
    CHECK(log.total() == 20);
    REQUIRE(log.first().size() == FailureLog::kept);
    CHECK(log.first().back().at == 15us);
    CHECK(heard.size() == 20);
}

TEST_CASE("a later log continues an earlier one")
{
    FailureLog log;
    FailureLog later;
    for (int i = 0; i < 10; ++i) {
        log.note(failureAt(1us * i));
        later.note(failureAt(1ms * i));
    }
    log.add(later);
    CHECK(log.total() == 20);
    REQUIRE(log.first().size() == FailureLog::kept);
    CHECK(log.first()[9].at == 9us);
    CHECK(log.first()[11].at == 1ms);
}
