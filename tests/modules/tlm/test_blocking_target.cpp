// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/blocking_target.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

using namespace strobe;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

struct Target : sc_core::sc_module, private BlockingTarget {
    tlm::tlm_target_socket<> socket{"socket"};
    int calls = 0;

    explicit Target(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(interface()); }

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override
    {
        ++calls;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

struct Initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

    explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name) {}
};

} // namespace

TEST_CASE("a module that is a blocking target serves b_transport, and refuses everything else")
{
    KernelFixture kernel;
    Target target("target");
    Initiator initiator("initiator");
    initiator.socket.bind(target.socket);
    kernel.run(0ns);

    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay;
    initiator.socket->b_transport(payload, delay);
    CHECK(payload.is_response_ok());
    CHECK(target.calls == 1);

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    CHECK(initiator.socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED);
    CHECK(payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    tlm::tlm_dmi dmi;
    CHECK_FALSE(initiator.socket->get_direct_mem_ptr(payload, dmi));
    CHECK(initiator.socket->transport_dbg(payload) == 0);
    CHECK(target.calls == 1);
}
