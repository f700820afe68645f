// SPDX-License-Identifier: Apache-2.0
#include "platform/report/throughput.h"

#include "models/base/content.h"

namespace strobe::platform {

double perSecond(double amount, Time time)
{
    return time > Time{} ? amount / toSeconds(time) : 0;
}

void Throughput::declare(Statistics& stats) const
{
    stats.derive("requests", Unit::Count, "requests completed", requests);
    stats.derive("bytes", Unit::Bytes, "what they transferred or trimmed; of all kinds together: read and written",
                 bytes);
    stats.derive("iops", Unit::PerSecond, "requests per second", iops());
    stats.derive("megabytes_per_second", Unit::MegabytesPerSecond, "these bytes per second, in 10^6",
                 megabytesPerSecond());
    stats.derive("mebibytes_per_second", Unit::MebibytesPerSecond, "the same, in 2^20", mebibytesPerSecond());
}

double EnergyUse::joulePerByte() const
{
    return bytes == 0 ? 0 : joule / static_cast<double>(bytes);
}

double EnergyUse::joulePerSector() const
{
    return bytes == 0 ? 0 : joule * sectorBytes / static_cast<double>(bytes);
}

void EnergyUse::declare(Statistics& stats) const
{
    stats.derive("total", Unit::Joule, "energy of all components in the measured time", joule);
    stats.derive("mean", Unit::Watt, "mean power of the drive", watt());
    stats.derive("joule_per_byte", Unit::JoulePerByte,
                 "energy for a byte that the host read or wrote; 0 without reads and writes", joulePerByte());
    stats.derive("joule_per_sector", Unit::JoulePerSector, "the same for a sector", joulePerSector());
}

void EnergyUse::declareComponent(Statistics& stats) const
{
    stats.derive("joule", Unit::Joule, "energy of the component in the measured time", joule);
    stats.derive("joule_per_sector", Unit::JoulePerSector, "the same for a sector that the host read or wrote",
                 joulePerSector());
}

void PowerStateReport::declare(Statistics& stats) const
{
    stats.derive("rated", Unit::Watt, "power of the state; of state 0 the most that the drive takes", watt);
    stats.derive("time", Unit::Duration, "measured time in the state", time);
    stats.derive("entries", Unit::Count, "times that it was entered", entries);
    stats.derive("joule", Unit::Joule, "energy that the drive took in it", joule);
}

} // namespace strobe::platform
