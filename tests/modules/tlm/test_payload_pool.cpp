// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/payload_pool.h"
#include "tests/support/catch.h"

using namespace strobe;

namespace {

struct Note : tlm::tlm_extension<Note> {
    tlm::tlm_extension_base* clone() const override { return new Note(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const Note&>(other); }

    int number = 7;
};

struct Guest : tlm::tlm_extension<Guest> {
    tlm::tlm_extension_base* clone() const override { return new Guest(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const Guest&>(other); }
    ~Guest() override { ++deleted; }

    static int deleted;
};
int Guest::deleted = 0;

} // namespace

TEST_CASE("a payload comes fresh, goes back at its last release, and is used again with its extension")
{
    PayloadPool<Note> pool;
    tlm::tlm_generic_payload& first = pool.acquire();
    Note* const note = first.get_extension<Note>();
    REQUIRE(note != nullptr);
    CHECK(note->number == 7);
    CHECK(first.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
    CHECK(first.get_ref_count() == 1);
    CHECK(pool.inFlight() == 1);

    note->number = 99;
    first.set_response_status(tlm::TLM_OK_RESPONSE);
    first.acquire();
    first.release();
    CHECK(pool.inFlight() == 1); // still held once
    first.release();
    CHECK(pool.inFlight() == 0);

    tlm::tlm_generic_payload& second = pool.acquire();
    CHECK(&second == &first);
    CHECK(second.get_extension<Note>() == note);
    CHECK(note->number == 7);
    CHECK(second.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
    second.release();
}

TEST_CASE("a payload is taken without the reset of its extension, which the caller sets")
{
    PayloadPool<Note> pool;
    tlm::tlm_generic_payload& first = pool.acquire();
    first.get_extension<Note>()->number = 99;
    first.set_response_status(tlm::TLM_OK_RESPONSE);
    first.release();
    tlm::tlm_generic_payload& second = pool.acquireUnset();
    CHECK(second.get_extension<Note>()->number == 99);
    CHECK(second.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
    CHECK(second.get_ref_count() == 1);
    second.release();
}

TEST_CASE("payloads in flight are different ones")
{
    PayloadPool<Note> pool;
    tlm::tlm_generic_payload& a = pool.acquire();
    tlm::tlm_generic_payload& b = pool.acquire();
    CHECK(&a != &b);
    CHECK(a.get_extension<Note>() != b.get_extension<Note>());
    CHECK(pool.inFlight() == 2);
    a.release();
    b.release();
}

TEST_CASE("an auto extension added by others is removed when the payload is returned")
{
    Guest::deleted = 0;
    PayloadPool<Note> pool;
    tlm::tlm_generic_payload& payload = pool.acquire();
    payload.set_auto_extension(new Guest);
    payload.release();
    CHECK(Guest::deleted == 1);
    CHECK(pool.acquire().get_extension<Guest>() == nullptr);
}
