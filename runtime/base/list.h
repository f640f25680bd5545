/* Intrusive doubly linked list. A list head is a node linked to itself; an unlinked node is zero or linked to
 * itself. No allocation, no ownership, no locking. */
#ifndef VERNIS_BASE_LIST_H
#define VERNIS_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
    struct list *next, *prev;
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

static inline void
list_init(struct list *l)
{
    l->next = l->prev = l;
}

static inline bool
list_linked(const struct list *n)
{
    return n->next != NULL && n->next != n;
}

static inline bool
list_empty(const struct list *head)
{
    return head->next == NULL || head->next == head;
}

static inline void
list_push_back(struct list *head, struct list *n)
{
    n->prev = head->prev;
    n->next = head;
    head->prev->next = n;
    head->prev = n;
}

static inline void
list_push_front(struct list *head, struct list *n)
{
    n->next = head->next;
    n->prev = head;
    head->next->prev = n;
    head->next = n;
}

static inline void
list_remove(struct list *n)         /* harmless on an unlinked node */
{
    if (!list_linked(n))
        return;
    n->next->prev = n->prev;
    n->prev->next = n->next;
    list_init(n);
}

static inline struct list *
list_pop_front(struct list *head)   /* NULL when empty */
{
    if (list_empty(head))
        return NULL;
    struct list *n = head->next;
    list_remove(n);
    return n;
}

#define list_first(head, type, member) \
    (list_empty(head) ? NULL : container_of((head)->next, type, member))
#define list_each(it, head) \
    for (struct list *it = (head)->next, *it##_next = it->next; it != (head); it = it##_next, it##_next = it->next)

#endif
