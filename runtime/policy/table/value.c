/* Values of tables: see value.h. */
#include "policy/table/value.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "base/check.h"
#include "base/literal.h"

static const struct {
    const char *name, *fault;
} types[IMAGE_TABLE_OF_COUNT] = {
    [IMAGE_TABLE_OF_STRING] = { "STRING", "has a NUL byte" },
    [IMAGE_TABLE_OF_INT] = { "INT", "is not an INT: up to 15 digits" },
    [IMAGE_TABLE_OF_REAL] = { "REAL", "is not a REAL such as 1.5" },
    [IMAGE_TABLE_OF_DURATION] = { "DURATION", "is not a DURATION such as 10m" },
    [IMAGE_TABLE_OF_BYTES] = { "BYTES", "is not BYTES such as 64KB" },
    [IMAGE_TABLE_OF_BOOL] = { "BOOL", "is not a BOOL: true or false" },
    [IMAGE_TABLE_OF_IP] = { "IP", "is not an address" },
    [IMAGE_TABLE_OF_BACKEND] = { "BACKEND", "is not a backend of this policy" },
};

const char *
value_type_name(enum image_table_value type)
{
    return types[type].name;
}

/* ---- texts to values ----------------------------------------------------------------------------------- */

static bool
read_ip(struct span text, struct vcl_ip *out)
{
    size_t bytes;
    *out = (struct vcl_ip){ .family = 0 };
    if (!literal_address(text, out->addr, &bytes))
        return false;
    out->family = bytes == 4 ? 4 : 6;
    return true;
}

static bool
read_backend(const struct policy_image *im, struct span text, int64_t *out)
{
    for (uint32_t i = 0; i < im->n_backends; i++)
        if (span_eq(im->backends[i].name, text)) {
            *out = i;
            return true;
        }
    return false;
}

static bool
read_text(struct value_reader *r, struct span text, struct span *out)
{
    switch (r->type) {
    case IMAGE_TABLE_OF_STRING: *out = text; return text.len == 0 || memchr(text.ptr, '\0', text.len) == NULL;
    case IMAGE_TABLE_OF_INT:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        return literal_int(text, &r->bytes.whole);
    case IMAGE_TABLE_OF_REAL:
        *out = span_of((const char *)&r->bytes.real, sizeof r->bytes.real);
        return literal_real(text, &r->bytes.real);
    case IMAGE_TABLE_OF_DURATION:
        *out = span_of((const char *)&r->bytes.real, sizeof r->bytes.real);
        return literal_duration(text, &r->bytes.real);
    case IMAGE_TABLE_OF_BYTES:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        return literal_bytes(text, &r->bytes.whole);
    case IMAGE_TABLE_OF_BOOL:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        r->bytes.whole = span_eq(text, SPAN_LIT("true"));
        return r->bytes.whole != 0 || span_eq(text, SPAN_LIT("false"));
    case IMAGE_TABLE_OF_IP:
        *out = span_of((const char *)&r->bytes.ip, sizeof r->bytes.ip);
        return read_ip(text, &r->bytes.ip);
    case IMAGE_TABLE_OF_BACKEND:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        return read_backend(r->image, text, &r->bytes.whole);
    case IMAGE_TABLE_OF_COUNT: break;
    }
    WRONG("type of a table's values");
}

int
value_of_text(void *arg, struct span text, struct span *out, char *why, size_t why_cap)
{
    struct value_reader *r = arg;
    if (read_text(r, text, out))
        return 0;
    snprintf(why, why_cap, "%s", types[r->type].fault);
    return ERR_SYNTAX;
}

/* A constant address: its family, and the address, which may be padded. */
static int
ip_of_row(struct span text, struct vcl_ip *out)
{
    size_t bytes = text.len > 0 && text.ptr[0] == 4 ? 4 : 16;
    if (text.len < 1 + bytes || (text.ptr[0] != 4 && text.ptr[0] != 6))
        return ERR_SYNTAX;
    *out = (struct vcl_ip){ .family = (uint8_t)text.ptr[0] };
    memcpy(out->addr, text.ptr + 1, bytes);
    return 0;
}

int
value_of_row(struct value_reader *r, const struct image_table_row *row, struct span *out)
{
    switch (r->type) {
    case IMAGE_TABLE_OF_STRING: *out = row->text; return row->text.ptr == NULL ? ERR_SYNTAX : 0;
    case IMAGE_TABLE_OF_REAL:
    case IMAGE_TABLE_OF_DURATION:
        r->bytes.real = row->real;
        *out = span_of((const char *)&r->bytes.real, sizeof r->bytes.real);
        return 0;
    case IMAGE_TABLE_OF_IP:
        *out = span_of((const char *)&r->bytes.ip, sizeof r->bytes.ip);
        return ip_of_row(row->text, &r->bytes.ip);
    case IMAGE_TABLE_OF_INT:
    case IMAGE_TABLE_OF_BYTES:
    case IMAGE_TABLE_OF_BOOL:
    case IMAGE_TABLE_OF_BACKEND:
        r->bytes.whole = row->whole;
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        return 0;
    case IMAGE_TABLE_OF_COUNT: break;
    }
    WRONG("type of a table's values");
}

/* ---- values to texts ----------------------------------------------------------------------------------- */

/* A duration in seconds, a size in bytes: with the unit that a literal needs. */
struct span
value_text(enum image_table_value type, const struct policy_image *image, struct span value,
           char buf[VALUE_TEXT_BYTES])
{
    struct value_reader r = { .type = type };
    if (type == IMAGE_TABLE_OF_STRING)
        return value;
    CHECK(value.len <= sizeof r.bytes);
    memcpy(&r.bytes, value.ptr, value.len);
    int n = 0;
    switch (type) {
    case IMAGE_TABLE_OF_INT:
    case IMAGE_TABLE_OF_BYTES:
        n = snprintf(buf, VALUE_TEXT_BYTES, "%lld%s", (long long)r.bytes.whole,
                     type == IMAGE_TABLE_OF_INT ? "" : "B");
        break;
    case IMAGE_TABLE_OF_REAL:
    case IMAGE_TABLE_OF_DURATION:
        n = snprintf(buf, VALUE_TEXT_BYTES, "%.3f%s", r.bytes.real, type == IMAGE_TABLE_OF_REAL ? "" : "s");
        break;
    case IMAGE_TABLE_OF_BOOL: return r.bytes.whole != 0 ? SPAN_LIT("true") : SPAN_LIT("false");
    case IMAGE_TABLE_OF_IP:
        CHECK(inet_ntop(r.bytes.ip.family == 4 ? AF_INET : AF_INET6, r.bytes.ip.addr, buf,
                        VALUE_TEXT_BYTES) != NULL);
        return span_str(buf);
    case IMAGE_TABLE_OF_BACKEND:
        CHECK((uint64_t)r.bytes.whole < image->n_backends);
        return image->backends[r.bytes.whole].name;
    case IMAGE_TABLE_OF_STRING:
    case IMAGE_TABLE_OF_COUNT: WRONG("type of a table's values");
    }
    return span_of(buf, (size_t)n);
}
