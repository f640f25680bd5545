/* The worker's limit of open descriptors, and how many of them client connections may use. */
#ifndef VERNIS_WORKER_DESCRIPTORS_H
#define VERNIS_WORKER_DESCRIPTORS_H

#define DESCRIPTORS_RESERVED_PARTS 4u /* descriptors_reserved takes at most one part in this many */

/* Raises the soft limit to the hard one. Returns how many client connections may be open at once; logs the
 * number if it is less than sessions_max. */
unsigned descriptors_for_sessions(void);

#endif
