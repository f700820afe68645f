#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The process of a User-Mode Linux kernel with everything that it starts, in a process group of its own: the group is
// ended with this object, and by a second process if this program dies. Its console is a pipe that does not block.

#include "platform/guest/socket.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace strobe::platform::guest {

class GuestProcess {
public:
    // Throws ConfigError if the program cannot be started in the directory.
    GuestProcess(const std::string& program, const std::vector<std::string>& arguments, const std::string& directory);
    ~GuestProcess();
    GuestProcess(const GuestProcess&) = delete;
    GuestProcess& operator=(const GuestProcess&) = delete;

    int console() const { return console_.get(); }
    // What has been printed since the last call; nothing: the process and its children are gone.
    std::optional<std::string> takeOutput();
    void end(); // at once; without effect if it has ended

private:
    void watch();

    FileDescriptor console_;
    FileDescriptor life_; // of this program: closed when it dies
    pid_t process_ = -1;
    pid_t watcher_ = -1;
};

} // namespace strobe::platform::guest
