/* Heads of responses whose bodies the gzip filters pack, unpack or check: see gzip_head.h. */
#include "filter/gzip_head.h"

#include "http/fields.h"

/* A part of a body cannot be unpacked, and clients cannot use a packed part. */
static bool
is_partial(const struct http_message *head)
{
    return head->status == 206;
}

static bool
is_gzipped(const struct http_message *head)
{
    return span_eq_nocase(message_get(head, NAME_CONTENT_ENCODING), SPAN_LIT("gzip"));
}

static void
set_joined(struct http_message *m, name_id id, const char *prefix, struct span value, const char *suffix)
{
    struct span text = arena_printf(m->arena, "%s%.*s%s", prefix, (int)value.len, value.ptr, suffix);
    if (text.ptr == NULL)
        m->failed = 1;
    else
        (void)message_set(m, id, SPAN_NULL, text);
}

void
weaken_etag(struct http_message *head)
{
    struct span etag = message_get(head, NAME_ETAG);
    bool weak = etag.len > 1 && etag.ptr[0] == 'W' && etag.ptr[1] == '/';
    if (etag.ptr != NULL && !weak)
        set_joined(head, NAME_ETAG, "W/", etag, "");
}

void
vary_on_coding(struct http_message *head)
{
    (void)message_collect(head, NAME_VARY, SPAN_NULL, SPAN_LIT(", "));
    struct span vary = message_get(head, NAME_VARY);
    if (vary.ptr == NULL)
        (void)message_set(head, NAME_VARY, SPAN_NULL, SPAN_LIT("Accept-Encoding"));
    else if (!list_has_token(vary, SPAN_LIT("Accept-Encoding")))
        set_joined(head, NAME_VARY, "", vary, ", Accept-Encoding");
}

static void
recode(struct http_message *head, struct body_form *form, bool gzipped)
{
    message_unset(head, NAME_CONTENT_ENCODING, SPAN_NULL);
    message_unset(head, NAME_CONTENT_LENGTH, SPAN_NULL);
    weaken_etag(head);
    *form = (struct body_form){ .gzipped = gzipped, .recoded = true };
}

bool
gunzip_engage(struct http_message *head, struct body_form *form)
{
    if (is_partial(head) || !is_gzipped(head))
        return false;
    recode(head, form, false);
    return true;
}

bool
gzip_engage(struct http_message *head, struct body_form *form)
{
    if (is_partial(head) || message_has(head, NAME_CONTENT_ENCODING))
        return false;
    recode(head, form, true);
    (void)message_set(head, NAME_CONTENT_ENCODING, SPAN_NULL, SPAN_LIT("gzip"));
    vary_on_coding(head);
    return true;
}

bool
testgunzip_engage(struct http_message *head, struct body_form *form)
{
    if (is_partial(head) || !is_gzipped(head))
        return false;
    form->gzipped = true;
    vary_on_coding(head);
    return true;
}

bool
esi_engage(struct http_message *head, struct body_form *form)
{
    (void)form;
    return !is_gzipped(head); /* stored deflate blocks may look like text */
}
