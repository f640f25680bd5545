/* The PROXY protocol, versions 1 and 2, as sent by TLS offloaders in front: tells the real client and server addresses. Pure. */
#ifndef VERNIS_PROXY_HEADER_H
#define VERNIS_PROXY_HEADER_H

#include <sys/types.h>

#include "log/tags.h"
#include "loop/conn.h"

#define PROXY_RECEIVED_BYTES_MAX (16 + 1024)      /* of version 2: head, addresses and what is added to them */

/* What the log says about a header, in the words its readers know: TAG_PROXY or TAG_PROXY_GARBAGE; 0 = nothing. */
struct proxy_note {
    unsigned tag;
    char text[2 * ADDRESS_TEXT_BYTES + 32];
};

struct proxy_told {
    struct address client, server;
    struct span fields;                 /* of version 2: type, two bytes of length, value, again and again; part of what was parsed */
};

/* Bytes of a complete header, 0 when more is needed, ERR_SYNTAX, ERR_LIMIT (longer than the protocol or we allow). Addresses stay
 * as they are, and fields empty, for LOCAL and UNKNOWN, and when version 2 tells addresses of another kind or too few bytes of them. */
ssize_t proxy_header_parse(struct span in, struct proxy_told *told, struct proxy_note *note);

#endif
