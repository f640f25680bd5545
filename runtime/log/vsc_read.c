/* Reads counters from outside the process: see vsc_read.h. Reads the index once, then the files of documents
 * and values that it names. A file removed in between is left out. */
#include "log/vsc_read.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"

#define INDEX_BYTES_MAX (1u << 20)
#define SEGMENTS_MAX 8192u
#define SEGMENT_BYTES_MAX (256u << 10)
#define DOCUMENTS_MAX 64u
#define HEAD_BYTES 24u
#define SHOWN 1 /* state of a segment: see vsc.c */
#define IDENT_BYTES 512u

struct entry {
    char *line; /* in the text of the index, after "+ " */
    char file[64], class[32], ident[IDENT_BYTES];
    unsigned long long at, bytes;
};

struct document {
    uint64_t id;
    json_t *root;
};

struct reader {
    int folder_fd;
    struct entry *entries[SEGMENTS_MAX];
    unsigned n_entries;
    struct document documents[DOCUMENTS_MAX];
    unsigned n_documents;
    vsc_sample_fn *fn;
    void *arg;
};

/* ---- files
 * -----------------------------------------------------------------------------------------------------------------
 */

/* Reads at most `max` bytes from offset `at` and ends them with NUL. NULL: the file is missing or not a
 * regular file. */
static char *
read_file(int folder_fd, const char *name, off_t at, size_t max, size_t *n)
{
    struct stat st;
    int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    char *data = NULL;
    *n = 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > at) {
        size_t left = (size_t)(st.st_size - at), want = left < max ? left : max;
        data = mem_alloc(want + 1);
        ssize_t got;
        while (*n < want && (got = pread(fd, data + *n, want - *n, at + (off_t)*n)) > 0)
            *n += (size_t)got;
        data[*n] = '\0';
    }
    close(fd);
    return data;
}

/* ---- the index
 * -------------------------------------------------------------------------------------------------------------
 */

/* Reads the last word of a line. An encoded ident is one word without quotes. */
static void
copy_ident(const char *from, char out[IDENT_BYTES])
{
    size_t n = 0;
    while (*from != '\0' && *from != ' ' && n + 1 < IDENT_BYTES)
        out[n++] = vsc_ident_decode(&from);
    out[n] = '\0';
}

static void
add_entry(struct reader *r, char *line)
{
    struct entry *e = mem_zalloc(sizeof *e);
    int at = 0;
    e->line = line;
    if (r->n_entries < SEGMENTS_MAX && strncmp(line, "_.", 2) == 0 && strchr(line, '/') == NULL &&
        sscanf(line, "%63s %llu %llu %31s %n", e->file, &e->at, &e->bytes, e->class, &at) == 4 && at > 0 &&
        e->at < INT64_MAX / 2 && e->bytes >= HEAD_BYTES) {
        copy_ident(line + at, e->ident);
        r->entries[r->n_entries++] = e;
    } else
        free(e);
}

static void
remove_entry(struct reader *r, const char *line)
{
    for (unsigned i = r->n_entries; i-- > 0;)
        if (strcmp(r->entries[i]->line, line) == 0) {
            free(r->entries[i]);
            r->n_entries--;
            memmove(&r->entries[i], &r->entries[i + 1], (r->n_entries - i) * sizeof *r->entries);
            return;
        }
}

static void
read_index(struct reader *r, char *text)
{
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
        if (line[0] == '+' && line[1] == ' ')
            add_entry(r, line + 2);
        else if (line[0] == '-' && line[1] == ' ')
            remove_entry(r, line + 2);
    }
}

/* ---- documents and values
 * -------------------------------------------------------------------------------------------------- */

static uint64_t
number(const char *data, size_t at)
{
    uint64_t n;
    memcpy(&n, data + at, sizeof n);
    return n;
}

static bool
is_shown(const char *data, size_t n)
{
    int32_t state;
    if (data == NULL || n < HEAD_BYTES)
        return false;
    memcpy(&state, data, sizeof state);
    return state == SHOWN;
}

