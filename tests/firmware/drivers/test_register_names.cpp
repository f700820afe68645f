// SPDX-License-Identifier: Apache-2.0
//
// Firmware and models give the values of fields their own names; both mean the same numbers.
#include "models/controller/descriptor.h"
#include "models/host/command_port.h"
#include "models/host/host_interface.h"
#include "models/host/request.h"
#include "models/nand/operation.h"
#include "tests/support/catch.h"

// Last: the macros of strobe_regs.h have names of constants in the C++ headers.
#include "firmware/regs/strobe_regs.h"

using namespace strobe;

namespace {

template <typename Model, typename Name>
bool same(Model model, Name name)
{
    return static_cast<int>(model) == static_cast<int>(name);
}

} // namespace

TEST_CASE("opcodes, statuses and purposes of operations have the values of the controller")
{
    using controller::StatusCode;
    using controller::SuperchipOpcode;
    using nand::Purpose;
    CHECK(same(SuperchipOpcode::Read, FLASH_READ));
    CHECK(same(SuperchipOpcode::Program, FLASH_PROGRAM));
    CHECK(same(SuperchipOpcode::Erase, FLASH_ERASE));
    CHECK(same(SuperchipOpcode::CopyBack, FLASH_COPYBACK));

    CHECK(same(StatusCode::Pending, FLASH_PENDING));
    CHECK(same(StatusCode::Ok, FLASH_OK));
    CHECK(same(StatusCode::ProgramFailed, FLASH_PROGRAM_FAILED));
    CHECK(same(StatusCode::EraseFailed, FLASH_ERASE_FAILED));
    CHECK(same(StatusCode::Uncorrectable, FLASH_UNCORRECTABLE));
    CHECK(same(StatusCode::Illegal, FLASH_ILLEGAL));
    CHECK(same(StatusCode::Malformed, FLASH_MALFORMED));

    CHECK(same(Purpose::Host, FLASH_FOR_HOST));
    CHECK(same(Purpose::Merge, FLASH_FOR_MERGE));
    CHECK(same(Purpose::GarbageCollection, FLASH_FOR_COLLECTION));
    CHECK(same(Purpose::WearLevelling, FLASH_FOR_WEAR));
    CHECK(same(Purpose::BlockReplacement, FLASH_FOR_REPLACEMENT));
    CHECK(same(Purpose::Metadata, FLASH_FOR_METADATA));
    CHECK(same(Purpose::Refresh, FLASH_FOR_REFRESH));
}

TEST_CASE("statuses of host commands and events have the values of the host interface")
{
    using host::CommandStatus;
    CHECK(same(CommandStatus::Ok, HOST_OK));
    CHECK(same(CommandStatus::Uncorrectable, HOST_UNCORRECTABLE));
    CHECK(same(CommandStatus::OutOfRange, HOST_OUT_OF_RANGE));
    CHECK(same(CommandStatus::NotSupported, HOST_NOT_SUPPORTED));
    CHECK(same(CommandStatus::DeviceFault, HOST_DEVICE_FAULT));
    CHECK(same(CommandStatus::ZoneBoundary, HOST_ZONE_BOUNDARY));
    CHECK(same(CommandStatus::ZoneFull, HOST_ZONE_FULL));
    CHECK(same(CommandStatus::ZoneReadOnly, HOST_ZONE_READ_ONLY));
    CHECK(same(CommandStatus::ZoneOffline, HOST_ZONE_OFFLINE));
    CHECK(same(CommandStatus::ZoneInvalidWrite, HOST_ZONE_INVALID_WRITE));
    CHECK(same(CommandStatus::TooManyActiveZones, HOST_ZONE_TOO_MANY_ACTIVE));
    CHECK(same(CommandStatus::TooManyOpenZones, HOST_ZONE_TOO_MANY_OPEN));
    CHECK(same(CommandStatus::InvalidZoneTransition, HOST_ZONE_INVALID_TRANSITION));

    CHECK(same(host::eventCommandArrived, HOST_EVENT_COMMAND));
    CHECK(same(host::eventTransferDone, HOST_EVENT_TRANSFER));
    CHECK(same(host::eventSectorsBuffered, HOST_EVENT_FED));
    CHECK(same(host::eventSupplyFails, HOST_EVENT_SUPPLY_FAILS));
}

TEST_CASE("kinds of host commands count as those of the host do, from one")
{
    CHECK(same(static_cast<int>(host::RequestKind::Read) + 1, HOST_READ));
    CHECK(same(static_cast<int>(host::RequestKind::Write) + 1, HOST_WRITE));
    CHECK(same(static_cast<int>(host::RequestKind::Flush) + 1, HOST_FLUSH));
    CHECK(same(static_cast<int>(host::RequestKind::Trim) + 1, HOST_TRIM));
    CHECK(same(static_cast<int>(host::RequestKind::Append) + 1, HOST_APPEND));
    CHECK(same(static_cast<int>(host::RequestKind::OpenZone) + 1, HOST_ZONE_OPEN));
    CHECK(same(static_cast<int>(host::RequestKind::CloseZone) + 1, HOST_ZONE_CLOSE));
    CHECK(same(static_cast<int>(host::RequestKind::FinishZone) + 1, HOST_ZONE_FINISH));
    CHECK(same(static_cast<int>(host::RequestKind::UpdatePlacement) + 1, HOST_PLACEMENT_UPDATE));
    CHECK(same(static_cast<int>(host::RequestKind::ResetZone) + 1, HOST_ZONE_RESET));
}
