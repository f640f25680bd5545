/* Values of the run-time parameters, as plain data that every room may read. mk/params.py makes struct params
 * from the rooms' params.toml: one field per parameter, with its unit in the name. daemon/params.c parses,
 * checks and prints them and is the only writer. A write is one aligned store, so readers need no lock. */
#ifndef VERNIS_BASE_PARAMS_H
#define VERNIS_BASE_PARAMS_H

#include "param_values.h"

extern struct params params; /* base/params.c holds the defaults */

#endif
