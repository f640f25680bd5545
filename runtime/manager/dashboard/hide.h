/* Values of parameters that identify a person or a session, such as `token` and `password`: the dashboard
 * shows URLs without them (docs/hiding.md). */
#ifndef VERNIS_MANAGER_DASHBOARD_HIDE_H
#define VERNIS_MANAGER_DASHBOARD_HIDE_H

#include "base/span.h"

/* Copies a URL as a text of at most `bytes` with its NUL. It has HIDE_MARK in place of such values, so that
 * the requests of all users become one row. A longer URL is cut. */
#define HIDE_MARK "hidden"
void hide_url(char *to, size_t bytes, struct span url);

#endif
