/* Files of tables, and the text of keys: see read.h. csv.c and json.c read the two formats. */
#include "match/table/read_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "match/table/table_internal.h"

#define WHY_BYTES 128u
#define SHOWN_BYTES 60u /* of a text in a message */

/* ---- keys ---------------------------------------------------------------------------------------------- */

/* The number behind the slash of a network. Negative: none. */
static int
bits_of(const char *text)
{
    char *end;
    if (*text < '0' || *text > '9')
        return -1;
    long bits = strtol(text, &end, 10);
    return *end == '\0' && bits <= 128 ? (int)bits : -1;
}

int
table_read_key(enum table_kind kind, struct span text, uint8_t network[TABLE_NETWORK_BYTES], struct span *out,
               char *why, size_t why_cap)
{
    char copy[TABLE_KEY_TEXT_BYTES];
    uint8_t addr[16];
    *out = text;
    if (kind != TABLE_IP)
        return 0;
    snprintf(why, why_cap, "is not an address or a network");
    if (text.len >= sizeof copy || memchr(text.ptr, '\0', text.len) != NULL)
        return ERR_SYNTAX;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    char *slash = strchr(copy, '/');
    if (slash != NULL)
        *slash = '\0';
    int most = strchr(copy, ':') != NULL ? 128 : 32, bits = slash == NULL ? most : bits_of(slash + 1);
    if (inet_pton(most == 128 ? AF_INET6 : AF_INET, copy, addr) != 1 || bits < 0)
        return ERR_SYNTAX;
    if (bits > most) {
        snprintf(why, why_cap, "has a prefix of more than %d bits", most);
        return ERR_SYNTAX;
    }
    *out = table_network(network, most == 128 ? 6 : 4, addr, (unsigned)bits);
    snprintf(why, why_cap, "has bits behind its prefix");
    return memcmp(network, addr, out->len - 1) == 0 ? 0 : ERR_SYNTAX;
}

struct span
table_key_text(enum table_kind kind, struct span key, char buf[TABLE_KEY_TEXT_BYTES])
{
    char addr[INET6_ADDRSTRLEN];
    if (kind != TABLE_IP)
        return key;
    bool six = key.len == TABLE_NETWORK_BYTES;
    CHECK(inet_ntop(six ? AF_INET6 : AF_INET, key.ptr, addr, sizeof addr) != NULL);
    unsigned bits = (uint8_t)key.ptr[key.len - 1];
    int n = bits == (six ? 128u : 32u) ? snprintf(buf, TABLE_KEY_TEXT_BYTES, "%s", addr)
                                       : snprintf(buf, TABLE_KEY_TEXT_BYTES, "%s/%u", addr, bits);
    return span_of(buf, (size_t)n);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

int
reading_fail(struct reading *r, struct table_place at, int err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->error->text, sizeof r->error->text, fmt, ap);
    va_end(ap);
    r->error->at = at;
    return err;
}

static int
shown(struct span text)
{
    return (int)(text.len < SHOWN_BYTES ? text.len : SHOWN_BYTES);
}

int
reading_add(struct reading *r, struct span key, struct table_place at, struct span value,
            struct table_place value_at)
{
    const struct table_form *f = r->form;
    uint8_t network[TABLE_NETWORK_BYTES];
    struct span key_bytes, value_bytes;
    char why[WHY_BYTES] = "";
    int err = table_read_key(f->kind, key, network, &key_bytes, why, sizeof why);
    if (err != 0)
        return reading_fail(r, at, err, "key \"%.*s\" %s", shown(key), key.ptr, why);
    err = f->value(f->arg, value, &value_bytes, why, sizeof why);
    if (err != 0)
        return reading_fail(r, value_at, err, "value \"%.*s\" %s", shown(value), value.ptr, why);
    return table_add(r->build, key_bytes, value_bytes, at, r->error);
}

/* ---- files --------------------------------------------------------------------------------------------- */

enum table_format
table_format_of(const char *path)
{
    size_t n = strlen(path), end = strlen(".json");
    return n >= end && strcmp(path + n - end, ".json") == 0 ? TABLE_JSON : TABLE_CSV;
}

int
table_read(const struct table_form *form, struct span content, struct table **out, struct table_error *error)
{
    struct reading r = { .form = form, .content = content, .build = table_begin(form->kind), .error = error };
    *error = (struct table_error){ .text = "" };
    int err = form->format == TABLE_JSON ? json_read(&r) : csv_read(&r);
    if (err == 0)
        return table_end(&r.build, out, error);
    table_cancel(&r.build);
    return err;
}

static int
read_all(int fd, struct pages *into)
{
    for (;;) {
        const size_t piece = 1 << 20;
        char *to = pages_add(into, piece);
        ssize_t n = read(fd, to, piece);
        into->len -= piece - (n > 0 ? (size_t)n : 0);
        if (n == 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return ERR_SYS;
        if (into->len > TABLE_FILE_BYTES_MAX) {
            errno = EFBIG;
            return ERR_SYS;
        }
    }
}

int
table_read_file(const struct table_form *form, const char *path, struct table **out,
                struct table_error *error)
{
    struct pages content = { 0 };
    *error = (struct table_error){ .text = "" };
    int fd = file_open(path,
                       (off_t)(form->format == TABLE_JSON ? TABLE_JSON_BYTES_MAX : TABLE_FILE_BYTES_MAX));
    int err = fd < 0 ? ERR_SYS : read_all(fd, &content);
    if (err != 0)
        snprintf(error->text, sizeof error->text, "cannot read the file: %s", file_why(errno));
    else
        err = table_read(form, span_of(content.ptr, content.len), out, error);
    if (fd >= 0)
        close(fd);
    pages_release(&content);
    return err;
}
