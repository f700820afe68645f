// SPDX-License-Identifier: Apache-2.0
#include "models/operations/operation_source_module.h"

#include "models/base/check.h"
#include "models/tlm/time_bridge.h"

namespace strobe::operations {

OperationSourceModule::OperationSourceModule(const sc_core::sc_module_name& name, OperationSource& source,
                                             std::uint32_t channelCount)
    : sc_module(name), channels("channel", channelCount), source_(source)
{
    for (std::size_t i = 0; i < channels.size(); ++i)
        channels[i].register_nb_transport_bw(this, &OperationSourceModule::fromChannel, static_cast<int>(i));
    wake_.at(Time{});
}

// Everything that can end or begin a phase.
void OperationSourceModule::step()
{
    while (source_.isPhaseOver()) {
        if (source_.isMeasuring()) {
            if (!isFinished_ && onFinished_)
                onFinished_();
            isFinished_ = true;
            return;
        }
        source_.beginMeasuring(now());
        if (onMeasuring_)
            onMeasuring_();
    }
    for (std::size_t i = 0; i < channels.size(); ++i)
        pump(ChannelId{static_cast<std::uint16_t>(i)});
}

void OperationSourceModule::pump(ChannelId channel)
{
    while (auto issue = source_.next(channel)) {
        tlm::tlm_generic_payload& payload = pool_.acquire();
        Transaction& transaction = *payload.get_extension<Transaction>();
        static_cast<nand::Operation&>(transaction) = issue->op;
        transaction.slot = issue->slot;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const tlm::tlm_sync_enum answer = channels[raw(channel)]->nb_transport_fw(payload, phase, delay);
        check(answer == tlm::TLM_ACCEPTED || (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ),
              "a channel answers BEGIN_REQ with TLM_ACCEPTED or END_REQ");
    }
}

tlm::tlm_sync_enum OperationSourceModule::fromChannel(int channel, tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& phase, sc_core::sc_time&)
{
    if (phase == tlm::END_REQ)
        return tlm::TLM_ACCEPTED;
    check(phase == tlm::BEGIN_RESP, "a channel may send END_REQ and BEGIN_RESP");
    const Transaction& transaction = *payload.get_extension<Transaction>();
    source_.finished(transaction.slot, transaction);
    payload.release();
    if (source_.isPhaseOver())
        wake_.at(now());
    else
        pump(ChannelId{static_cast<std::uint16_t>(channel)});
    return tlm::TLM_COMPLETED;
}

} // namespace strobe::operations
