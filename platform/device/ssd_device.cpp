// SPDX-License-Identifier: Apache-2.0
#include "platform/device/ssd_device.h"

#include "models/base/config_error.h"
#include "models/host/nvme/nvme_format.h"
#include "models/tlm/agenda.h"
#include "models/tlm/sanitizer_stack.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/dies.h"
#include "platform/assembly/drive_file.h"
#include "platform/assembly/drive_health.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/ssd_module.h"
#include "platform/config/installation.h"
#include "platform/device/device_scenario.h"
#include "platform/device/dma_memory.h"
#include "platform/device/nvme_function.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>

namespace strobe {

static_assert(SsdDevice::registerBytes == host::nvme::reg::barBytes);

namespace {

constexpr const char* reportId = "/strobe/device";

SsdDeviceFiles resolve(SsdDeviceFiles files)
{
    if (const auto installed = platform::installationOf(platform::runningProgram())) {
        if (files.scenarios.empty())
            files.scenarios = installed->scenarios;
        if (files.firmware.empty())
            files.firmware = installed->firmware;
    }
    if (const char* given = std::getenv("STROBE_SCENARIOS"))
        files.scenarios = given;
    return files;
}

} // namespace

struct SsdDevice::Parts {
    Parts(SsdDevice& device, const std::string& file, const SsdDeviceOptions& options, const SsdDeviceFiles& files);

