/* See hpack_table.h. Text is contiguous for each entry: the memory has room for all entries, and the entries
 * move to its beginning when the next one does not fit behind them. Each entry counts 32 bytes more than its
 * text, so that happens once for many entries. */
#include "stream/h2/hpack_table.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/put.h"

#define FIRST_BYTES 512u /* what the first memory serves */

const struct http_field hpack_static[HPACK_STATIC_COUNT + 1] = {
    [1] = { SPAN_LIT(":authority"), SPAN_LIT(""), NAME_NONE, 0 },
    [2] = { SPAN_LIT(":method"), SPAN_LIT("GET"), NAME_NONE, 0 },
    [3] = { SPAN_LIT(":method"), SPAN_LIT("POST"), NAME_NONE, 0 },
    [4] = { SPAN_LIT(":path"), SPAN_LIT("/"), NAME_NONE, 0 },
    [5] = { SPAN_LIT(":path"), SPAN_LIT("/index.html"), NAME_NONE, 0 },
    [6] = { SPAN_LIT(":scheme"), SPAN_LIT("http"), NAME_NONE, 0 },
    [7] = { SPAN_LIT(":scheme"), SPAN_LIT("https"), NAME_NONE, 0 },
    [8] = { SPAN_LIT(":status"), SPAN_LIT("200"), NAME_NONE, 0 },
    [9] = { SPAN_LIT(":status"), SPAN_LIT("204"), NAME_NONE, 0 },
    [10] = { SPAN_LIT(":status"), SPAN_LIT("206"), NAME_NONE, 0 },
    [11] = { SPAN_LIT(":status"), SPAN_LIT("304"), NAME_NONE, 0 },
    [12] = { SPAN_LIT(":status"), SPAN_LIT("400"), NAME_NONE, 0 },
    [13] = { SPAN_LIT(":status"), SPAN_LIT("404"), NAME_NONE, 0 },
    [14] = { SPAN_LIT(":status"), SPAN_LIT("500"), NAME_NONE, 0 },
    [15] = { SPAN_LIT("accept-charset"), SPAN_LIT(""), NAME_ACCEPT_CHARSET, 0 },
    [16] = { SPAN_LIT("accept-encoding"), SPAN_LIT("gzip, deflate"), NAME_ACCEPT_ENCODING, 0 },
    [17] = { SPAN_LIT("accept-language"), SPAN_LIT(""), NAME_ACCEPT_LANGUAGE, 0 },
    [18] = { SPAN_LIT("accept-ranges"), SPAN_LIT(""), NAME_ACCEPT_RANGES, 0 },
    [19] = { SPAN_LIT("accept"), SPAN_LIT(""), NAME_ACCEPT, 0 },
    [20] = { SPAN_LIT("access-control-allow-origin"), SPAN_LIT(""), NAME_ACCESS_CONTROL_ALLOW_ORIGIN, 0 },
    [21] = { SPAN_LIT("age"), SPAN_LIT(""), NAME_AGE, 0 },
    [22] = { SPAN_LIT("allow"), SPAN_LIT(""), NAME_ALLOW, 0 },
    [23] = { SPAN_LIT("authorization"), SPAN_LIT(""), NAME_AUTHORIZATION, 0 },
    [24] = { SPAN_LIT("cache-control"), SPAN_LIT(""), NAME_CACHE_CONTROL, 0 },
    [25] = { SPAN_LIT("content-disposition"), SPAN_LIT(""), NAME_CONTENT_DISPOSITION, 0 },
    [26] = { SPAN_LIT("content-encoding"), SPAN_LIT(""), NAME_CONTENT_ENCODING, 0 },
    [27] = { SPAN_LIT("content-language"), SPAN_LIT(""), NAME_CONTENT_LANGUAGE, 0 },
    [28] = { SPAN_LIT("content-length"), SPAN_LIT(""), NAME_CONTENT_LENGTH, 0 },
    [29] = { SPAN_LIT("content-location"), SPAN_LIT(""), NAME_CONTENT_LOCATION, 0 },
    [30] = { SPAN_LIT("content-range"), SPAN_LIT(""), NAME_CONTENT_RANGE, 0 },
    [31] = { SPAN_LIT("content-type"), SPAN_LIT(""), NAME_CONTENT_TYPE, 0 },
    [32] = { SPAN_LIT("cookie"), SPAN_LIT(""), NAME_COOKIE, 0 },
    [33] = { SPAN_LIT("date"), SPAN_LIT(""), NAME_DATE, 0 },
    [34] = { SPAN_LIT("etag"), SPAN_LIT(""), NAME_ETAG, 0 },
    [35] = { SPAN_LIT("expect"), SPAN_LIT(""), NAME_EXPECT, 0 },
    [36] = { SPAN_LIT("expires"), SPAN_LIT(""), NAME_EXPIRES, 0 },
    [37] = { SPAN_LIT("from"), SPAN_LIT(""), NAME_FROM, 0 },
    [38] = { SPAN_LIT("host"), SPAN_LIT(""), NAME_HOST, 0 },
    [39] = { SPAN_LIT("if-match"), SPAN_LIT(""), NAME_IF_MATCH, 0 },
    [40] = { SPAN_LIT("if-modified-since"), SPAN_LIT(""), NAME_IF_MODIFIED_SINCE, 0 },
    [41] = { SPAN_LIT("if-none-match"), SPAN_LIT(""), NAME_IF_NONE_MATCH, 0 },
    [42] = { SPAN_LIT("if-range"), SPAN_LIT(""), NAME_IF_RANGE, 0 },
    [43] = { SPAN_LIT("if-unmodified-since"), SPAN_LIT(""), NAME_IF_UNMODIFIED_SINCE, 0 },
    [44] = { SPAN_LIT("last-modified"), SPAN_LIT(""), NAME_LAST_MODIFIED, 0 },
    [45] = { SPAN_LIT("link"), SPAN_LIT(""), NAME_LINK, 0 },
    [46] = { SPAN_LIT("location"), SPAN_LIT(""), NAME_LOCATION, 0 },
    [47] = { SPAN_LIT("max-forwards"), SPAN_LIT(""), NAME_MAX_FORWARDS, 0 },
    [48] = { SPAN_LIT("proxy-authenticate"), SPAN_LIT(""), NAME_PROXY_AUTHENTICATE, 0 },
    [49] = { SPAN_LIT("proxy-authorization"), SPAN_LIT(""), NAME_PROXY_AUTHORIZATION, 0 },
    [50] = { SPAN_LIT("range"), SPAN_LIT(""), NAME_RANGE, 0 },
    [51] = { SPAN_LIT("referer"), SPAN_LIT(""), NAME_REFERER, 0 },
    [52] = { SPAN_LIT("refresh"), SPAN_LIT(""), NAME_REFRESH, 0 },
    [53] = { SPAN_LIT("retry-after"), SPAN_LIT(""), NAME_RETRY_AFTER, 0 },
    [54] = { SPAN_LIT("server"), SPAN_LIT(""), NAME_SERVER, 0 },
    [55] = { SPAN_LIT("set-cookie"), SPAN_LIT(""), NAME_SET_COOKIE, 0 },
    [56] = { SPAN_LIT("strict-transport-security"), SPAN_LIT(""), NAME_STRICT_TRANSPORT_SECURITY, 0 },
    [57] = { SPAN_LIT("transfer-encoding"), SPAN_LIT(""), NAME_TRANSFER_ENCODING, 0 },
    [58] = { SPAN_LIT("user-agent"), SPAN_LIT(""), NAME_USER_AGENT, 0 },
    [59] = { SPAN_LIT("vary"), SPAN_LIT(""), NAME_VARY, 0 },
    [60] = { SPAN_LIT("via"), SPAN_LIT(""), NAME_VIA, 0 },
    [61] = { SPAN_LIT("www-authenticate"), SPAN_LIT(""), NAME_WWW_AUTHENTICATE, 0 },
};