static char *
read_segment(struct reader *r, const struct entry *e, size_t *n)
{
    size_t max = e->bytes < SEGMENT_BYTES_MAX ? (size_t)e->bytes : SEGMENT_BYTES_MAX;
    char *data = read_file(r->folder_fd, e->file, (off_t)e->at, max, n);
    if (is_shown(data, *n))
        return data;
    free(data);
    return NULL;
}

static void
read_document(struct reader *r, const struct entry *e)
{
    size_t n = 0;
    char *data = r->n_documents < DOCUMENTS_MAX ? read_segment(r, e, &n) : NULL;
    if (data != NULL && number(data, 8) < n) {
        json_t *root = json_loads(data + number(data, 8), 0, NULL);
        if (root != NULL)
            r->documents[r->n_documents++] = (struct document){ .id = number(data, 16), .root = root };
    }
    free(data);
}

/* Index of the text in the list, or n. */
static unsigned
one_of(const json_t *row, const char *key, const char *const *texts, unsigned n)
{
    const char *text = json_string_value(json_object_get(row, key));
    unsigned i = 0;
    while (text != NULL && i < n && strcmp(texts[i], text) != 0)
        i++;
    return text == NULL ? n : i;
}

static void
sample(struct reader *r, const struct entry *e, const json_t *row, const char *data, size_t n,
       uint64_t body_at)
{
    static const char *const kinds[] = { "counter", "gauge", "bitmap" };
    static const char *const formats[] = { "integer", "bytes", "bitmap", "duration" };
    unsigned kind = one_of(row, "type", kinds, 3), format = one_of(row, "format", formats, 4);
    json_int_t index = json_integer_value(json_object_get(row, "index"));
    const char *name = json_string_value(json_object_get(row, "name"));
    const char *doc = json_string_value(json_object_get(row, "oneliner"));
    if (name == NULL || doc == NULL || kind == 3 || format == 4 || index < 0 || body_at < HEAD_BYTES ||
        n < sizeof(uint64_t) || body_at > n || (uint64_t)index > n ||
        body_at + (uint64_t)index > n - sizeof(uint64_t))
        return;
    uint64_t value = number(data, body_at + (uint64_t)index);
    if (kind == VSC_GAUGE && value > INT64_MAX)
        value = 0; /* a gauge that one thread lowered before another raised it */
    r->fn(r->arg, &(struct vsc_sample){ .ident = e->ident,
                                        .name = name,
                                        .doc = doc,
                                        .kind = (enum vsc_kind)kind,
                                        .format = (enum vsc_format)format,
                                        .value = value });
}

static void
read_values(struct reader *r, const struct entry *e)
{
    size_t n = 0;
    char *data = read_segment(r, e, &n);
    for (unsigned i = 0; data != NULL && i < r->n_documents; i++) {
        const char *key;
        json_t *row;
        if (r->documents[i].id != number(data, 16))
            continue;
        json_object_foreach(json_object_get(r->documents[i].root, "elem"), key, row)
            sample(r, e, row, data, n, number(data, 8));
        break;
    }
    free(data);
}

int
vsc_read(const char *folder, vsc_sample_fn *fn, void *arg)
{
    size_t n;
    int folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    char *text = folder_fd < 0 ? NULL : read_file(folder_fd, "_.index", 0, INDEX_BYTES_MAX, &n);
    if (text == NULL) {
        int why = folder_fd < 0 ? errno : ENOENT;
        if (folder_fd >= 0)
            close(folder_fd);
        errno = why;
        return ERR_SYS;
    }
    struct reader *r = mem_zalloc(sizeof *r);
    r->folder_fd = folder_fd;
    r->fn = fn;
    r->arg = arg;
    read_index(r, text);
    for (unsigned i = 0; i < r->n_entries; i++)
        if (strcmp(r->entries[i]->class, "StatDoc") == 0)
            read_document(r, r->entries[i]);
    for (unsigned i = 0; i < r->n_entries; i++) {
        if (strcmp(r->entries[i]->class, "Stat") == 0)
            read_values(r, r->entries[i]);
        free(r->entries[i]);
    }
    for (unsigned i = 0; i < r->n_documents; i++)
        json_decref(r->documents[i].root);
    close(folder_fd);
    free(text);
    free(r);
    return 0;
}
