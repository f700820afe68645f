// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_uniform.h"

namespace strobe::host {

SyntheticSource::Extent UniformSource::pick(RequestKind)
{
    return wholeBlock(addressRng().below(space().wholeBlocks()));
}

} // namespace strobe::host
