/* The forms of log records: see form.h. */
#include "log/form.h"

#include "log/ring.h"

const uint8_t log_form_later_of_tag[TAG_COUNT] = { LOG_LATER_OF_TAG };
static const uint8_t tag_of_later[] = { LOG_TAG_OF_LATER };

unsigned
log_form_tag(bool later, uint32_t word)
{
    unsigned number = word >> 24;
    if (number >= RING_TAG_END)
        return number;
    if (later)
        return number < sizeof tag_of_later ? tag_of_later[number] : 0;
    return number < TAG_COUNT ? number : 0;
}
