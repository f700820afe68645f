// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_order.h"

#include "models/base/check.h"

#include <algorithm>
#include <functional>

namespace strobe::host {

void TraceOrder::add(const TraceRecord& record)
{
    const Entry entry{record, added_++};
    if (inOrder_.empty() || record.at >= inOrder_.back().record.at) {
        inOrder_.push_back(entry);
        return;
    }
    ++reordered_;
    late_.push_back(entry);
    std::push_heap(late_.begin(), late_.end(), std::greater<>());
}

TraceRecord TraceOrder::take()
{
    check(!isEmpty(), "no record to take");
    TraceRecord record;
    if (late_.empty() || (!inOrder_.empty() && late_.front() > inOrder_.front())) {
        record = inOrder_.front().record;
        inOrder_.pop_front();
    } else {
        std::pop_heap(late_.begin(), late_.end(), std::greater<>());
        record = late_.back().record;
        late_.pop_back();
    }
    return record;
}

} // namespace strobe::host
