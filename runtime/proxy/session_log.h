/* The transaction of a client connection in the log, and the counters of how connections end. */
#ifndef VERNIS_SESSION_LOG_H
#define VERNIS_SESSION_LOG_H

#include "proxy/stream.h"

struct client;

void session_log_open(struct client *c);                /* takes its number; began = now */
void session_log_close(struct client *c, enum stream_close why);
const char *stream_close_name(enum stream_close why);   /* "REM_CLOSE" */

#endif
