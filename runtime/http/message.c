/* Heads in memory: lookup and change of fields, hop-by-hop marks. Fields keep their order; setting a field
 * replaces the first field of that name. Every change of a value passes field_is_sound(), so that no text
 * from a policy can add a line to a head. */
#include "http/message.h"

#include "base/check.h"
#include "base/put.h"
#include "http/fields.h"
#include "log/counters.h"

unsigned
message_room(unsigned max_fields, unsigned have)
{
    unsigned n = (have > max_fields ? have : max_fields) + MESSAGE_OWN_FIELDS;
    return n < UINT16_MAX ? n : UINT16_MAX;
}

int
message_init(struct http_message *m, struct arena *a, unsigned cap_fields)
{
    *m = (struct http_message){ .arena = a, .minor = 1, .ids_known = UINT16_MAX };
    if (cap_fields > UINT16_MAX)
        return ERR_LIMIT;
    m->fields = arena_alloc(a, cap_fields * sizeof *m->fields);
    if (m->fields == NULL) {
        m->failed = 1;
        return ERR_NOMEM;
    }
    m->cap_fields = (uint16_t)cap_fields;
    return 0;
}

void
message_withhold(struct http_message *m, unsigned fields)
{
    CHECK(m->withheld == 0);
    m->withheld = (uint16_t)(fields < m->cap_fields ? fields : m->cap_fields);
    m->cap_fields = (uint16_t)(m->cap_fields - m->withheld);
}

void
message_restore(struct http_message *m)
{
    m->cap_fields = (uint16_t)(m->cap_fields + m->withheld);
    m->withheld = 0;
}

/* Compares ids when both names are interned. A field may carry NAME_NONE although its name has an id now: the
 * field was parsed before the name entered the table. */
static bool
field_is(const struct http_field *f, name_id id, struct span name)
{
    if (id != NAME_NONE && f->id != NAME_NONE)
        return f->id == id;
    return name.ptr != NULL && span_eq_nocase(f->name, name);
}

static struct span
name_or_text(name_id id, struct span name)
{
    return name.ptr == NULL && id != NAME_NONE ? name_text(id) : name;
}

__attribute__((noinline)) static int
find_by_text(const struct http_message *m, unsigned at, name_id id, struct span name)
{
    name = name_or_text(id, name);
    for (unsigned i = at; i < m->n_fields; i++)
        if (field_is(&m->fields[i], id, name))
            return (int)i;
    return -1;
}

static inline int
find_from(const struct http_message *m, unsigned at, name_id id, struct span name)
{
    if (!message_has_ids(m, id))
        return find_by_text(m, at, id, name);
    if (message_seen(m, id))
        for (unsigned i = at; i < m->n_fields; i++)
            if (m->fields[i].id == id)
                return (int)i;
    return -1;
}

struct span
message_get_named(const struct http_message *m, name_id id, struct span name)
{
    int at = find_from(m, 0, id, name);
    return at < 0 ? SPAN_NULL : m->fields[at].value;
}

bool
message_has_named(const struct http_message *m, name_id id)
{
    return find_from(m, 0, id, SPAN_NULL) >= 0;
}

static bool
field_is_sound(name_id id, struct span name, struct span value)
{
    return (id != NAME_NONE || is_token(name)) && is_field_value(value);
}

static void
log_part(const struct http_message *m, enum log_part part, struct span text)
{
    if (text.ptr != NULL)
        log_text(m->log, m->log_family + part, text);
}

void
message_log_start_line(const struct http_message *m)
{
    bool request = m->log_family == TAG_REQ || m->log_family == TAG_BEREQ;
    if (request) {
        log_part(m, LOG_METHOD, m->method);
        log_part(m, LOG_URL, m->url);
    }
    log_part(m, LOG_PROTOCOL, m->proto);
    if (!request) {
        log_number(m->log, m->log_family + LOG_STATUS, m->status);
        log_part(m, LOG_REASON, m->reason);
    }
}

void
message_log(struct http_message *m, struct log_txn *log, enum log_tag family)
{
    CHECK(family == TAG_REQ || family == TAG_RESP || family == TAG_BEREQ || family == TAG_BERESP);
    m->log = log;
    m->log_family = family;
    message_log_start_line(m);
    for (unsigned i = 0; i < m->n_fields; i++)
        log_field(log, family + LOG_HEADER, m->fields[i].name, m->fields[i].value);
}

static void
log_change(const struct http_message *m, enum log_part part, const struct http_field *f)
{
    if (m->log != NULL)
        log_field(m->log, m->log_family + part, f->name, f->value);
}

