// SPDX-License-Identifier: Apache-2.0
#include "platform/app/kernel_options.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace strobe::platform {

namespace {

constexpr std::size_t mostCharacters = 1024; // the kernel's command line has 2,048, with the front's own options

struct Allowed {
    std::string_view prefix;
    enum class Drive : std::uint8_t { Any, Nvme, Sata } drive;
};
constexpr std::array<Allowed, 7> allowedTable{{{"nvme.", Allowed::Drive::Nvme},
                                               {"nvme_core.", Allowed::Drive::Nvme},
                                               {"ahci.", Allowed::Drive::Sata},
                                               {"libahci.", Allowed::Drive::Sata},
                                               {"libata.", Allowed::Drive::Sata},
                                               {"scsi_mod.", Allowed::Drive::Sata},
                                               {"sysctl.vm.", Allowed::Drive::Any}}};

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

bool isValueCharacter(char c)
{
    return isNameCharacter(c) || std::string_view("-+,:/").find(c) != std::string_view::npos;
}

bool isWellFormed(std::string_view option)
{
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos)
        return false;
    const std::string_view name = option.substr(0, equals);
    const std::string_view value = option.substr(equals + 1);
    return !value.empty() && std::all_of(name.begin(), name.end(), isNameCharacter) &&
           std::all_of(value.begin(), value.end(), isValueCharacter);
}

bool isFor(const Allowed& allowed, HostProtocol protocol)
{
    const bool isNvme = protocol == HostProtocol::Nvme;
    return allowed.drive == Allowed::Drive::Any || (allowed.drive == Allowed::Drive::Nvme) == isNvme;
}

bool isAllowed(std::string_view option, HostProtocol protocol)
{
    return std::any_of(allowedTable.begin(), allowedTable.end(), [option, protocol](const Allowed& allowed) {
        const std::string_view prefix = allowed.prefix;
        return isFor(allowed, protocol) && option.substr(0, prefix.size()) == prefix &&
               option.substr(0, option.find('=')).size() > prefix.size();
    });
}

std::string allowedText(HostProtocol protocol)
{
    std::string text;
    for (const Allowed& allowed : allowedTable) {
        if (isFor(allowed, protocol))
            text += fmt::format("{}{}*", text.empty() ? "" : ", ", allowed.prefix);
    }
    return text;
}

} // namespace

void checkKernelOptions(const std::vector<std::string>& options, HostProtocol protocol)
{
    std::size_t characters = 0;
    for (const std::string& option : options) {
        if (!isWellFormed(option))
            throw ConfigError(fmt::format("--kernel-option: \"{}\": must be NAME=VALUE, without white space and "
                                          "quotation marks, for instance nvme.write_queues=1",
                                          option));
        if (!isAllowed(option, protocol))
            throw ConfigError(fmt::format("--kernel-option: {}: the other options of the kernel are those of the "
                                          "front; with this drive, the name must be one of {}",
                                          option, allowedText(protocol)));
        characters += option.size() + 1;
    }
    if (characters > mostCharacters)
        throw ConfigError(
            fmt::format("--kernel-option: {} characters in all; must be {} or less", characters, mostCharacters));
}

} // namespace strobe::platform
