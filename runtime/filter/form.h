/* The form of a body that filters changed or checked: what an object remembers of it. */
#ifndef VERNIS_FILTER_FORM_H
#define VERNIS_FILTER_FORM_H

#include <stdbool.h>
#include <stdint.h>

/* Form of a stored body, as its filters left it. */
struct body_form {
    bool gzipped;                       /* it is in gzip coding, as far as we made or checked that */
    bool recoded;                       /* its coding is not the one that the origin chose */
    bool codable;                       /* it may get second forms, in other codings */
    bool noted;                         /* it may get a note: filters looked for ESI */
    bool trailed;                       /* it may have trailer fields, and is what the origin sent */
    bool partial;                       /* not all of it is there, or there are only the bytes that one client asked for */
};

/* Facts about a body in gzip coding that a processor learned, valid once it has ended. The bit positions are those of the deflate
 * data: the first block, the last block, and the first bit behind it. They are what a body needs to become a part of another one. */
struct gzip_facts {
    uint64_t start_bit, last_bit, stop_bit;     /* 0: not known */
    uint64_t plain_bytes;               /* length without the coding; 0: not known */
};

#endif
