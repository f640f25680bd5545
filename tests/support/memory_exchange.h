/* An origin in memory: a second implementation of the exchange (stream/exchange.h), for tests. A test lists
 * one answer for each of the next exchanges. The origin records the requests and the ends of exchanges. It
 * can answer late, in pieces or wrongly, refuse, and die at any step. One thread, one loop. */
#ifndef VERNIS_TESTS_SUPPORT_MEMORY_EXCHANGE_H
#define VERNIS_TESTS_SUPPORT_MEMORY_EXCHANGE_H

#include "stream/exchange.h"

enum memory_step {
    MEMORY_NEVER,
    MEMORY_OPEN,
    MEMORY_SEND_HEAD,
    MEMORY_SEND_BODY,
    MEMORY_RECV_HEAD,
    MEMORY_RECV_BODY
};

#define MEMORY_PIECES 8
#define MEMORY_TEXT_BYTES 4096

struct memory_answer {
    const char *head;                   /* "HTTP/1.1 200 OK\nName: value\n"; each line ends with \n */
    const char *interim[MEMORY_PIECES]; /* interim heads before it */
    const char *body[MEMORY_PIECES];    /* each is one receipt */
    const char *trailers;               /* lines as in a head */
    bool until_close, wrong;            /* the content ends with the connection; the content is invalid */
    bool straight;                      /* recv_body waits for content, as without framing */
    void (*meanwhile)(void);            /* called before the final head is received */
    bool reused;                        /* on a connection with earlier exchanges */
    enum memory_step dies_at;           /* MEMORY_RECV_BODY: after the pieces */
    int dies_with;                      /* enum err */
    int number;                         /* errno of MEMORY_OPEN */
    const char *why;                    /* NULL: "the origin died" */
    enum exchange_retry retry;          /* may the failed request be sent again? */
    const char *garbage;
    unsigned late; /* bits 1u << enum memory_step: these steps wait for memory_go, each time */
};

/* The outcome of one exchange. */
struct memory_record {
    char head[MEMORY_TEXT_BYTES]; /* start line and fields; each line ends with \n */
    char body[MEMORY_TEXT_BYTES];
    size_t head_bytes, body_bytes;
    bool body_ended;
    bool fresh; /* the proxy asked for a new connection */
    bool ended, kept, interrupted;
    enum backend_close close_why;
};

#define MEMORY_EXCHANGES 32

struct memory_origin {
    struct memory_answer answers[MEMORY_EXCHANGES];
    struct memory_record records[MEMORY_EXCHANGES];
    unsigned n_answers, n_opened;
    unsigned n_live; /* exchanges that have not ended */
    /* A tunnel: the origin's bytes, and whether it closes afterwards. */
    const char *tunnel_says;
    bool tunnel_closes, tunnel_stuck, tunnel_shut;
};

extern struct memory_origin memory_origin;

void memory_origin_reset(void);
void memory_answer(struct memory_answer answer); /* for the next exchange without one */
bool memory_waits(enum memory_step step);        /* the newest exchange waits at this step */
void memory_go(void);                 /* continues it; without a waiter, the next wait returns at once */
struct exchange *memory_newest(void); /* NULL: ended */
exchange_open_fn memory_open;         /* for proxy_env */

#endif
