#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Bound into the NAND wire between the flash controller and a channel and watches the channel's bus: keeps the selected
// operations, once they are finished, with every time that they had the bus. Bound only on request. It changes nothing:
// phases, delays and answers pass as they are, at the same time. Not kept: operations that the end of the run or a
// power loss finds unfinished.

#include "models/channel/bus_watcher.h"
#include "models/nand/protocol.h"
#include "models/pins/channel_record.h"

#include <systemc>
#include <unordered_map>
#include <vector>

namespace strobe::pins {

class RecorderModule : public sc_core::sc_module, public channel::BusWatcher {
public:
    nand::TargetSocket<RecorderModule> host{"host"};
    nand::InitiatorSocket<RecorderModule> channel{"channel"};

    RecorderModule(const sc_core::sc_module_name& name, const RecorderRequest& request);

    void granted(const channel::NandInterface::Grant& grant, Time start) override;
    void readyAt(std::uint32_t lane, Time ready) override;

    const std::vector<RecordedOperation>& operations() const { return operations_; } // in order of completion

private:
    tlm::tlm_sync_enum fromHost(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum fromChannel(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

    struct UnderWay { // selected and not finished
        std::uint32_t lane = 0;
        std::vector<BusTenure> tenures;
    };
    struct Asked { // the request granted last to a lane
        const void* payload = nullptr;
        nand::Form form{};
    };

    RecorderRequest request_;
    std::size_t chosen_ = 0;
    std::unordered_map<const void*, UnderWay> underWay_; // by payload
    std::unordered_map<std::uint32_t, Asked> asked_;     // by lane
    std::vector<RecordedOperation> operations_;
};

} // namespace strobe::pins
