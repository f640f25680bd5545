/* Reasons why a stream ends early, and why a session ends. There are two lists, because one session may carry
 * many streams: the first is for the peer (an error code of HTTP/2 or HTTP/3), the second for the log and the
 * counters (SessClose). */
#ifndef VERNIS_STREAM_REASON_H
#define VERNIS_STREAM_REASON_H

enum stream_why {
    STREAM_CANCELLED,   /* the client left, or reset the stream */
    STREAM_REFUSED,     /* the request was not processed: the client may send it again */
    STREAM_FAILED,      /* the response cannot be completed */
    STREAM_RANGE_SHORT, /* the content ended before the range that the head promised */
    STREAM_SLOW,        /* the client did not take the response in time */
    STREAM_IDLE,        /* for too long, the client took nothing of the response */
    STREAM_WHY_COUNT
};

/* SC_NONE: the session goes on. */
enum session_why {
    SC_NONE,
    SC_REM_CLOSE,
    SC_REQ_CLOSE,
    SC_REQ_HTTP10,
    SC_RX_BAD,
    SC_RX_BODY,
    SC_RX_JUNK,
    SC_RX_OVERFLOW,
    SC_RX_TIMEOUT,
    SC_RX_CLOSE_IDLE,
    SC_TX_PIPE,
    SC_TX_ERROR,
    SC_TX_EOF,
    SC_RESP_CLOSE,
    SC_OVERLOAD,
    SC_PIPE_OVERFLOW,
    SC_RANGE_SHORT,
    SC_REQ_HTTP20,
    SC_VCL_FAILURE,
    SC_COUNT
};

#endif