    platform::Scenario scenario;
    std::shared_ptr<Agenda> agenda = Agenda::ofContext(); // before the modules that it wakes
    platform::DieArray dies;
    bool isUsed; // the drive was switched on before, in the run that saved its contents
    platform::SsdModule ssd;
    platform::DmaMemory memory;
    platform::NvmeFunction function;

private:
    host::nvme::ControllerOptions controllerConfig() const;
};

namespace {

bool loadContents(const platform::Scenario& scenario, platform::DieArray& dies)
{
    platform::UserRecord known; // of Strobe's own host
    return platform::loadDriveFile(scenario, platform::DriveUser::Firmware, dies, known);
}

cpu::LineListener consoleOf(const SsdDeviceOptions& options)
{
    if (!options.console)
        return [](Time, std::string_view) {};
    return [print = options.console](Time at, std::string_view line) { print(toSc(at), line); };
}

} // namespace

SsdDevice::Parts::Parts(SsdDevice& device, const std::string& file, const SsdDeviceOptions& options,
                        const SsdDeviceFiles& files)
    : scenario(platform::loadDeviceScenario(file, options.sets, files.scenarios)), dies(platform::makeDies(scenario)),
      isUsed(loadContents(scenario, dies)),
      ssd("ssd", scenario, dies, isUsed ? platform::PowerOn::AfterLoss : platform::PowerOn::First,
          platform::findFirmwareImage(scenario.firmware, files.firmware), consoleOf(options)),
      memory(device.dma),
      function(
          "nvme", scenario.host.nvme.pcie, controllerConfig(), memory,
          [this](std::uint64_t address, std::uint32_t data) { memory.write(address, &data, sizeof data); },
          [&device](bool isAsserted) { device.interrupt.write(isAsserted); })
{
    ssd.hostInterface.connect(function);
    function.connect(ssd.hostInterface);
}

host::nvme::ControllerOptions SsdDevice::Parts::controllerConfig() const
{
    host::nvme::ControllerOptions config;
    config.hasVolatileCache = scenario.firmware.writeCache == platform::WriteCache::Volatile;
    config.namespaces = scenario.host.nvme.namespaces;
    config.powerStates = scenario.host.nvme.powerStates;
    config.writeCommands = scenario.host.nvme.writeCommands;
    config.health = [this] { return platform::healthOf(platform::diesOf(dies), scenario.firmware.spareBlocks); };
    return config;
}

SsdDevice::SsdDevice(const sc_core::sc_module_name& name, const std::string& scenario, const SsdDeviceOptions& options,
                     const SsdDeviceFiles& files)
    : sc_module(name)
{
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
        throw ConfigError("SsdDevice: the time resolution must be 1 ps, SystemC's default");
    parts_ = std::make_unique<Parts>(*this, scenario, options, resolve(files));
    registers.register_b_transport(this, &SsdDevice::accessRegister);
    registers.register_transport_dbg(this, &SsdDevice::peekRegister);
    configuration.register_b_transport(this, &SsdDevice::accessConfiguration);
    configuration.register_transport_dbg(this, &SsdDevice::peekConfiguration);
}

SsdDevice::~SsdDevice() = default;

void SsdDevice::setMsix(bool isEnabled, bool isMasked)
{
    parts_->function.setMsix(isEnabled, isMasked);
}

std::uint64_t SsdDevice::capacitySectors() const
{
    return parts_->ssd.hostInterface.capacitySectors();
}

const platform::SsdModule& SsdDevice::drive() const
{
    return parts_->ssd;
}

void SsdDevice::check() const
{
    try {
        parts_->ssd.rethrowFault();
    } catch (const cpu::FirmwareEnded&) { // regularly
    }
}

void SsdDevice::end_of_simulation()
{
    restoreSanitizerStack();
    try {
        check();
    } catch (const std::exception& error) {
        SC_REPORT_ERROR(reportId, error.what());
    }
}

namespace {

tlm::tlm_response_status verdictOn(const tlm::tlm_generic_payload& payload, std::initializer_list<unsigned> lengths,
                                   std::uint64_t end)
{
    const unsigned bytes = payload.get_data_length();
    if (payload.get_byte_enable_ptr() != nullptr)
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (std::find(lengths.begin(), lengths.end(), bytes) == lengths.end() || payload.get_streaming_width() < bytes)
        return tlm::TLM_BURST_ERROR_RESPONSE;
    if (payload.get_address() % bytes != 0 || payload.get_address() >= end)
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status registerVerdict(const tlm::tlm_generic_payload& payload)
{
    return verdictOn(payload, {4, 8}, SsdDevice::registerBytes);
}

tlm::tlm_response_status configurationVerdict(const tlm::tlm_generic_payload& payload)
{
    return verdictOn(payload, {1, 2, 4}, SsdDevice::configurationBytes);
}

// From a thread process: the delay of an initiator that runs ahead.
void waitFor(sc_core::sc_time& delay)
{
    if (delay > sc_core::SC_ZERO_TIME)
        sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
}

} // namespace

void SsdDevice::accessRegister(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    payload.set_response_status(registerVerdict(payload));
    if (!payload.is_response_ok())
        return;
    waitFor(delay);
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    const unsigned bytes = payload.get_data_length();
    std::uint64_t value = 0;
    if (payload.is_write()) {
        std::memcpy(&value, payload.get_data_ptr(), bytes);
        parts_->function.writeRegister(offset, bytes, value);
    } else if (payload.is_read()) {
        value = parts_->function.readRegister(offset, bytes);
        std::memcpy(payload.get_data_ptr(), &value, bytes);
    }
}

unsigned int SsdDevice::peekRegister(tlm::tlm_generic_payload& payload)
{
    if (!payload.is_read() || registerVerdict(payload) != tlm::TLM_OK_RESPONSE)
        return 0;
    const unsigned bytes = payload.get_data_length();
    const std::uint64_t value = parts_->function.peekRegister(static_cast<std::uint32_t>(payload.get_address()), bytes);
    std::memcpy(payload.get_data_ptr(), &value, bytes);
    return bytes;
}

void SsdDevice::accessConfiguration(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    payload.set_response_status(configurationVerdict(payload));
    if (!payload.is_response_ok())
        return;
    waitFor(delay);
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    const unsigned bytes = payload.get_data_length();
    std::uint32_t value = 0;
    if (payload.is_write()) {
        std::memcpy(&value, payload.get_data_ptr(), bytes);
        parts_->function.writeConfig(offset, bytes, value);
    } else if (payload.is_read()) {
        value = parts_->function.readConfig(offset, bytes);
        std::memcpy(payload.get_data_ptr(), &value, bytes);
    }
}

unsigned int SsdDevice::peekConfiguration(tlm::tlm_generic_payload& payload)
{
    if (!payload.is_read() || configurationVerdict(payload) != tlm::TLM_OK_RESPONSE)
        return 0;
    const unsigned bytes = payload.get_data_length();
    const std::uint32_t value = parts_->function.peekConfig(static_cast<std::uint32_t>(payload.get_address()), bytes);
    std::memcpy(payload.get_data_ptr(), &value, bytes);
    return bytes;
}

} // namespace strobe
