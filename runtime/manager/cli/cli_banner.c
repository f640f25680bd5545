/* The banner: see cli_banner.h. Tools read its lines. */
#include "manager/cli/cli_banner.h"

#include <sys/utsname.h>

#include "version.h"
#include "base/check.h"

#define RULE "-----------------------------\n"

void
cli_banner(const struct banner *b, struct text *out)
{
    struct utsname u;
    CHECK(uname(&u) == 0);
    text_printf(out, RULE "Varnish Cache CLI 1.0\n" RULE "%s,%s,%s,-j%s", u.sysname, u.release, u.machine,
                b->jail);
    for (unsigned i = 0; i < b->n_storages; i++)
        text_str(out, ",-smalloc");
    text_printf(
        out,
        ",-hcritbit\n%s, vernis-%s\n\nType 'help' for command list.\nType 'quit' to close CLI session.\n",
        VARNISH_BANNER_VERSION, VERNIS_VERSION);
    if (b->child->state == CHILD_STOPPED)
        text_str(out, "Type 'start' to launch worker process.\n");
}