/* Removes the field at index `first` and later ones of the given name. */
__attribute__((noinline)) static void
remove_found(struct http_message *m, unsigned first, name_id id, struct span name)
{
    name = message_has_ids(m, id) ? SPAN_NULL : name_or_text(id, name);
    unsigned kept = first;
    for (unsigned i = kept; i < m->n_fields; i++)
        if (!field_is(&m->fields[i], id, name))
            m->fields[kept++] = m->fields[i];
        else
            log_change(m, LOG_UNSET, &m->fields[i]);
    m->n_fields = (uint16_t)kept;
}

/* Removes the fields of the given name, from index `at` on. */
static inline void
remove_from(struct http_message *m, unsigned at, name_id id, struct span name)
{
    int first = find_from(m, at, id, name);
    if (first >= 0)
        remove_found(m, (unsigned)first, id, name);
}

static int
add_sound(struct http_message *m, name_id id, struct span name, struct span value)
{
    if (m->n_fields >= m->cap_fields) {
        m->failed = 1;
        if (m->log != NULL) {
            log_field(m->log, TAG_LOST_HEADER, name, value);
            counters_here()->losthdr++;
        }
        return ERR_LIMIT;
    }
    message_put(m, m->n_fields, (struct http_field){ .name = name, .value = value, .id = id });
    log_change(m, LOG_HEADER, &m->fields[m->n_fields++]);
    return 0;
}

int
message_add_line(struct http_message *m, name_id id, size_t name_bytes, struct span line)
{
    size_t at = name_bytes + sizeof ": " - 1, end = line.len - (sizeof "\r\n" - 1);
    struct span name = span_of(line.ptr, name_bytes), value = span_of(line.ptr + at, end - at);
    if (m->n_fields >= m->cap_fields)
        return add_sound(m, id, name, value); /* fails, and logs that */
    message_put(m, m->n_fields++,
                (struct http_field){ .name = name, .value = value, .id = id, .flags = FIELD_LINE });
    if (m->log != NULL)
        log_text(m->log, m->log_family + LOG_HEADER, span_of(line.ptr, end));
    return 0;
}

int
message_add(struct http_message *m, name_id id, struct span name, struct span value)
{
    name = name_or_text(id, name);
    if (value.ptr == NULL)
        value = SPAN_LIT("");
    if (field_is_sound(id, name, value))
        return add_sound(m, id, name, value);
    m->failed = 1;
    return ERR_SYNTAX;
}

int
message_set_sound(struct http_message *m, name_id id, struct span name, struct span value)
{
    name = name_or_text(id, name);
    if (value.ptr == NULL)
        value = SPAN_LIT("");
    int at = find_from(m, 0, id, name);
    if (at < 0)
        return add_sound(m, id, name, value);
    log_change(m, LOG_UNSET, &m->fields[at]);
    message_put(m, (unsigned)at, (struct http_field){ .name = name, .value = value, .id = id });
    remove_from(m, (unsigned)at + 1, id, name);
    log_change(m, LOG_HEADER, &m->fields[at]);
    return 0;
}

int
message_set(struct http_message *m, name_id id, struct span name, struct span value)
{
    name = name_or_text(id, name);
    if (field_is_sound(id, name, value))
        return message_set_sound(m, id, name, value);
    m->failed = 1;
    return ERR_SYNTAX;
}

void
message_unset_named(struct http_message *m, name_id id, struct span name)
{
    remove_from(m, 0, id, name);
}

void
message_retain(struct http_message *m, message_test *keep, void *arg)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < m->n_fields; i++)
        if (keep(&m->fields[i], arg))
            m->fields[kept++] = m->fields[i];
        else
            log_change(m, LOG_UNSET, &m->fields[i]);
    m->n_fields = (uint16_t)kept;
}

int
message_replace(struct http_message *m, unsigned at, struct span name, struct span value)
{
    CHECK(at < m->n_fields);
    if (!field_is_sound(NAME_NONE, name, value)) {
        m->failed = 1;
        return ERR_SYNTAX;
    }
    log_change(m, LOG_UNSET, &m->fields[at]);
    message_put(m, at, (struct http_field){ .name = name, .value = value, .id = name_lookup(name) });
    log_change(m, LOG_HEADER, &m->fields[at]);
    return 0;
}

