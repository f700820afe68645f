#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Data movement of NVMe I/O commands, as firmware orders it: to the host as memory writes, to the drive by memory
// reads, cut at the memory pages of the command. Transfers are cut-through: the link and the drive's memory work at the
// same time. Each transfer ends with PciePort::Arrival::Kind::Transfer. Not modelled: metadata, SGLs, data in a
// controller memory buffer.

#include "models/base/content.h"
#include "models/host/command_port.h"
#include "models/host/nvme/nvme_pcie_port.h"
#include "models/host/nvme/nvme_prp.h"

#include <cstddef>
#include <vector>

namespace strobe::host::nvme {

class DataMover {
public:
    DataMover(DataMode mode, PciePort& port, HostMemory& memory) : mode_(mode), port_(port), memory_(memory) {}
    void connect(BufferAccess& drive) { drive_ = &drive; } // once, before any transfer
    DataMode mode() const { return mode_; }

    // Returns false if a page is not in host memory; the transfer ends as usual. `isDropped`: nothing is written to
    // host memory, because the controller was reset; the link is used nevertheless. The data of a write comes from the
    // host all the same, which leaves it alone until CSTS.RDY falls: otherwise the drive would store something else.
    bool toHost(const PrpPages& pages, const TransferOrder& order, bool isDropped, Time now);
    void requestFromHost(const PrpPages& pages, const TransferOrder& order, Time now);
    bool fromHost(const PrpPages& pages, const PciePort::Read& read, Time now); // its first byte has arrived
    // Data of the host that arrives is compared with the drive's, which goes nowhere.
    enum class Comparison : std::uint8_t { Equal, Different, Unreachable };
    Comparison compare(const PrpPages& pages, const PciePort::Read& read, bool isDropped, Time now);
    void zeroes(const TransferOrder& order, Time now); // without the link
    // The same between the drive and `content`, which holds the sectors of the order.
    void inside(const TransferOrder& order, Content content, Time now);

private:
    Content staged(std::uint32_t sectors);

    DataMode mode_;
    PciePort& port_;
    HostMemory& memory_;
    BufferAccess* drive_ = nullptr;
    std::vector<std::byte> staging_;
};

} // namespace strobe::host::nvme
