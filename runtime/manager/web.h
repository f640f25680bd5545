/* A small HTTP server in the manager's event loop, for the metrics and the dashboard. libmicrohttpd speaks
 * HTTP. Connections are few and bounded in size; each gets one answer and ends WEB_CONNECTION_S after it
 * began, except a stream of events, which lasts until one side ends it. If all are taken, the oldest one that
 * is no stream ends. The worker is not involved. */
#ifndef VERNIS_MANAGER_WEB_H
#define VERNIS_MANAGER_WEB_H

#include "base/text.h"

#define WEB_CONNECTIONS_MAX 32u
/* also how long the client of a stream may leave a text unread */
#define WEB_CONNECTION_S 5
/* Memory of a connection: its request and the head of the answer. */
#define WEB_REQUEST_BYTES_MAX (16u << 10)

/* of the kernel, for an answer that its client does not read */
#define WEB_SEND_BYTES (32 << 10)

struct events;
struct listens;
struct web;
struct web_request;

struct web_field { /* of a response head */
    const char *name, *value;
};

struct web_answer {
    unsigned status;
    struct span body; /* lent until web_answer_fn has returned and the answer was copied */
    const char *type; /* Content-Type */
    const struct web_field *fields;
    unsigned n_fields;
    bool streams; /* after `body`, the client gets each text of web_publish */
};

/* Answers a GET or HEAD. `out` has status 404 and an empty body at first. */
typedef void web_answer_fn(void *arg, const struct web_request *request, struct web_answer *out);

struct web_env { /* lent for the life of the server */
    struct events *events;
    const char *name;        /* of the listen sockets in an upgrade (passed.h) */
    struct listens *sockets; /* the server opens and closes them */
    const char *parameter;   /* whose value the address is */
    web_answer_fn *answer;
    void *arg;
};

/* ERR_SYS or ERR_SYNTAX with a line in `why`. *out may be set then, too: close it. */
int web_open(const struct web_env *env, const char *address, struct web **out, struct text *why);
void web_close(struct web **w); /* harmless when not open */

const char *web_path(const struct web_request *r);
/* A field of the request head, or an argument of its query. NULL: absent. */
const char *web_request_field(const struct web_request *r, const char *name);
const char *web_argument(const struct web_request *r, const char *name);

unsigned web_streams(const struct web *w);
/* Sends a text on each stream. A client that has not yet taken the text before misses this one. */
void web_publish(struct web *w, struct span text);

#endif
