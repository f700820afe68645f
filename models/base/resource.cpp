// SPDX-License-Identifier: Apache-2.0
#include "models/base/resource.h"

#include "models/base/activity_log.h"

namespace strobe {

void Resource::note(Time arrived, Time start, Time end) const
{
    log_->note({lane_, arrived, start, end, {}});
}

} // namespace strobe
