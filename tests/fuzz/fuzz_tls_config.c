/* Files of -A. Each is refused with a reason that names a line, or gives a listener for each frontend, whose
 * settings are whole lines. Files that it names are left alone: names of folders and authorities are changed.
 */
#include "fuzz.h"
#include "manager/tls/config.h"

static void
check_frontend(const struct tls_frontend_config *f, bool first)
{
    size_t n = strlen(f->settings);
    CHECK((*f->address == '\0') == first && (*f->name == '\0') == first);
    CHECK(n == 0 || f->settings[n - 1] == '\n');
    for (unsigned i = 0; i < f->n_files; i++)
        CHECK(*f->files[i].cert != '\0' && f->files[i].key != NULL);
}

/* No file system: "pem-dir", "client-verify-ca" and "-crl" become unknown settings. */
static void
hide(char *text, const char *word)
{
    for (char *at = text; (at = strstr(at, word)) != NULL; at++)
        *at = 'x';
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tls_config c, again;
    struct text why = { 0 };
    char *text = fuzz_copy(data, size), *copy = calloc(1, size + 1);
    CHECK(copy != NULL);
    memcpy(copy, text, size);
    hide(copy, "pem-dir");
    hide(copy, "client-verify-ca");
    hide(copy, "client-verify-crl");
    memcpy(text, copy, size);
    if (tls_config_parse("f", span_of(text, size), &c, &why) != 0) {
        CHECK(why.len > 2 && memcmp(why.ptr, "f:", 2) == 0 && why.ptr[why.len - 1] == '\n');
        CHECK(c.frontends == NULL && c.path == NULL);
    } else {
        CHECK(c.n_frontends >= 2);
        for (unsigned i = 0; i < c.n_frontends; i++)
            check_frontend(&c.frontends[i], i == 0);
        CHECK(tls_config_parse("f", span_of(text, size), &again, &why) == 0);
        tls_config_match(&c, &again, &why); /* it has not changed */
        CHECK(why.len == 0 && c.n_frontends == again.n_frontends);
        tls_config_release(&again);
        tls_config_release(&c);
    }
    text_release(&why);
    free(text);
    free(copy);
    return 0;
}
