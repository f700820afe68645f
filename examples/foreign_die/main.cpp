// SPDX-License-Identifier: Apache-2.0
//
// Four dies that are not Strobe's on a channel that is. The die below uses only the NAND protocol
// (models/nand/protocol.h); it has its own storage and its own array times and answers on the backward path, from a
// thread. A source issues a random mix of programs, reads and erases and checks every page read.

#include "models/channel/channel_module.h"
#include "models/nand/protocol.h"
#include "models/operations/operation_plan.h"
#include "models/operations/operation_source_module.h"
#include "models/tlm/time_bridge.h"

#include <cstdio>
#include <map>
#include <memory>

using namespace strobe;
using namespace std::chrono_literals;

class MyDie : public sc_core::sc_module {
public:
    nand::TargetSocket<MyDie> socket{"socket"};

    explicit MyDie(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.register_nb_transport_fw(this, &MyDie::fromChannel);
        SC_THREAD(run);
    }
    SC_HAS_PROCESS(MyDie);

private:
    using Page = std::vector<std::byte>;

    tlm::tlm_sync_enum fromChannel(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&)
    {
        nand::Operation& op = nand::operationOf(payload);
        if (phase == tlm::BEGIN_REQ) { // the request is on the bus until op.requestEnd
            payload.acquire();
            payload_ = &payload;
            requested_.notify(toSc(op.requestEnd - now()));
            return tlm::TLM_ACCEPTED;
        }
        if (op.opcode == nand::Opcode::Read) // END_RESP: the data has left on the bus
            fetch(op);
        payload.release();
        return tlm::TLM_COMPLETED;
    }
    void run()
    {
        for (;;) {
            wait(requested_);
            nand::Operation& op = nand::operationOf(*payload_);
            op.status = nand::Status::Ok;
            op.ready = op.arrayEnd = now() + carryOut(op);
            op.statusByte = 0xC0; // ready, not write-protected
            payload_->set_response_status(tlm::TLM_OK_RESPONSE);
            send(tlm::END_REQ);
            wait(toSc(op.ready - now()));
            send(tlm::BEGIN_RESP); // R/B# rises; the channel sends END_RESP after the response
        }
    }
    void send(tlm::tlm_phase phase)
    {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_bw(*payload_, phase, delay);
    }
    Time carryOut(const nand::Operation& op) // returns the array time
    {
        const std::pair<std::uint32_t, std::uint32_t> address{op.target.block, op.target.page};
        switch (op.opcode) {
        case nand::Opcode::Program:
            pages_[address] = Page(op.data.data, op.data.data + op.sectors * sectorBytes);
            return op.target.page % 2 == 0 ? 250us : 700us; // fast and slow pages
        case nand::Opcode::Erase:
            pages_.erase(pages_.lower_bound({op.target.block, 0}), pages_.lower_bound({op.target.block + 1, 0}));
            return 2ms;
        default: return 45us;
        }
    }
    void fetch(nand::Operation& op) const
    {
        const auto page = pages_.find({op.target.block, op.target.page});
        op.blank = page == pages_.end();
        if (op.blank)
            clearSectors(op.data, op.sectors);
        else
            std::copy(page->second.begin(), page->second.end(), op.data.data);
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, Page> pages_;
    tlm::tlm_generic_payload* payload_ = nullptr; // one operation at a time
    sc_core::sc_event requested_{"requested"};
};

int sc_main(int, char*[])
{
    constexpr std::uint32_t dieCount = 4;
    nand::Part part; // the bus needs geometry and address cycles; array times are the die's own
    part.geometry = {1, 64, 64, 4096, 128};
    channel::InterfaceTiming timing;
    timing.cycle = 10ns;
    const channel::BusSchedule schedule(timing, part);
    channel::ChannelModule bus("channel", ChannelId{0}, schedule, dieCount, channel::SegmentOrder::CommandsFirst);
    std::vector<std::unique_ptr<MyDie>> dies;
    for (std::uint32_t i = 0; i < dieCount; ++i) {
        dies.push_back(std::make_unique<MyDie>(("die" + std::to_string(i)).c_str()));
        bus.dies[i].bind(dies[i]->socket);
    }

    operations::OperationsConfig mix;
    mix.reads = 600;
    mix.programs = 300;
    mix.erases = 8;
    mix.queueDepth = 8;
    const nand::ArrayGeometry array{1, dieCount, 1};
    operations::OperationSource source(
        {array, part.geometry, DataMode::Bytes, mix.queueDepth, 0},
        operations::makePlan(mix, array, part.geometry, 1, [](DieId, std::uint32_t) { return true; }));
    operations::OperationSourceModule module("source", source, 1);
    module.channels[0].bind(bus.host);
    module.onFinished([] { sc_core::sc_stop(); });
    sc_core::sc_start();

    for (const nand::Opcode opcode : {nand::Opcode::Read, nand::Opcode::Program, nand::Opcode::Erase}) {
        const operations::OpcodeResult& result = source.result(opcode);
        std::printf("%-8s %4llu, mean latency %.1f us\n", std::string(enumName(opcode)).c_str(),
                    static_cast<unsigned long long>(result.count),
                    static_cast<double>(result.latency.count()) / static_cast<double>(result.count) * 1e-6);
    }
    std::printf("problems: %llu\n", static_cast<unsigned long long>(source.problems()));
    return source.problems() == 0 && module.isFinished() ? 0 : 1;
}
