/* The worker's descriptors: as many as the system allows, and how many of them clients may take. */
#ifndef VERNIS_DESCRIPTORS_H
#define VERNIS_DESCRIPTORS_H

#define DESCRIPTORS_RESERVED_PARTS 4u   /* descriptors_reserved takes at most this part of all */

/* Raises the soft limit to the hard one. Returns the most client connections that may be open at once, and says so where it is less
 * than sessions_max. */
unsigned descriptors_for_sessions(void);

#endif
