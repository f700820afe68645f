// SPDX-License-Identifier: Apache-2.0
//
// What a ready version needs next, depending only on its slot and the journal.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

namespace {

constexpr std::uint32_t fullPage = 0xF;

struct Version {
    slot state{};
    journal records{};
    std::uint32_t epoch = 5; // the current one

    Version()
    {
        state.valid = fullPage;
        state.epoch = 5;
        records.written = 10;
    }
    version_step step() const { return writeout_next_step(&state, fullPage, epoch, &records); }
};

} // namespace

TEST_CASE("a whole page is programmed, a part of one is filled first")
{
    Version version;
    CHECK(version.step() == STEP_PROGRAM);
    version.state.valid = 0x7;
    CHECK(version.step() == STEP_FILL);
}

TEST_CASE("host transfers come before everything else")
{
    Version version;
    version.state.transfers = 1;
    version.state.stale = true;
    CHECK(version.step() == STEP_RECEIVE);
}

TEST_CASE("a stale version is dropped, whether it is complete or not")
{
    Version version;
    version.state.stale = true;
    CHECK(version.step() == STEP_DROP);
    version.state.valid = 1;
    CHECK(version.step() == STEP_DROP);
}

TEST_CASE("a trimmed version that a command or a flush waits for is dropped only after the record of the trim")
{
    Version version;
    version.state.stale = version.state.trimmed = true;
    version.state.ticket = 11;
    CHECK(version.step() == STEP_DROP); // no command waits for it
    version.state.urgent = true;
    CHECK(version.step() == STEP_WAIT_FOR_JOURNAL);
    version.state.urgent = false;
    version.epoch = 6; // a flush has arrived
    CHECK(version.step() == STEP_WAIT_FOR_JOURNAL);
    version.records.written = 11;
    CHECK(version.step() == STEP_DROP);
}
