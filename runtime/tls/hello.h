/* Looks at the first bytes of a client. A connection gets an SSL, which takes tens of kilobytes, only once
 * its hello is complete. OpenSSL parses the hello. */
#ifndef VERNIS_TLS_HELLO_H
#define VERNIS_TLS_HELLO_H

#include "base/span.h"

enum hello {
    HELLO_MORE,     /* not complete, and nothing is wrong so far */
    HELLO_COMPLETE, /* maybe with bytes behind it */
    HELLO_PLAIN,    /* plain HTTP */
    HELLO_OTHER,    /* no hello: OpenSSL knows the alert */
    HELLO_LONG,     /* longer than `most`, or in too many records */
};

enum hello hello_look(struct span in, size_t most);

#endif
