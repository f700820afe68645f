#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Sits in the NAND wire between the flash controller and a channel and keeps the operations that were asked for, once
// they are finished. Bound only when somebody asks for it; it changes nothing:
// phases, delays and answers pass as they are, at the same time.

#include "models/nand/protocol.h"
#include "models/pins/channel_record.h"

#include <systemc>
#include <unordered_set>
#include <vector>

namespace strobe::pins {

class RecorderModule : public sc_core::sc_module {
public:
    nand::TargetSocket<RecorderModule> host{"host"};
    nand::InitiatorSocket<RecorderModule> channel{"channel"};

    RecorderModule(const sc_core::sc_module_name& name, const RecorderRequest& request);

    const std::vector<RecordedOperation>& operations() const { return operations_; } // in order of completion

private:
    tlm::tlm_sync_enum fromHost(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum fromChannel(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

    RecorderRequest request_;
    std::size_t chosen_ = 0;
    std::unordered_set<const tlm::tlm_generic_payload*> underWay_; // chosen and not finished
    std::vector<RecordedOperation> operations_;
};

} // namespace strobe::pins