const uint8_t hpack_static_of[NAME_KNOWN_COUNT] = {
    [NAME_ACCEPT_CHARSET] = 15,
    [NAME_ACCEPT_ENCODING] = 16,
    [NAME_ACCEPT_LANGUAGE] = 17,
    [NAME_ACCEPT_RANGES] = 18,
    [NAME_ACCEPT] = 19,
    [NAME_ACCESS_CONTROL_ALLOW_ORIGIN] = 20,
    [NAME_AGE] = 21,
    [NAME_ALLOW] = 22,
    [NAME_AUTHORIZATION] = 23,
    [NAME_CACHE_CONTROL] = 24,
    [NAME_CONTENT_DISPOSITION] = 25,
    [NAME_CONTENT_ENCODING] = 26,
    [NAME_CONTENT_LANGUAGE] = 27,
    [NAME_CONTENT_LENGTH] = 28,
    [NAME_CONTENT_LOCATION] = 29,
    [NAME_CONTENT_RANGE] = 30,
    [NAME_CONTENT_TYPE] = 31,
    [NAME_COOKIE] = 32,
    [NAME_DATE] = 33,
    [NAME_ETAG] = 34,
    [NAME_EXPECT] = 35,
    [NAME_EXPIRES] = 36,
    [NAME_FROM] = 37,
    [NAME_HOST] = 38,
    [NAME_IF_MATCH] = 39,
    [NAME_IF_MODIFIED_SINCE] = 40,
    [NAME_IF_NONE_MATCH] = 41,
    [NAME_IF_RANGE] = 42,
    [NAME_IF_UNMODIFIED_SINCE] = 43,
    [NAME_LAST_MODIFIED] = 44,
    [NAME_LINK] = 45,
    [NAME_LOCATION] = 46,
    [NAME_MAX_FORWARDS] = 47,
    [NAME_PROXY_AUTHENTICATE] = 48,
    [NAME_PROXY_AUTHORIZATION] = 49,
    [NAME_RANGE] = 50,
    [NAME_REFERER] = 51,
    [NAME_REFRESH] = 52,
    [NAME_RETRY_AFTER] = 53,
    [NAME_SERVER] = 54,
    [NAME_SET_COOKIE] = 55,
    [NAME_STRICT_TRANSPORT_SECURITY] = 56,
    [NAME_TRANSFER_ENCODING] = 57,
    [NAME_USER_AGENT] = 58,
    [NAME_VARY] = 59,
    [NAME_VIA] = 60,
    [NAME_WWW_AUTHENTICATE] = 61,
};

