/* Requests to the compile server: see compile_request.h, and compiler/service/protocol.py for their members.
 */
#include "manager/compile_request.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/params.h"
#include "base/check.h"
#include "base/params.h"

/* A policy may hold any bytes, but JSON only UTF-8. Send other text as KEY_latin1, with one character for
 * each byte. */
static void
set_text(json_t *object, const char *key, struct span value)
{
    json_t *text = json_stringn(value.ptr, value.len);
    if (text != NULL) {
        CHECK(json_object_set_new(object, key, text) == 0);
        return;
    }
    struct text utf8 = { 0 }, name = { 0 };
    for (size_t i = 0; i < value.len; i++) {
        unsigned char byte = (unsigned char)value.ptr[i];
        char two[2] = { (char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f)) };
        text_add(&utf8, byte < 0x80 ? span_of(&value.ptr[i], 1) : span_of(two, 2));
    }
    text_printf(&name, "%s_latin1", key);
    CHECK(json_object_set_new(object, text_cstr(&name), json_stringn(text_cstr(&utf8), utf8.len)) == 0);
    text_release(&utf8);
    text_release(&name);
}

/* The folders of a parameter. Skips names that are not UTF-8, because JSON cannot carry them. */
static json_t *
directories(const char *param)
{
    json_t *list = json_array();
    const char *at = param_text(param);
    while (*at != '\0') {
        size_t len = strcspn(at, ":");
        json_t *name = json_stringn(at, len);
        if (name != NULL)
            CHECK(json_array_append_new(list, name) == 0);
        at += len + (at[len] == ':');
    }
    return list;
}

int
compile_values(unsigned n, const char *const words[], struct text *out, struct text *why)
{
    json_t *values = json_object();
    int err = 0;
    for (unsigned i = 0; err == 0 && i < n; i++) {
        const char *end = strchr(words[i], '=');
        struct text name = { 0 };
        if (end != NULL)
            text_add(&name, span_of(words[i], (size_t)(end - words[i])));
        if (name.len == 0 || json_object_set_new(values, text_cstr(&name), json_string(end + 1)) != 0) {
            text_printf(why, "(-D %s) Expected name=value in UTF-8\n", words[i]);
            err = ERR_SYNTAX;
        }
        text_release(&name);
    }
    if (err == 0 && n > 0) {
        char *line = json_dumps(values, JSON_COMPACT);
        CHECK(line != NULL);
        text_str(out, line);
        free(line);
    }
    json_decref(values);
    return err;
}

void
compile_request(uint64_t id, const struct compile_order *order, bool unix_listener, struct text *out)
{
    json_t *labels = json_array();
    for (const char *const *name = order->labels; *name != NULL; name++)
        CHECK(json_array_append_new(labels, json_string(*name)) == 0);
    json_t *request = json_pack("{s:I, s:s, s:s, s:o, s:o, s:s, s:o, s:b, s:b, s:b, s:b}", "id",
                                (json_int_t)id, "op", "compile", "name", order->name, "vcl_path",
                                directories("vcl_path"), "vmod_path", directories("vmod_path"), "out_dir",
                                COMPILE_OUT, "labels", labels, "any_path", (int)params.vcc_unsafe_path,
                                "err_unref", (int)params.vcc_err_unref, "unix_listener", (int)unix_listener,
                                "rule_counters", (int)params.rule_counters);
    CHECK(request != NULL);
    if (order->path != NULL)
        set_text(request, "path", span_str(order->path));
    if (order->text.ptr != NULL)
        set_text(request, "text", order->text);
    if (order->values.len > 0)
        CHECK(json_object_set_new(request, "params",
                                  json_loadb(order->values.ptr, order->values.len, 0, NULL)) == 0);
    char *line = json_dumps(request, JSON_COMPACT);
    CHECK(line != NULL);
    text_printf(out, "%s\n", line);
    free(line);
    json_decref(request);
}
