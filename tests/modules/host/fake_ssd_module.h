#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The fake drive of the domain tests in simulated time.

#include "models/tlm/time_bridge.h"
#include "tests/domain/host/fake_ssd.h"

#include <systemc>

namespace strobe::test {

class FakeSsdModule : public sc_core::sc_module, public host::HostPort {
public:
    FakeSsd ssd;

    FakeSsdModule(const sc_core::sc_module_name& name, const FakeSsd::Config& config)
        : sc_module(name), ssd(config), wake_("wake")
    {
        SC_HAS_PROCESS(FakeSsdModule);
        SC_METHOD(step);
        sensitive << wake_;
        dont_initialize();
    }
    void submit(const host::Command& command, Time at) override
    {
        ssd.submit(command, at);
        wake_.notify(toSc(ssd.nextTime() - now()));
    }
    Time accessBuffer(std::uint64_t handle, std::uint32_t first, std::uint32_t sectors, Content content,
                      Time at) override
    {
        return ssd.accessBuffer(handle, first, sectors, content, at);
    }
    void transferDone(std::uint64_t handle, Time at) override { ssd.transferDone(handle, at); }
    std::uint64_t capacitySectors() const override { return ssd.capacitySectors(); }
    std::uint32_t slots() const override { return ssd.slots(); }

private:
    void step()
    {
        ssd.advance(now());
        if (ssd.nextTime() != never)
            wake_.notify(toSc(ssd.nextTime() - now()));
    }
    sc_core::sc_event wake_;
};

} // namespace strobe::test
