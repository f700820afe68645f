#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A port module around one link object: it passes calls on, and wakes when the link has something due. The link is a
// domain class with driveReady, transfer, complete, issue, advance and nextTime (SataLink, DirectLink).

#include "models/host/port_module.h"
#include "models/tlm/agenda.h"
#include "models/tlm/time_bridge.h"

namespace strobe::host {

template <class Link>
class LinkPortModule : public PortModule {
public:
    void connect(HostPort& drive, HostSide& host) final { link_.connect(drive, host); }
    void resetUsage() final { link_.resetUsage(); }

    void driveReady(Time at) final
    {
        link_.driveReady(at);
        arm();
    }
    void transfer(const TransferOrder& order, Time at) final
    {
        link_.transfer(order, at);
        arm();
    }
    void placed(std::uint16_t slot, std::uint64_t lba, Time at) final { link_.placed(slot, lba, at); }
    void complete(std::uint16_t slot, CommandStatus status, Time at) final
    {
        link_.complete(slot, status, at);
        arm();
    }
    void issue(const Command& command, Time at) final
    {
        link_.issue(command, at);
        arm();
    }

    Link& link() { return link_; }
    const Link& link() const { return link_; }

protected:
    // A wake-up that has become too early does no harm: it finds nothing due.
    void arm()
    {
        if (!isStepping_)
            wake_.at(link_.nextTime());
    }

    template <class Config>
    LinkPortModule(const sc_core::sc_module_name& name, const Config& config, DataMode dataMode)
        : PortModule(name), link_(config, dataMode)
    {
    }

private:
    void step()
    {
        isStepping_ = true; // work due by now is done below: no wake-up is needed for it
        link_.advance(now());
        isStepping_ = false;
        arm();
    }
    Link link_;
    Wake wake_ = Wake::calls<&LinkPortModule::step>(*this);
    bool isStepping_ = false;
};

} // namespace strobe::host
