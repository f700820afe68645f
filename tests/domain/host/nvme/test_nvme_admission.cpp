// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_admission.h"
#include "tests/support/catch.h"

using namespace strobe::host::nvme;

TEST_CASE("without a limit no command waits")
{
    Admission admission(Admission::noLimit);
    for (std::uint16_t slot = 0; slot < 1000; ++slot)
        CHECK(admission.admit(slot, true));
    CHECK_FALSE(admission.next());
}

TEST_CASE("a write that finds no place stops all commands after it, and they go on in order")
{
    Admission admission(2);
    CHECK(admission.admit(0, true));
    CHECK(admission.admit(1, false)); // reads have no limit
    CHECK(admission.admit(2, true));
    CHECK_FALSE(admission.admit(3, true));
    CHECK_FALSE(admission.admit(4, false)); // a read behind it
    CHECK_FALSE(admission.admit(5, false));
    CHECK_FALSE(admission.admit(6, true));
    CHECK_FALSE(admission.next());
    admission.writeEnded();
    CHECK(admission.next() == 3);
    CHECK(admission.next() == 4);
    CHECK(admission.next() == 5);
    CHECK_FALSE(admission.next()); // 6 finds two writes
    CHECK_FALSE(admission.admit(7, false));
    admission.writeEnded();
    admission.writeEnded();
    CHECK(admission.next() == 6);
    CHECK(admission.next() == 7);
    CHECK_FALSE(admission.next());
    CHECK(admission.admit(8, true));
}

TEST_CASE("writes that are withdrawn need no place, and do not stop those after them")
{
    Admission admission(1);
    CHECK(admission.admit(0, true));
    for (std::uint16_t slot = 1; slot < 4; ++slot)
        CHECK_FALSE(admission.admit(slot, true));
    CHECK_FALSE(admission.admit(4, false));
    admission.withdraw(1);
    admission.withdraw(2);
    CHECK(admission.next() == 1);
    CHECK(admission.next() == 2);
    CHECK_FALSE(admission.next()); // 3 still finds the write of slot 0
    admission.withdraw(3);
    CHECK(admission.next() == 3);
    CHECK(admission.next() == 4);
    admission.writeEnded();
    CHECK(admission.admit(5, true));
}

TEST_CASE("a reset empties the line, and the writes in the drive keep their places")
{
    Admission admission(1);
    CHECK(admission.admit(0, true));
    CHECK_FALSE(admission.admit(1, true));
    admission.reset();
    CHECK_FALSE(admission.next());
    CHECK_FALSE(admission.admit(2, true));
    admission.writeEnded();
    CHECK(admission.next() == 2);
}
