#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The flash of a drive on its wires: a module around each die, a channel for each bus, and the dies bound to their
// channels. Upstream the channels' host sockets are free, for a flash controller or an operation source.

#include "models/channel/channel_module.h"
#include "models/nand/die_module.h"
#include "platform/assembly/dies.h"
#include "platform/config/scenario.h"

#include <memory>

namespace strobe::platform {

using DieModules = IdVector<DieId, std::unique_ptr<nand::DieModule>>;
using ChannelModules = IdVector<ChannelId, std::unique_ptr<channel::ChannelModule>>;

DieModules makeDieModules(DieArray& dies); // the dies must outlive them
ChannelModules makeChannels(const Scenario& scenario, DieModules& dies);

} // namespace strobe::platform
