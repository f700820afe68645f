#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The samples of a power cycle that a scenario asks for: the time series, while measured time runs, and the history of
// wear. They are kept in the lasting state, so that they go on in the next cycle.

#include "models/tlm/agenda.h"
#include "platform/assembly/lasting_state.h"
#include "platform/assembly/measurement.h"
#include "platform/report/report.h"

namespace strobe::platform {

class Sampling {
public:
    Sampling(const Scenario& scenario, LastingState& lasting, const Measurement& measurement, Agenda& agenda)
        : scenario_(scenario), lasting_(lasting), measurement_(measurement), agenda_(agenda)
    {
    }

    void begin(); // measured time runs
    void end();
    void takeDue();    // those that are due
    void takeWear();   // the same, of wear alone
    Time next() const; // never: no more
    void finish(Report& report) const;

private:
    Observed observe() const;

    const Scenario& scenario_;
    LastingState& lasting_;
    const Measurement& measurement_;
    Agenda& agenda_;
};

} // namespace strobe::platform
