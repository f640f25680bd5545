/* One policy run by hand, without a daemon: for tests and for `vernis test`. In build/lib/libvernisrt.so,
 * made to be called from Python's ctypes: only ints, doubles, pointers and lengths. One harness belongs to
 * one thread.
 *
 *     lib = ctypes.CDLL("build/lib/libvernisrt.so")
 *     lib.vernis_harness_new.restype = ctypes.c_void_p
 *     h = ctypes.c_void_p(lib.vernis_harness_new())
 *     err = ctypes.create_string_buffer(512)
 *     if lib.vernis_harness_load(h, b"x.so", err, ctypes.c_size_t(512)) != 0: raise ValueError(err.value)
 *     lib.vernis_harness_reset(h)                                     # new transaction: empty messages,
 * default variables lib.vernis_harness_request(h, b"GET", 3, b"/a", 2, b"HTTP/1.1", 8)
 *     lib.vernis_harness_add_header(h, 0, b"Host", 4, b"x", 1)        # enum vcl_msg
 *     action = lib.vernis_harness_run(h, 0)                           # enum vcl_hook -> enum vcl_action
 *     p, n = ctypes.c_void_p(), ctypes.c_size_t()
 *     if lib.vernis_harness_text(h, b"req.url", ctypes.byref(p), ctypes.byref(n)) == 1: url =
 * ctypes.string_at(p, n.value)
 *
 * Lengths are size_t: set argtypes, or wrap them in c_size_t. Text handed back is valid until the next reset.
 * All messages of the hook's side exist after reset: HTTP/1.1, GET / for requests, 200 OK for responses; only
 * those which the hook may see are put into its context. Variables keep their values from one run to the next
 * until reset, as in one transaction. */
#ifndef VERNIS_TESTS_SUPPORT_HARNESS_H
#define VERNIS_TESTS_SUPPORT_HARNESS_H

#include <stddef.h>
#include <stdint.h>

struct vernis_harness;

struct vernis_harness *vernis_harness_new(void);
void vernis_harness_free(struct vernis_harness *h); /* unloads the policy; harmless on NULL */

/* 0, or a negative enum err with NUL-ended text in error. First unloads the previous policy (vcl_fini runs).
 * vcl_init runs. */
int vernis_harness_load(struct vernis_harness *h, const char *path, char *error, size_t error_cap);
/* The same without vcl_init, which the caller runs with vernis_harness_run, and without vcl_fini at the
 * end. */
int vernis_harness_open(struct vernis_harness *h, const char *path, char *error, size_t error_cap);
/* Another image with the same interface takes over; state stays. */
int vernis_harness_replace(struct vernis_harness *h, const char *path, char *error, size_t error_cap);

void vernis_harness_reset(struct vernis_harness *h);
int vernis_harness_request(struct vernis_harness *h, const char *method, size_t method_len, const char *url,
                           size_t url_len, const char *proto,
                           size_t proto_len); /* of req, req_top and bereq */
void vernis_harness_content(struct vernis_harness *h, const char *text,
                            size_t len); /* of req, which std.cache_req_body may keep */
int vernis_harness_response(struct vernis_harness *h, int status, const char *reason,
                            size_t reason_len); /* of beresp, resp, obj */
/* Appends a field; msg is an enum vcl_msg. Fields of req appear in req_top too only when added there. */
int vernis_harness_add_header(struct vernis_harness *h, int msg, const char *name, size_t name_len,
                              const char *value, size_t value_len);
void vernis_harness_set_now(struct vernis_harness *h, double now); /* seconds since the epoch; default 1e9 */
/* "client" "server" "remote" "local" */
int vernis_harness_set_ip(struct vernis_harness *h, const char *which, const char *address, int port);

/* Runs enum vcl_hook and returns enum vcl_action. */
int vernis_harness_run(struct vernis_harness *h, int hook);

/* For who carries a hook out himself, as the interpreter of tests does: the context of that hook (struct
 * policy_ctx), with which the functions of the runtime can be called one by one until vernis_harness_leave.
 * NULL: no policy, or no such hook. */
void *vernis_harness_enter(struct vernis_harness *h, int hook);
void vernis_harness_leave(struct vernis_harness *h);
void *vernis_harness_function(const char *symbol); /* a function that a policy may import; NULL: unknown */

/* Results. Fields in order; 0, or ERR_NOTFOUND after the last one. */
int vernis_harness_headers(struct vernis_harness *h, int msg); /* number of fields */
int vernis_harness_header(struct vernis_harness *h, int msg, int i, const char **name, size_t *name_len,
                          const char **value, size_t *value_len);
/* 1 = set, 0 = unset, ERR_NOTFOUND = no such name. Names: those of VCL ("req.url" "req.method" "req.proto"
 * "bereq.url" "bereq.method" "bereq.proto" "beresp.proto" "beresp.reason" "resp.proto" "resp.reason"
 * "client.identity" "beresp.filters" "resp.filters" "beresp.storage_hint" "req.backend_hint"
 * "bereq.backend"), and "ret.text" (reason or label given with the action), "synth" (body set by synthetic()
 * or resp.body), "beresp.body", "key" (bytes that hash_data collected), "failed_why", "log" (what std.log and
 * acls wrote since reset, a newline after each), "errors" (what failed or was remarked, the same), "counts"
 * (each series of the policy's counters and its count, the same). */
int vernis_harness_text(struct vernis_harness *h, const char *name, const char **text, size_t *len);
/* 0 or ERR_NOTFOUND. Names: every numeric variable of VCL that a policy can set ("beresp.ttl", "req.grace",
 * "resp.status", "req.hash_always_miss", ...; "req.restarts", "bereq.retries", "req.esi_level",
 * "bereq.is_bgfetch" ... too), and "ret.status" "ret.seconds" "failed" "site" "now". Durations negative where
 * "not set" (see vars.h). */
int vernis_harness_number(struct vernis_harness *h, const char *name, double *out);
int vernis_harness_set_number(struct vernis_harness *h, const char *name, double value);

/* How often the policy's rule i was taken since the load; ERR_NOTFOUND past the last rule. */
int vernis_harness_rule_hits(struct vernis_harness *h, int i);

/* The functions a policy may import: name and signature text of row i; 0, or ERR_NOTFOUND past the end. */
int vernis_export(int i, const char **name, const char **signature);

#endif
