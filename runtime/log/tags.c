/* Names of the log tags, as in vsl_mask and in every reader. */
#include "log/tags.h"

#include <stddef.h>
#include <strings.h>

const char *const log_tag_names[TAG_COUNT + 1] = { LOG_TAG_NAMES NULL };

int
log_tag_find(const char *name)
{
    for (int tag = TAG_DEBUG; tag < TAG_COUNT; tag++)
        if (strcasecmp(log_tag_names[tag], name) == 0)
            return tag;
    return 0;
}
