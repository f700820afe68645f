#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Operations that wait for one die of a channel: first in, first out, foreground before background. Every call but
// push() works on the foreground queue while it holds anything, else on the background queue. Not modelled: a limit of
// entries; the controller's units limit the operations in progress.

#include "models/base/ring_queue.h"
#include "models/nand/operation.h"

#include <algorithm>
#include <cstddef>

namespace strobe::channel {

struct Waiting {
    nand::Operation* op = nullptr;
    void* owner = nullptr; // of the caller; not used here
};

class DieQueue {
public:
    void push(const Waiting& waiting)
    {
        (waiting.op->priority == nand::Priority::Foreground ? foreground_ : background_).push(waiting);
        maxSize_ = std::max(maxSize_, size());
    }

    bool empty() const { return size() == 0; }
    std::size_t size() const { return foreground_.size() + background_.size(); } // of both
    std::size_t maxSize() const { return maxSize_; }
    void resetMaxSize() { maxSize_ = size(); }

    // The queue that is served next. Indices count from its oldest operation, 0.
    std::size_t depth() const { return current().size(); }
    const Waiting& operator[](std::size_t index) const { return current()[index]; } // REQUIRES: index < depth()
    const Waiting& front() const { return current().front(); }                      // REQUIRES: !empty()
    Waiting pop() { return current().pop(); }                                       // REQUIRES: !empty()
    Waiting take(std::size_t index) { return current().take(index); }               // REQUIRES: index < depth()

private:
    const RingQueue<Waiting>& current() const { return foreground_.empty() ? background_ : foreground_; }
    RingQueue<Waiting>& current() { return foreground_.empty() ? background_ : foreground_; }

    RingQueue<Waiting> background_;
    RingQueue<Waiting> foreground_;
    std::size_t maxSize_ = 0;
};

} // namespace strobe::channel
