#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An NVMe drive as a component of any SystemC platform: the SSD of a scenario with its firmware, an NVMe 1.4
// controller and the device's end of a PCI Express link.
//
//   registers  target, 32 bits wide, b_transport: BAR 0 with addresses from 0 to registerBytes - 1 (registers from 0,
//              doorbells from 0x1000, MSI-X table at 0x2000, its pending bits at 0x3000). Accesses of 4 or 8 bytes,
//              aligned to their length. Address error for what is outside or misaligned, burst error for other lengths
//              and for streaming, byte-enable error for byte enables. transport_dbg reads without side effects and
//              writes nothing. No DMI.
//   configuration  target, 32 bits wide, b_transport, need not be bound: configuration space, addresses from 0 to
//   0xFFF.
//              Accesses of 1, 2 or 4 bytes, aligned to their length; otherwise as registers. BAR 0 holds what software
//              writes into it and does not move the registers, whose addresses are those of the socket. Memory space
//              and bus master are on from the start, as platform firmware would leave them.
//   dma        initiator, 32 bits wide, b_transport: queues, PRP lists and data in memory that the platform owns, and
//              MSI-X messages as writes of 4 bytes. Addresses are those that the driver put into registers, queue
//              entries and lists. A transaction is contiguous, at most a memory page (CC.MPS) of data or 4 KiB of
//              anything else, without byte enables. An error response to a data access completes the command with
//              Data Transfer Error, to a queue access sets CSTS.CFS. No DMI is requested.
//   interrupt  level of the pin INTx (vector 0, masked by INTMS) while MSI-X is off. With MSI-X, enabled in
//              configuration space or by setMsix(true): messages.
//
// Timing (loosely timed, exact within the models): a register write is posted; b_transport returns at once and the
// write takes effect when its packet has crossed the link. A register read waits in b_transport until its completion is
// back and returns the value of that instant. Both first wait for the annotated delay, so they must be called from a
// thread process. DMA is timed by the link model (host.nvme in the scenario: lanes, generation, latency,
// memoryLatency). The data moves in one instant, therefore a delay that the memory annotates is ignored. A memory that
// calls wait() stalls the controller for that time.
//
// The scenario: a device, or any file with one; its host.interface must be nvme. The workload and host.nvme.submit,
// interrupt, queues and arbitration describe a host and have no effect here. Sectors always carry their bytes
// ("data": "bytes"). Power cuts and saving of contents are refused, loading of contents works.
//
// Not modelled: BAR relocation, function-level reset, power states, several functions or namespaces, SGLs. CC.EN resets
// the NVMe controller only: firmware starts at time zero, and CSTS.RDY rises once firmware has enabled its port.
//
// Errors: the constructor throws ConfigError (models/base/config_error.h) with one line per problem. Firmware that
// fails stops the simulation (sc_stop) and is reported with SC_REPORT_ERROR "/strobe/device"; check() throws the same
// error.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

// find_package(strobe) defines both for targets that link strobe::device.
#ifndef STROBE_SCENARIOS_DIRECTORY
#define STROBE_SCENARIOS_DIRECTORY ""
#define STROBE_FIRMWARE_DIRECTORY ""
#endif

namespace strobe {

namespace platform {
class SsdModule;
}

struct SsdDeviceOptions {
    std::vector<std::string> sets;                                           // "nand.ways=8", applied in order
    std::function<void(sc_core::sc_time at, std::string_view line)> console; // lines of firmware's console
};

// Directories that names of scenarios and firmware images refer to. Empty: those of the running program, if it is
// installed with Strobe. The environment variable STROBE_SCENARIOS has precedence over `scenarios`.
struct SsdDeviceFiles {
    std::string scenarios;
    std::string firmware;
};

class SsdDevice : public sc_core::sc_module {
public:
    static constexpr std::uint64_t registerBytes = 0x4000;
    static constexpr std::uint64_t configurationBytes = 0x1000;

    tlm_utils::simple_target_socket<SsdDevice> registers{"registers"};
    tlm_utils::simple_target_socket_optional<SsdDevice> configuration{"configuration"};
    tlm_utils::simple_initiator_socket<SsdDevice> dma{"dma"};
    sc_core::sc_out<bool> interrupt{"interrupt"};

    // `scenario`: a path, or a name below the scenarios directory ("devices/nvme-mlc-8x4").
    SsdDevice(const sc_core::sc_module_name& name, const std::string& scenario, const SsdDeviceOptions& options = {},
              const SsdDeviceFiles& files = {STROBE_SCENARIOS_DIRECTORY, STROBE_FIRMWARE_DIRECTORY});
    ~SsdDevice() override;

    // The MSI-X control bits of configuration space, for drivers that do not access it.
    void setMsix(bool isEnabled, bool isMasked = false);
    std::uint64_t capacitySectors() const;    // of 512 bytes; 0 until firmware has enabled the port
    void check() const;                       // throws the error that stopped firmware, if any
    const platform::SsdModule& drive() const; // for inspection: platform/assembly/ssd_module.h

private:
    void end_of_simulation() override;
    void accessRegister(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned int peekRegister(tlm::tlm_generic_payload& payload);
    void accessConfiguration(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned int peekConfiguration(tlm::tlm_generic_payload& payload);

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace strobe
