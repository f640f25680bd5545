/* Reason phrases of status codes. */
#include "http/message.h"
#include "reason_phrases.h"

struct span
status_reason(unsigned status)
{
    static const char *const phrases[] = REASON_PHRASES;
    const char *phrase = status < sizeof phrases / sizeof *phrases ? phrases[status] : NULL;
    return phrase == NULL ? SPAN_LIT("Unknown HTTP Status") : span_str(phrase);
}