/* ---- memory ---- */

static struct hpack_entry *
entry_at(const struct hpack_table *t, uint32_t number)
{
    return hpack_entry_in(t->memory, number);
}

/* The text of all entries is one piece: entries leave at one end and come at the other. */
static uint32_t
live_at(const struct hpack_table *t)
{
    return t->n > 0 ? entry_at(t, t->oldest)->at : t->text_at;
}

/* Takes memory for a table of `bytes`, and moves the entries there. */
static void
grow(struct hpack_table *t, uint32_t bytes)
{
    uint32_t serves = t->memory == NULL ? FIRST_BYTES : t->memory->serves;
    while (serves < bytes)
        serves *= 2;
    if (t->memory != NULL && serves == t->memory->serves)
        return;
    struct hpack_memory *m = mem_alloc(sizeof *m +
                                       serves / HPACK_ENTRY_OVERHEAD * sizeof(struct hpack_entry) + serves);
    m->serves = serves;
    if (t->memory != NULL) {
        uint32_t live = live_at(t);
        for (uint32_t i = 0; i < t->n; i++)
            *hpack_entry_in(m, t->oldest + i) = *entry_at(t, t->oldest + i);
        memcpy(hpack_text_in(m), hpack_text_in(t->memory) + (live - t->text_base), t->text_at - live);
        t->text_base = live;
    }
    free(t->memory);
    t->memory = m;
}

static char *
text_place(struct hpack_table *t, uint32_t n)
{
    char *text = hpack_text_in(t->memory);
    if (t->text_at - t->text_base + n > t->memory->serves) {
        uint32_t live = live_at(t);
        memmove(text, text + (live - t->text_base), t->text_at - live);
        t->text_base = live;
    }
    DEBUG_CHECK(t->text_at - t->text_base + n <= t->memory->serves);
    return text + (t->text_at - t->text_base);
}

/* ---- entries ---- */

void
hpack_table_init(struct hpack_table *t, uint32_t bytes_max)
{
    CHECK(bytes_max <= HPACK_TABLE_BYTES_MAX);
    *t = (struct hpack_table){ .bytes_max = bytes_max };
}

void
hpack_table_release(struct hpack_table *t)
{
    free(t->memory);
    *t = (struct hpack_table){ .bytes_max = t->bytes_max };
}

static uint32_t
entry_bytes(const struct hpack_entry *e)
{
    return HPACK_ENTRY_OVERHEAD + e->name_bytes + e->value_bytes;
}

static void
evict_down_to(struct hpack_table *t, uint32_t bytes)
{
    while (t->bytes > bytes) {
        t->bytes -= entry_bytes(entry_at(t, t->oldest));
        t->oldest++;
        t->n--;
    }
}

void
hpack_table_resize(struct hpack_table *t, uint32_t bytes_max)
{
    CHECK(bytes_max <= HPACK_TABLE_BYTES_MAX);
    t->bytes_max = bytes_max;
    evict_down_to(t, bytes_max);
}

void
hpack_table_clear(struct hpack_table *t)
{
    evict_down_to(t, 0);
}

void
hpack_table_add(struct hpack_table *t, const struct http_field *f, unsigned marks)
{
    if (f->name.len + f->value.len + HPACK_ENTRY_OVERHEAD > t->bytes_max) {
        hpack_table_clear(t);
        return;
    }
    uint32_t name = (uint32_t)f->name.len, value = (uint32_t)f->value.len;
    uint32_t bytes = name + value + HPACK_ENTRY_OVERHEAD;
    evict_down_to(t, t->bytes_max - bytes);
    grow(t, t->bytes + bytes);
    put_span(put_span(text_place(t, name + value), f->name), f->value);
    *entry_at(t, t->oldest + t->n) = (struct hpack_entry){
        .at = t->text_at,
        .name_bytes = (uint16_t)name,
        .value_bytes = (uint16_t)value,
        .id = f->id,
        .marks = (uint16_t)marks,
    };
    t->text_at += name + value;
    t->bytes += bytes;
    t->n++;
}

void
hpack_table_renew_ids(struct hpack_table *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        struct hpack_entry *e = entry_at(t, i + t->oldest);
        if (e->id == NAME_NONE && (e->marks & HPACK_PSEUDO) == 0)
            e->id = name_lookup(span_of(hpack_entry_text(t, e), e->name_bytes));
    }
}
