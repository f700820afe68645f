// SPDX-License-Identifier: Apache-2.0
//
// libsystemc provides a main() that prints a banner and calls sc_main(); this main() replaces it and prints nothing.
// Everything that builds modules runs inside sc_main, as SystemC requires.
#include "platform/app/command_line.h"
#include "platform/app/commands.h"
#include "platform/app/large_pages.h"

#include <systemc>

#include <cstdlib>
#include <new>

namespace strobe::platform {

Program programInfo()
{
    return {STROBE_VERSION, STROBE_REVISION, sc_core::sc_version(), STROBE_BUILD};
}

} // namespace strobe::platform

int sc_main(int argc, char** argv)
{
    return strobe::platform::commandLine(argc, argv);
}

int main(int argc, char** argv)
{
    strobe::platform::preferLargePages();
    ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
    try {
        return sc_core::sc_elab_and_sim(argc, argv);
    } catch (const std::bad_alloc&) { // before sc_main
        return strobe::platform::reportOutOfMemory();
    }
}
