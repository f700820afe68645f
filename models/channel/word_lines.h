#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Word lines of parts whose program writes several pages at once (DieGeometry::pagesPerProgram). Flash units send one
// program for each page; here the programs of a word line find each other, and those of joined planes get the order and
// the forms in which the bus carries them. One die.
//
//   requests    page by page, and each page plane by plane: 11h between the planes, 1Ah between the pages, 10h at the
//               end. Other vendors load plane by plane or name the page by a leading command; that is not modelled.
//   responses   plane by plane: one status answers for the pages of a word line, which then end together
//
// REQUIRES: all pages of a word line are sent, sooner or later, without waiting for one of them to finish.

#include "models/channel/die_queue.h"
#include "models/nand/part.h"

#include <vector>

namespace strobe::channel {

// Programs that wait for the other pages of their word line.
class WordLines {
public:
    static bool isPart(const nand::DieGeometry& geometry, const nand::Operation& op)
    {
        return geometry.hasWordLines() && op.opcode == nand::Opcode::Program && !op.pslc;
    }
    // Adds a program. Returns its word line in the order of its pages, if it is whole now; else nothing. The result is
    // valid until the next call. REQUIRES: isPart()
    const std::vector<Waiting>& add(const nand::DieGeometry& geometry, const Waiting& page);

private:
    std::vector<std::vector<Waiting>> begun_;
    std::vector<Waiting> whole_;
};

// `pages`: whole word lines one after the other, of different planes. Sets forms.
void orderRequests(const nand::DieGeometry& geometry, std::vector<Waiting>& pages);
// After all requests. The pages of a word line have one outcome.
void orderResponses(std::vector<Waiting>& pages);

} // namespace strobe::channel
