/* An origin in memory: a second implementation of the exchange (stream/exchange.h), which the tests own. A
 * test lists the answers that the next exchanges get, one each; the origin notes what it was sent and how
 * each exchange ended. It answers late, in pieces or wrong, refuses, and dies at any step. One thread, one
 * loop. */
#ifndef TEST_MEMORY_EXCHANGE_H
#define TEST_MEMORY_EXCHANGE_H

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
    const char *head;                   /* "HTTP/1.1 200 OK\nName: value\n": lines that end with \n */
    const char *interim[MEMORY_PIECES]; /* heads before it */
    const char *body[MEMORY_PIECES];    /* each is one receipt */
    const char *trailers;               /* lines as in a head */
    bool until_close, wrong;   /* of the content: its end is the connection's; it cannot be received */
    bool straight;             /* content is waited for in recv_body, as where nothing frames it */
    void (*meanwhile)(void);   /* called before the final head is received */
    bool reused;               /* on a connection that has served others */
    enum memory_step dies_at;  /* for MEMORY_RECV_BODY: behind the pieces */
    int dies_with;             /* enum err */
    int number;                /* of MEMORY_OPEN: errno */
    const char *why;           /* NULL: "the origin died" */
    enum exchange_retry retry; /* may the request that died be sent again? */
    const char *garbage;
    unsigned late; /* 1u << enum memory_step: these wait for memory_go, each time */
};

/* The outcome of one exchange. */
struct memory_record {
    char head[MEMORY_TEXT_BYTES]; /* start line and fields, lines that end with \n */
    char body[MEMORY_TEXT_BYTES];
    size_t head_bytes, body_bytes;
    bool body_ended, trailers_sent;
    bool fresh; /* it was asked for on a new connection */
    bool ended, kept, interrupted;
    enum backend_close close_why;
};

#define MEMORY_EXCHANGES 32

struct memory_origin {
    struct memory_answer answers[MEMORY_EXCHANGES];
    struct memory_record records[MEMORY_EXCHANGES];
    unsigned n_answers, n_opened;
    unsigned n_live; /* exchanges that have not ended */
    /* A tunnel: what the origin has to say, and whether it then closes. */
    const char *tunnel_says;
    bool tunnel_closes, tunnel_stuck, tunnel_shut;
};

extern struct memory_origin memory_origin;

void memory_origin_reset(void);
void memory_answer(struct memory_answer answer); /* for the next exchange that has none */
bool memory_waits(enum memory_step step);        /* the newest exchange waits there */
void memory_go(void);                 /* it goes on; with nobody waiting, the next one need not wait */
struct exchange *memory_newest(void); /* NULL: it has ended */
const struct exchange_protocol *memory_protocol_of(const struct backend *b); /* for proxy_env */

#endif
