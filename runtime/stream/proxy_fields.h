/* The typed fields of a PROXY header of version 2 that tell of TLS: read, and made of a handshake of ours, so
 * that policies for a TLS offloader work without it. For types and bits see the protocol's specification,
 * "The PP2_TYPE_SSL type and subtypes". */
#ifndef VERNIS_STREAM_PROXY_FIELDS_H
#define VERNIS_STREAM_PROXY_FIELDS_H

#include "base/mem.h"
#include "loop/conn.h"

#define PROXY_TLS_HEAD 5u /* fixed part of a TLS field: bits, four bytes of the verification result */

enum proxy_field {
    PROXY_ALPN = 0x01,
    PROXY_AUTHORITY = 0x02,
    PROXY_TLS = 0x20,
    PROXY_TLS_VERSION = 0x21, /* this and the following stand within PROXY_TLS */
    PROXY_TLS_CN = 0x22,
    PROXY_TLS_CIPHER = 0x23,
    PROXY_TLS_SIGNATURE = 0x24,
    PROXY_TLS_KEY = 0x25
};

enum proxy_tls_bit { PROXY_TLS_CONNECTED = 1, PROXY_TLS_CERT_CONN = 2, PROXY_TLS_CERT_SESS = 4 };

/* The value of the first field of the type, or SPAN_NULL. */
struct span proxy_field_find(struct span fields, enum proxy_field type);
/* The field PROXY_TLS with at least its fixed part, or SPAN_NULL. */
struct span proxy_field_tls(struct span fields);
bool proxy_field_tls_bit(struct span fields, enum proxy_tls_bit bit);
/* The fields of a connection with TLS of ours, whose handshake is done. SPAN_NULL: no memory */
struct span proxy_fields_make(const struct conn *c, struct arena *a);

#endif
