/* The run-time parameters, sorted by name. mk/params.py generates the rows from the rooms' params.toml. */
#include <stddef.h>

#include "daemon/param_table.h"
#include "base/cpus.h"
#include "base/params.h"
#include "log/tags.h"

#define FIELD(f) offsetof(struct params, f), sizeof(((struct params *)0)->f)
#define NO_FIELD PARAM_NO_FIELD, 0

#include "param_rows.h"

const unsigned n_param_rows = sizeof param_rows / sizeof *param_rows;
