#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The commands that a drive gets from software in front of it, as a trace in a file: fio's iolog, version 3.

#include "models/host/command_port.h"
#include "models/host/workload/iolog_writer.h"
#include "platform/app/output_file.h"

#include <string>
#include <string_view>

namespace strobe::platform {

class CommandRecord {
public:
    explicit CommandRecord(const std::string& path)
        : file_(path), writer_([this](std::string_view text) { file_.write(text); }, Time{})
    {
    }
    void add(const host::Command& command, Time at)
    {
        host::Request request;
        request.kind = command.kind;
        request.fua = command.fua;
        request.lba = command.lba;
        request.sectors = command.sectors;
        writer_.add(request, at);
        last_ = at;
    }
    void commit()
    {
        writer_.end(last_);
        file_.commit();
    }

private:
    OutputFile file_;
    host::IologWriter writer_;
    Time last_{};
};

} // namespace strobe::platform
