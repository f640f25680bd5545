/* Writes and reads recipes: see esi_recipe.h. */
#include "filter/esi_recipe.h"

#include <stdlib.h>

#include "base/check.h"

#define NUMBER_BYTES_MAX 10 /* LEB128 of 64 bits */
#define CRC_BYTES 4
#define PIECE_BYTES_MAX (2 + 2 * NUMBER_BYTES_MAX + CRC_BYTES) /* size without text */
#define ROOM_BYTES_MIN 256

/* ---- writing ---- */

static bool
make_room(struct esi_recipe *r, size_t n)
{
    if (r->failed)
        return false;
    if (r->room - r->n >= n)
        return true;
    size_t room = r->room * 2 > r->n + n ? r->room * 2 : r->n + n + ROOM_BYTES_MIN;
    char *bytes = realloc(r->bytes, room);
    r->failed = bytes == NULL;
    if (r->failed)
        return false;
    r->bytes = bytes;
    r->room = room;
    return true;
}

static void
put_byte(struct esi_recipe *r, unsigned b)
{
    CHECK(r->n < r->room);
    r->bytes[r->n++] = (char)(unsigned char)b;
}

static void
put_number(struct esi_recipe *r, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        put_byte(r, (unsigned)(n & 0x7f) | 0x80);
    put_byte(r, (unsigned)n);
}

static void
put_text(struct esi_recipe *r, struct span s)
{
    put_number(r, s.len);
    CHECK(r->room - r->n >= s.len);
    memcpy(r->bytes + r->n, s.ptr, s.len);
    r->n += s.len;
}

static void
put_include(struct esi_recipe *r, const struct esi_include *inc)
{
    put_byte(r, (inc->onerror_continue ? ESI_CONTINUE : 0) | (inc->host.ptr != NULL ? ESI_HOST : 0));
    if (inc->host.ptr != NULL)
        put_text(r, inc->host);
    put_text(r, inc->target);
}

static void
put_kept(struct esi_recipe *r, const struct esi_piece *piece)
{
    put_number(r, piece->bytes);
    if ((r->bytes[0] & ESI_GZIP) == 0)
        return;
    put_number(r, piece->plain_bytes);
    for (unsigned i = 0; i < CRC_BYTES; i++)
        put_byte(r, piece->crc >> (8 * i) & 0xff);
}

void
esi_recipe_begin(struct esi_recipe *r, unsigned flags)
{
    CHECK(r->n == 0);
    if (make_room(r, 1))
        put_byte(r, flags);
}

void
esi_recipe_add(struct esi_recipe *r, const struct esi_piece *piece)
{
    const struct esi_include *inc = &piece->include;
    size_t text = piece->kind == ESI_INCLUDE ? inc->host.len + inc->target.len : 0;
    if (!make_room(r, PIECE_BYTES_MAX + text))
        return;
    put_byte(r, piece->kind);
    switch (piece->kind) {
    case ESI_KEEP: put_kept(r, piece); return;
    case ESI_SKIP: put_number(r, piece->bytes); return;
    case ESI_INCLUDE: put_include(r, inc); return;
    }
    WRONG("kind of piece");
}

void
esi_recipe_release(struct esi_recipe *r)
{
    free(r->bytes);
    *r = (struct esi_recipe){ 0 };
}

/* ---- reading ---- */

static bool
get_byte(struct span *s, unsigned *out)
{
    if (s->len == 0)
        return false;
    *out = (unsigned char)*s->ptr++;
    s->len--;
    return true;
}

static bool
get_number(struct span *s, uint64_t *out)
{
    unsigned b = 0x80;
    *out = 0;
    for (unsigned shift = 0; b & 0x80; shift += 7) {
        if (!get_byte(s, &b) || shift > 63 || (shift == 63 && b > 1))
            return false;
        *out |= (uint64_t)(b & 0x7f) << shift;
    }
    return true;
}

static bool
get_text(struct span *s, struct span *out)
{
    uint64_t n;
    if (!get_number(s, &n) || n > s->len)
        return false;
    *out = span_of(s->ptr, (size_t)n);
    s->ptr += n;
    s->len -= (size_t)n;
    return true;
}

static bool
get_crc(struct span *s, uint32_t *out)
{
    *out = 0;
    for (unsigned i = 0, b; i < CRC_BYTES; i++) {
        if (!get_byte(s, &b))
            return false;
        *out |= (uint32_t)b << (8 * i);
    }
    return true;
}

static bool
get_include(struct span *s, struct esi_include *out)
{
    unsigned flags;
    *out = (struct esi_include){ 0 };
    if (!get_byte(s, &flags) || flags > (ESI_CONTINUE | ESI_HOST))
        return false;
    out->onerror_continue = (flags & ESI_CONTINUE) != 0;
    return ((flags & ESI_HOST) == 0 || get_text(s, &out->host)) && get_text(s, &out->target);
}

static bool
get_piece(struct span *s, unsigned flags, unsigned kind, struct esi_piece *out)
{
    switch (kind) {
    case ESI_KEEP:
        return get_number(s, &out->bytes) &&
               ((flags & ESI_GZIP) == 0 || (get_number(s, &out->plain_bytes) && get_crc(s, &out->crc)));
    case ESI_SKIP: return get_number(s, &out->bytes);
    case ESI_INCLUDE: return get_include(s, &out->include);
    default: return false;
    }
}

int
esi_recipe_open(struct span *recipe, unsigned *flags)
{
    return get_byte(recipe, flags) && *flags <= ESI_GZIP ? 0 : ERR_SYNTAX;
}

int
esi_recipe_next(struct span *rest, unsigned flags, struct esi_piece *out)
{
    unsigned kind;
    if (!get_byte(rest, &kind))
        return 0;
    *out = (struct esi_piece){ .kind = (enum esi_piece_kind)kind };
    return get_piece(rest, flags, kind, out) ? 1 : ERR_SYNTAX;
}

bool
esi_recipe_includes(struct span recipe)
{
    struct esi_piece piece;
    unsigned flags;
    if (esi_recipe_open(&recipe, &flags) != 0)
        return false;
    while (esi_recipe_next(&recipe, flags, &piece) == 1)
        if (piece.kind == ESI_INCLUDE)
            return true;
    return false;
}
