/* When objects die (past ttl, grace and keep): one binary heap per shard, earliest first. An object knows its
 * slot, so it can be removed or moved at any time. */
#include <stdlib.h>

#include "cache/expiry.h"
#include "cache/object_internal.h"

#define EXPIRY_FIRST 8u

static void
place(struct expiry *x, uint32_t slot, struct expiry_item item)
{
    DEBUG_CHECK(slot >= 1 && slot <= x->count && item.object->entry != NULL);
    x->items[slot] = item;
    item.object->expiry_slot = slot;
}

static void
sift_up(struct expiry *x, uint32_t slot, struct expiry_item item)
{
    DEBUG_CHECK(slot >= 1 && slot <= x->count);
    while (slot > 1 && x->items[slot / 2].death > item.death) {
        place(x, slot, x->items[slot / 2]);
        slot /= 2;
    }
    place(x, slot, item);
}

static uint32_t
earlier_child(const struct expiry *x, uint32_t slot)
{
    DEBUG_CHECK(slot * 2 <= x->count);
    uint32_t child = slot * 2;
    return child < x->count && x->items[child + 1].death < x->items[child].death ? child + 1 : child;
}

static void
sift_down(struct expiry *x, uint32_t slot, struct expiry_item item)
{
    DEBUG_CHECK(slot >= 1 && slot <= x->count);
    while (slot * 2 <= x->count) {
        uint32_t child = earlier_child(x, slot);
        if (x->items[child].death >= item.death)
            break;
        place(x, slot, x->items[child]);
        slot = child;
    }
    place(x, slot, item);
}

static void
settle(struct expiry *x, uint32_t slot, struct expiry_item item)
{
    if (slot > 1 && x->items[slot / 2].death > item.death)
        sift_up(x, slot, item);
    else
        sift_down(x, slot, item);
}

/* Memory of a heap's table. Tables grow by half, because doubling would leave up to 16 bytes per object
 * unused at a million objects. */
static int64_t
table_cost(uint32_t capacity)
{
    return (int64_t)mem_cost((capacity + 1) * sizeof(struct expiry_item));
}

static void
expiry_grow(struct expiry *x, struct storage *account)
{
    CHECK(x->count == x->capacity);
    uint32_t capacity = x->capacity == 0 ? EXPIRY_FIRST : x->capacity + x->capacity / 2;
    struct expiry_item *items = realloc(x->items, (capacity + 1) * sizeof *items);
    CHECK(items != NULL);
    DEBUG_CHECK(capacity > x->capacity);
    x->items = items;
    storage_hold(account, USE_INDEX, x->capacity == 0 ? 0 : table_cost(capacity) - table_cost(x->capacity));
    x->capacity = capacity;
}

void
expiry_set(struct expiry *x, struct object *o)
{
    CHECK(o->entry != NULL && o->expiry_slot <= x->count);
    struct expiry_item item = { object_death(o), o };
    if (o->expiry_slot != 0) {
        settle(x, o->expiry_slot, item);
        return;
    }
    if (x->count == x->capacity)
        expiry_grow(x, *object_storage(o)->largest);
    sift_up(x, ++x->count, item);
}

void
expiry_remove(struct expiry *x, struct object *o)
{
    uint32_t slot = o->expiry_slot;
    DEBUG_CHECK(x->count <= x->capacity);
    if (slot == 0)
        return;
    CHECK(slot <= x->count && x->items[slot].object == o);
    o->expiry_slot = 0;
    struct expiry_item last = x->items[x->count--];
    if (slot <= x->count)
        settle(x, slot, last);
}

struct object *
expiry_due(const struct expiry *x, nsec now)
{
    DEBUG_CHECK(x->count == 0 || x->items[1].object->expiry_slot == 1);
    return x->count > 0 && x->items[1].death <= now ? x->items[1].object : NULL;
}
