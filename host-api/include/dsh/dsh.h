/* dsh/dsh.h - the contract without the exported symbols: what a host includes. A plugin includes
 * dsh/plugin.h beside it, in the one file that defines the symbols. */
#ifndef DSH_DSH_H
#define DSH_DSH_H

#include "abi.h"
#include "host.h"
#include "invariants.h"
#include "projections.h"
#include "sessions.h"
#include "tools.h"

#endif
