// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/error_tables.h"

namespace strobe::nand::test {

ErrorModel formulaModel()
{
    ErrorModel model;
    model.kind = ErrorModelKind::Formula;
    model.formula = {1.48e-3, 3.90e-10, 2.05, 6.28e-5, 0.14, 0.54, 3.73e-9, 0.33, 1.71, {}};
    return model;
}

ErrorModel statesModel()
{
    ErrorModel model;
    model.kind = ErrorModelKind::States;
    ThresholdStates& s = model.states;
    s.cycles = 2'000;
    s.wearExponent = 0.14;
    s.retention = {
        {24, {-92.7, 66.6, 128.1, 191.9, 254.9, 318.3, 384.3, 448.1}, {48.2, 9.7, 9.7, 9.4, 9.3, 9.1, 9.5, 9.1}},
        {168,
         {-86.7, 67.5, 128.1, 191.4, 253.8, 316.5, 381.8, 444.9},
         {46.4, 10.7, 10.8, 10.5, 10.6, 10.3, 10.6, 10.6}},
        {720,
         {-84.4, 68.6, 128.7, 191.6, 253.5, 315.8, 380.9, 443.6},
         {46.8, 11.3, 11.2, 11.0, 10.9, 10.8, 11.2, 11.1}},
        {2'160,
         {-75.6, 72.8, 131.6, 193.3, 254.3, 315.7, 380.2, 442.2},
         {45.9, 12.0, 11.8, 11.5, 11.4, 11.4, 11.7, 11.7}},
        {8'760,
         {-69.4, 76.6, 134.2, 195.2, 255.3, 316.0, 379.6, 440.8},
         {45.9, 12.8, 12.4, 12.0, 12.0, 11.9, 12.3, 12.4}},
    };
    s.wear = {{0, {-110.0, 65.9, 127.4, 191.6, 254.9, 318.4, 384.8, 448.3}},
              {2'000, s.retention.front().means},
              {3'000, {-84.1, 68.3, 128.2, 193.1, 255.7, 319.2, 385.4, 449.1}}};
    s.references = {35.5, 97.3, 160.4, 223.6, 286.9, 350.6, 416.8};
    s.pages = {{1, 5}, {2, 4, 6}, {3, 7}};
    model.options = {{{4.3, 8.4, 4.7, 1.7, -1.1, -3.3, -6.7}, 1}};
    return model;
}

} // namespace strobe::nand::test
