// SPDX-License-Identifier: Apache-2.0
#include "platform/app/json_output.h"

#include "platform/app/commands.h"
#include "platform/app/output_file.h"

namespace strobe::platform {

JsonOutput::JsonOutput(const std::string& path)
    : isOnOutput_(path == "-"), file_(path.empty() || isOnOutput_ ? nullptr : std::make_unique<OutputFile>(path))
{
}

JsonOutput::~JsonOutput() = default;

void JsonOutput::commit(const std::string& json, const std::string& text)
{
    if (file_)
        file_->commit(json);
    printOut(isOnOutput_ ? json : text);
}

} // namespace strobe::platform
