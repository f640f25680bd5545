/* Parses headers of the PROXY protocol, versions 1 and 2: a TLS offloader sends one to pass on the addresses
 * of the client and the server. No I/O. */
#ifndef VERNIS_STREAM_PROXY_HEADER_H
#define VERNIS_STREAM_PROXY_HEADER_H

#include <sys/types.h>

#include "log/tags.h"
#include "loop/conn.h"

#define PROXY_RECEIVED_BYTES_MAX (16 + 1024) /* of version 2: head, addresses and typed fields */

/* The log record about a header, in Varnish's words: TAG_PROXY or TAG_PROXY_GARBAGE; 0: none. */
struct proxy_note {
    unsigned tag;
    char text[2 * ADDRESS_TEXT_BYTES + 32];
};

struct proxy_info {
    struct address client, server;
    /* typed fields of version 2, each: type, two bytes of length, value; points into the parsed bytes */
    struct span fields;
};

/* Returns the bytes of a complete header, 0 if more are needed, ERR_SYNTAX, or ERR_LIMIT (longer than the
 * protocol allows, or than we do). The addresses stay unchanged and `fields` empty for LOCAL and UNKNOWN, and
 * if version 2 has an unsupported address family or too few address bytes. */
ssize_t proxy_header_parse(struct span in, struct proxy_info *info, struct proxy_note *note);

#endif
