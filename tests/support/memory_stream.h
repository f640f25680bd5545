/* Clients in memory: a second implementation of the stream (stream/stream.h), which the tests own. It does
 * what HTTP/1, HTTP/2 and HTTP/3 do: several streams in one session, windows that open byte by byte, turns,
 * one write at the end of a round, release long after taking, resets at any step, refusal, interim responses,
 * trailers, tunnels. One thread, one loop.
 *
 * A byte that the stream takes is not copied before it is released: memory that its owner frees too early is
 * found by ASan. So is the head's text, which lives in a block of its own until head_unused or `done`. */
#ifndef VERNIS_TESTS_SUPPORT_MEMORY_STREAM_H
#define VERNIS_TESTS_SUPPORT_MEMORY_STREAM_H

#include "stream/service.h"
#include "stream/session.h"

#define MEMORY_STREAMS 8
#define MEMORY_BODY_PIECES 8
#define MEMORY_TAKEN 4096 /* pieces taken and not yet released */
#define MEMORY_RESPONSE_BYTES (1u << 18)

struct memory_session;

struct memory_stream {
    struct stream stream;
    struct memory_session *of;

    /* Bytes that the client sends: filled in before memory_begin, or later. */
    const char *body[MEMORY_BODY_PIECES]; /* each is one receipt; in a tunnel too */
    unsigned body_pieces, body_at;
    bool body_waits;      /* after the pieces more may come (memory_send); otherwise the end */
    int body_ends_with;   /* enum err instead of the end */
    const char *trailers; /* lines "Name: value\n" */

    /* Limits that the client sets. */
    size_t window;      /* bytes that may still be taken */
    size_t turn_bytes;  /* the budget of a turn */
    bool not_its_turn;  /* the socket is writable, but other streams go first */
    bool releases_late; /* only memory_release releases */
    int head_fails;     /* send_head returns this error */
    int interim_fails;
    bool no_trailers; /* the framing has no trailers */

    /* Bytes and events that the client got. */
    unsigned status;
    char head[4096]; /* fields, lines that end with \n */
    char interim[1024];
    int64_t announced; /* body_bytes of send_head */
    bool has_body, got_head, failure, ended, got_trailers;
    char *response; /* released body bytes */
    size_t response_bytes;
    bool was_reset, refused, over;
    enum stream_why why;
    bool head_is_unused, in_tunnel, tunnel_is_shut;
    unsigned turns;

    /* private */
    char *text; /* head of the request */
    struct fiber *reader;
    struct iovec taken[MEMORY_TAKEN];
    unsigned n_taken;
    bool queued; /* open, but waits for the end of another stream */
};

struct memory_session {
    struct session session;
    struct memory_stream streams[MEMORY_STREAMS];
    unsigned n;
    struct timer flush; /* at the next turn of the loop */
    unsigned flushes;   /* writes, at most one each round */
    bool open, goaway, reset_at_exit;
};

/* Call these on the loop. */
void memory_session_open(struct memory_session *m, struct service *sv);
void memory_session_close(struct memory_session *m); /* after the end of all its streams */
/* A new stream. By default it takes everything at once and releases it at the end of the round. */
struct memory_stream *memory_stream_new(struct memory_session *m);
/* Its head: "GET /a\nName: value\n". The content is `body`, of a length that is known, unless body_waits:
 * then it is not. */
void memory_begin(struct memory_stream *s, const char *head);
/* The same, but it waits for the end of another stream, as in HTTP/1. */
void memory_begin_queued(struct memory_stream *s, const char *head);
void memory_send(struct memory_stream *s, const char *piece); /* more content */
void memory_send_end(struct memory_stream *s, int err);       /* 0: end of the content */
void memory_open_window(struct memory_stream *s, size_t n);
void memory_give_turn(struct memory_stream *s);
void memory_release(struct memory_stream *s, size_t n); /* the oldest taken bytes, at most all of them */
void memory_leave(struct memory_stream *s);             /* the client resets it */

#endif
