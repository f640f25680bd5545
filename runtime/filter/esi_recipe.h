/* The recipe of a page with ESI instructions, stored with the object: a list of pieces in the order of the
 * stored page. It has no pointers and no memory offsets, so that every process can read it:
 *
 *     byte   flags of the page (ESI_GZIP)
 *     then per piece: byte kind, and
 *       ESI_KEEP      number of stored bytes; with ESI_GZIP also number of plain bytes, and their CRC-32 in 4
 *                     bytes, little-endian
 *       ESI_SKIP      number of stored bytes
 *       ESI_INCLUDE   byte flags (ESI_CONTINUE, ESI_HOST), [number, host], number, target
 *
 * Numbers are LEB128. A reader checks everything: a recipe may come from a disk or a peer one day. */
#ifndef VERNIS_FILTER_ESI_RECIPE_H
#define VERNIS_FILTER_ESI_RECIPE_H

#include <stdint.h>

#include "filter/esi_parse.h"

#define ESI_GZIP 1u
#define ESI_CONTINUE 1u
#define ESI_HOST 2u

enum esi_piece_kind { ESI_KEEP = 1, ESI_SKIP, ESI_INCLUDE };

struct esi_piece {
    enum esi_piece_kind kind;
    uint64_t bytes;             /* keep, skip: stored bytes */
    uint64_t plain_bytes;       /* keep, for a page in gzip: length before compression */
    uint32_t crc;               /* CRC-32 of the plain bytes */
    struct esi_include include; /* points into the recipe */
};

/* A recipe under construction. Zeroed = empty. */
struct esi_recipe {
    char *bytes; /* owned */
    size_t n, room;
    bool failed; /* memory ran out: the recipe is incomplete */
};

void esi_recipe_begin(struct esi_recipe *r, unsigned flags);
void esi_recipe_add(struct esi_recipe *r, const struct esi_piece *piece);
void esi_recipe_release(struct esi_recipe *r);

/* Reads the flags and advances past them. ERR_SYNTAX: not a recipe. */
int esi_recipe_open(struct span *recipe, unsigned *flags);
/* Reads the next piece: 1, 0 at the end, ERR_SYNTAX. */
int esi_recipe_next(struct span *rest, unsigned flags, struct esi_piece *out);
bool esi_recipe_includes(struct span recipe); /* one of the pieces is an include */

#endif
