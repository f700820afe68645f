#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An operation source on the NAND wires (models/nand/protocol.h), where a flash controller would be: one socket per
// channel. Begins at the present instant; reports when the measured part begins, and when everything is finished.

#include "models/nand/protocol.h"
#include "models/operations/operation_source.h"
#include "models/tlm/agenda.h"
#include "models/tlm/payload_pool.h"

#include <functional>
#include <systemc>

namespace strobe::operations {

class OperationSourceModule : public sc_core::sc_module {
public:
    sc_core::sc_vector<nand::InitiatorSocketTagged<OperationSourceModule>> channels;

    // `source` must outlive the module.
    OperationSourceModule(const sc_core::sc_module_name& name, OperationSource& source, std::uint32_t channelCount);

    void onMeasuring(std::function<void()> call) { onMeasuring_ = std::move(call); }
    void onFinished(std::function<void()> call) { onFinished_ = std::move(call); }
    bool isFinished() const { return isFinished_; }

private:
    struct Transaction : nand::OperationExtension {
        std::uint32_t slot = 0;
    };

    tlm::tlm_sync_enum fromChannel(int channel, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
    void step();
    void pump(ChannelId channel);

    OperationSource& source_;
    PayloadPool<Transaction> pool_;
    std::function<void()> onMeasuring_;
    std::function<void()> onFinished_;
    bool isFinished_ = false;
    Wake wake_ = Wake::calls<&OperationSourceModule::step>(*this);
};

} // namespace strobe::operations
