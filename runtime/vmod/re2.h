/* Shared by both files of module re2: compiling a pattern, and rewriting a text. */
#ifndef VERNIS_VMOD_RE2_H
#define VERNIS_VMOD_RE2_H

#include "match/pcre.h"
#include "policy_abi.h"

/* The module's parameters; docs/modules.md explains each. */
struct re2_options {
    bool utf8, posix_syntax, longest_match, literal, never_nl, dot_nl, never_capture, case_sensitive,
        one_line;
    int64_t max_mem;
};

/* On error calls vcl_fail with a message that begins with `what`, and returns ERR_SYNTAX. `more`: further
 * bits of enum regex_option. */
int re2_compile(struct policy_ctx *ctx, const char *what, struct span pattern, const struct re2_options *o,
                unsigned more, struct regex **out);
/* Returns the rewritten text, or the fallback if the pattern does not match. On error calls vcl_fail and
 * returns SPAN_NULL. */
struct span re2_rewrite(struct policy_ctx *ctx, const char *what, const struct regex *re,
                        enum regex_replacing how, struct span text, struct span rewrite,
                        struct span fallback);

#endif
