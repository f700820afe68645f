// SPDX-License-Identifier: Apache-2.0
//
// A scenario file: JSON, composition, reading, resolution. Input: the file.
#include "models/base/config_error.h"
#include "platform/config/load.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const strobe::fuzz::InputFile file(".json");
    file.write(strobe::fuzz::textOf(data, size));
    strobe::platform::LoadOptions options;
    options.scenariosDirectory = STROBE_SOURCE "/scenarios";
    try {
        strobe::platform::loadScenario(file.name(), options);
    } catch (const strobe::ConfigError&) {
    }
    return 0;
}