int
message_collect(struct http_message *m, name_id id, struct span name, struct span separator)
{
    int first = find_from(m, 0, id, name);
    if (first < 0 || find_from(m, (unsigned)first + 1, id, name) < 0)
        return 0;
    size_t len = 0;
    for (int i = first; i >= 0; i = find_from(m, (unsigned)i + 1, id, name))
        len += m->fields[i].value.len + (i == first ? 0 : separator.len);
    char *text = arena_alloc(m->arena, len + 1);
    if (text == NULL) {
        m->failed = 1;
        return ERR_NOMEM;
    }
    char *p = text;
    for (int i = first; i >= 0; i = find_from(m, (unsigned)i + 1, id, name)) {
        if (i != first)
            p = put_span(p, separator);
        p = put_span(p, m->fields[i].value);
    }
    *p = '\0';
    m->fields[first].value = span_of(text, len);
    m->fields[first].flags &= (uint16_t)~FIELD_LINE;
    struct log_txn *log = m->log;
    m->log = NULL; /* no log records: joining fields adds and removes no value */
    remove_from(m, (unsigned)first + 1, id, name);
    m->log = log;
    return 0;
}

int
message_copy(struct http_message *dst, const struct http_message *src)
{
    CHECK(dst != src);
    if (src->n_fields > dst->cap_fields) {
        dst->failed = 1;
        return ERR_LIMIT;
    }
    if (src->n_fields > 0)
        memcpy(dst->fields, src->fields, src->n_fields * sizeof *src->fields);
    dst->n_fields = src->n_fields;
    memcpy(dst->seen_ids, src->seen_ids, sizeof dst->seen_ids);
    dst->ids_known = src->ids_known;
    dst->status = src->status;
    dst->minor = src->minor;
    dst->method = src->method;
    dst->url = src->url;
    dst->proto = src->proto;
    dst->reason = src->reason;
    return 0;
}

static bool
keep_text(struct arena *a, struct span *text)
{
    if (text->ptr != NULL)
        *text = arena_copy(a, *text);
    return text->ptr != NULL;
}

int
message_keep_text(struct http_message *m)
{
    for (unsigned i = 0; i < m->n_fields; i++) {
        m->fields[i].flags &= (uint16_t)~FIELD_LINE;
        if (!keep_text(m->arena, &m->fields[i].name) || !keep_text(m->arena, &m->fields[i].value))
            return ERR_NOMEM;
    }
    return 0;
}

/* ---- hop-by-hop ---- */

static bool
always_hop(name_id id)
{
    switch (id) {
    case NAME_CONNECTION:
    case NAME_KEEP_ALIVE:
    case NAME_PROXY_CONNECTION:
    case NAME_PROXY_AUTHENTICATE:
    case NAME_PROXY_AUTHORIZATION:
    case NAME_TE:
    case NAME_TRAILER:
    case NAME_TRANSFER_ENCODING:
    case NAME_UPGRADE:
    case NAME_HTTP2_SETTINGS: return true;
    }
    return false;
}

/* Fields that every server on the path needs. If Connection could name them, the message that we forward
 * would differ in meaning from the message that we acted on (RFC 9110, 7.6.1, last paragraphs). */
bool
message_never_hop(name_id id)
{
    switch (id) {
    case NAME_HOST:
    case NAME_CONTENT_LENGTH:
    case NAME_CONTENT_TYPE:
    case NAME_CONTENT_ENCODING:
    case NAME_CONTENT_RANGE:
    case NAME_CACHE_CONTROL:
    case NAME_DATE:
    case NAME_AGE:
    case NAME_EXPIRES:
    case NAME_VIA:
    case NAME_VARY:
    case NAME_AUTHORIZATION:
    case NAME_COOKIE:
    case NAME_SET_COOKIE:
    case NAME_RANGE:
    case NAME_X_FORWARDED_FOR: return true;
    }
    return false;
}

static void
mark_named(struct http_message *m, struct span connection)
{
    struct span item;
    while (list_next(&connection, &item)) {
        name_id id = name_lookup(item);
        for (int i = find_from(m, 0, id, item); i >= 0; i = find_from(m, (unsigned)i + 1, id, item))
            if (!message_never_hop(m->fields[i].id))
                m->fields[i].flags |= FIELD_HOP;
    }
}

void
message_mark_named(struct http_message *m)
{
    if (message_lacks(m, NAME_CONNECTION))
        return;
    for (unsigned i = 0; i < m->n_fields; i++)
        if (m->fields[i].id == NAME_CONNECTION)
            mark_named(m, m->fields[i].value);
}

void
message_mark_always(struct http_message *m)
{
    for (unsigned i = 0; i < m->n_fields; i++)
        if (always_hop(m->fields[i].id))
            m->fields[i].flags |= FIELD_HOP;
}

void
message_mark_hop(struct http_message *m)
{
    message_mark_named(m);
    message_mark_always(m);
}

bool
method_is_idempotent(struct span method)
{
    static const char *const names[] = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_eq(method, span_str(names[i])))
            return true;
    return false;
}
