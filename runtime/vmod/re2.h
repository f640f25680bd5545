/* What the two halves of module re2 share: how a pattern is compiled, and how a text is rewritten. */
#ifndef VERNIS_VMOD_RE2_H
#define VERNIS_VMOD_RE2_H

#include "match/pcre.h"
#include "policy_abi.h"

/* As the module's parameters say it; the meaning of each is in docs/modules.md. */
struct re2_options {
    bool utf8, posix_syntax, longest_match, literal, never_nl, dot_nl, never_capture, case_sensitive, one_line;
    int64_t max_mem;
};

/* ERR_SYNTAX after a failure was noted that begins with `what`. `more`: further bits of enum regex_option. */
int re2_compile(struct policy_ctx *ctx, const char *what, struct span pattern, const struct re2_options *o, unsigned more,
                struct regex **out);
/* The text rewritten, or the fallback when the pattern does not match; SPAN_NULL after a failure was noted. */
struct span re2_rewrite(struct policy_ctx *ctx, const char *what, const struct regex *re, enum regex_replacing how, struct span text,
                        struct span rewrite, struct span fallback);

#endif
