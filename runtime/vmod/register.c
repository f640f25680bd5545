/* Registers the functions of all built-in modules with the policy room. The build makes the rows from
 * grammar/vocabulary.toml. */
#include "vmod/register.h"

#include <pthread.h>

#include "exports_vmod.h"
#include "policy/exports.h"
#include "vmod/std_system.h"
#include "vmod/throttle.h"
#include "vmod/var.h"

static const struct policy_export rows[] = {
#include "exports_vmod_rows.h"
};
static const struct export_table table = EXPORT_TABLE(rows);

static void
add(void)
{
    exports_add(&table);
}

void
vmod_register(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, add);
}

void
vmod_forget(void)
{
    throttle_forget_all();
    var_forget();
    std_forget_files();
}
