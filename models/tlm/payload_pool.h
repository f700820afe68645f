#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Payloads with one permanent extension, recycled: acquire() hands out a payload with reference count one; its last
// release() returns it. Only auto extensions added by others are dropped then. Not thread-safe (one kernel thread).

#include "models/base/check.h"

#include <memory>
#include <tlm>
#include <vector>

namespace strobe {

template <class Extension>
class PayloadPool : public tlm::tlm_mm_interface {
public:
    PayloadPool() = default;
    PayloadPool(const PayloadPool&) = delete;
    PayloadPool& operator=(const PayloadPool&) = delete;
    ~PayloadPool() override
    {
        for (auto& item : all_)
            item->payload.template clear_extension<Extension>(); // the pool, not the payload, owns it
    }

    // A payload whose extension has just been reset to a default-constructed value; status INCOMPLETE.
    tlm::tlm_generic_payload& acquire()
    {
        tlm::tlm_generic_payload& payload = acquireUnset();
        *payload.template get_extension<Extension>() = Extension{};
        return payload;
    }
    // The same without the reset: the caller sets all of the extension.
    tlm::tlm_generic_payload& acquireUnset()
    {
        if (free_.empty()) {
            all_.push_back(std::make_unique<Item>(this));
            free_.push_back(&all_.back()->payload);
        }
        tlm::tlm_generic_payload* payload = free_.back();
        free_.pop_back();
        payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload->acquire();
        return *payload;
    }

    void free(tlm::tlm_generic_payload* payload) override
    {
        payload->reset();
        free_.push_back(payload);
    }

    std::size_t inFlight() const { return all_.size() - free_.size(); }

private:
    struct alignas(64) Item { // together: they are used together
        explicit Item(PayloadPool* pool) : payload(pool) { payload.set_extension(&extension); }
        Extension extension;
        tlm::tlm_generic_payload payload;
    };
    std::vector<std::unique_ptr<Item>> all_;
    std::vector<tlm::tlm_generic_payload*> free_;
};

} // namespace strobe
