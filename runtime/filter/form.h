/* The form of a body after its filters, stored with the object. */
#ifndef VERNIS_FILTER_FORM_H
#define VERNIS_FILTER_FORM_H

#include <stdbool.h>
#include <stdint.h>

/* Form of a stored body, as its filters left it. */
struct body_form {
    bool gzipped; /* in gzip coding, which a filter of ours made or checked */
    bool recoded; /* our filters changed its coding */
    bool codable; /* second forms in other codings may be made of it */
    bool noted;   /* it may have a note: filters parsed it for ESI */
    bool trailed; /* it is unchanged from the origin and may have trailer fields */
    bool partial; /* incomplete: only the bytes that one client asked for */
    bool of_head; /* the response to HEAD: there is content, but the origin did not send it */
};

/* Facts about a gzip body that a processor collected, valid after the body's end. Bit positions count from
 * the start of the member: of the first block, of the last block, and of the first bit after the last block.
 * Stitching needs them (stitch.h). */
struct gzip_facts {
    uint64_t start_bit, last_bit, stop_bit; /* 0: not known */
    uint64_t plain_bytes;                   /* length after unpacking; 0: not known */
};

#endif
