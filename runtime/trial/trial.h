/* Requests to a policy without a daemon, a socket or a wait: the proxy, a client, scripted origins and a
 * clock that the caller sets, on one loop. For `vernis test`. In build/lib/libvernisrt.so, made to be called
 * from Python's ctypes: only numbers, pointers and lengths. A process has one trial, on one thread.
 *
 * Time stands still except where the caller moves it, or where everything waits: then it leaps to the next
 * timer. So an origin that takes an hour costs nothing, and a timeout ends when it should.
 *
 * A world is what one test sees: a cache, a policy after vcl_init, and answers of origins. It ends without a
 * trace. Functions that return int give 0 or a negative enum err. */
#ifndef VERNIS_TRIAL_TRIAL_H
#define VERNIS_TRIAL_TRIAL_H

#include <stddef.h>
#include <stdint.h>

#include "trial/answer.h"

#define TRIAL_STORAGE_BYTES (64u << 20)
#define TRIAL_RING_BYTES (8u << 20) /* log records of one request, with all its fetches */
#define TRIAL_ROUNDS_MAX 100000u    /* of the loop, for one request */
#define TRIAL_LEAP_MAX_S 7200.0     /* a request that waits longer is stuck */

struct trial;

struct trial *trial_new(void); /* NULL: the process has one */
void trial_free(struct trial *t);

/* Begins a world with the image at `path`, at `now` (seconds since the epoch). Random choices follow `seed`.
 * Backends have no addresses, and are healthy, as after good polls of their probes. On failure `error` has
 * the reason, and there is no world. */
int trial_begin(struct trial *t, const char *path, double now, unsigned seed, char *error, size_t error_cap);
struct policy_image;
/* The same with an image of this process; for tests. */
int trial_begin_image(struct trial *t, const struct policy_image *image, double now, unsigned seed,
                      char *error, size_t error_cap);
/* ERR_AGAIN: a request or fetch was still alive and could not be ended; free the trial's process. */
int trial_end(struct trial *t);

/* Random choices from now on follow this seed. */
void trial_set_seed(struct trial *t, unsigned seed);
double trial_now(const struct trial *t);
/* Runs timers and expiry up to then. */
void trial_advance(struct trial *t, double seconds);
/* By hand. ERR_NOTFOUND: no such backend. */
int trial_set_health(struct trial *t, const char *backend, int healthy);
/* The name of the i-th sick one of the declared backends; NULL: there are fewer. Valid until the next call.
 */
const char *trial_sick(struct trial *t, unsigned i);
/* One poll of the backend's probe had this result; from now on its probe decides. ERR_NOTFOUND: no such
 * backend, or it has no probe. */
int trial_poll(struct trial *t, const char *backend, int good);
double trial_probe_interval(struct trial *t, const char *backend); /* seconds; negative: as for trial_poll */
/* Replaces a row of a table, or adds it; without a value, removes it. ERR_NOTFOUND: no such table. Other
 * errors: trial_why() tells. */
int trial_put_row(struct trial *t, const char *table, const char *key, const char *value);
/* The address of the next requests' client. ERR_SYNTAX. */
int trial_set_client(struct trial *t, const char *address, int port);

/* A fact of the TLS of the next requests' client, by its name in module tls; with the first one it has HTTPS.
 * NULL: no TLS, as at the beginning. ERR_NOTFOUND, ERR_SYNTAX: trial_why() tells. */
int trial_set_tls(struct trial *t, const char *fact, const char *value);

/* Adds an answer; texts are copied. A fetch takes the first one that fits and has times left. ERR_LIMIT:
 * there are too many. */
int trial_answer(struct trial *t, const struct trial_answer *answer);
/* No later fetch takes an answer that was added before. */
void trial_retire_answers(struct trial *t);

/* What commands of a daemon do to its cache: a ban (ERR_SYNTAX, ERR_LIMIT: trial_why() tells), a purge of all
 * variants of a request's key (ERR_NOTFOUND: it has none), of all responses with one of these surrogate keys,
 * and of everything. The head ends with an empty line. soft: makes them stale. */
int trial_ban(struct trial *t, const char *text);
int trial_purge_key(struct trial *t, const char *head, size_t head_bytes, int soft);
void trial_purge_keys(struct trial *t, const char *keys, int soft);
void trial_purge_all(struct trial *t, int soft);

/* A request from its head ("GET /a HTTP/1.1\nName: value\n", or with HTTP/2.0) to the last byte of the
 * response, and to the end of the fetches that it began. ERR_SYNTAX: the head is malformed. ERR_TIMEOUT: it
 * is stuck. */
int trial_request(struct trial *t, const char *head, size_t head_bytes, const char *body, size_t body_bytes);

const char *trial_why(const struct trial *t); /* why the last request failed */

/* Of the last request; texts are valid until the next one. status 0: no response. */
struct trial_response {
    const char *head; /* fields, each "Name: value\n" */
    const char *body;
    size_t head_bytes, body_bytes;
    uint32_t status;
    uint32_t was_reset, was_tunnel, was_cut;
};
void trial_response(const struct trial *t, struct trial_response *out);

/* Log records since the last request began, in the order of writing. Each is two words (tag << 24 | bytes
 * with the NUL; transaction with its marker) and the text, padded to words. *lost: the ring was too small. */
const uint32_t *trial_records(struct trial *t, size_t *words, int *lost);
/* Requests that origins got since the last request began, each "backend\nMETHOD URL\nName: value\n...\n\n"
 * and then the body's bytes are left out. */
const char *trial_origin_heads(const struct trial *t, size_t *bytes);
/* How often the policy's rule i was taken in this world; ERR_NOTFOUND past the last rule. */
int trial_rule_hits(const struct trial *t, int i);

#endif
