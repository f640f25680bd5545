/* Values of the run-time parameters, as plain data every room may read. struct params is made from the rooms' params.toml
 * (mk/params.py), one field a parameter, with its unit in the name; parsing, limits and printing are in worker/params.c, which is
 * the only writer. A write is one aligned store, readers need no lock. */
#ifndef VERNIS_PARAMS_H
#define VERNIS_PARAMS_H

#include "param_values.h"

extern struct params params;            /* base/params.c holds the defaults */

#endif
