/* Look-ups that compiled code makes. A row is a number that means nothing but its row, and only within one
 * transaction; -1: there is none. */
#include "base/check.h"
#include "policy/exports.h"
#include "policy/state.h"
#include "policy/table/tables.h"

#define NO_ROW (-1)

static int64_t
row_or_none(uint32_t row)
{
    return row == TABLE_NO_ROW ? NO_ROW : (int64_t)row;
}

int64_t
vcl_table_find(struct policy_ctx *ctx, int64_t table, struct span key)
{
    return key.ptr == NULL ? NO_ROW : row_or_none(table_find(table_of_transaction(ctx, table), key));
}

int64_t
vcl_table_find_ip(struct policy_ctx *ctx, int64_t table, const struct vcl_ip *key)
{
    return key == NULL ? NO_ROW
                       : row_or_none(table_find_ip(table_of_transaction(ctx, table), key->family, key->addr));
}

/* The value of a row; the compiler asks only for rows that were found, and by their type. */
static struct span
value_at(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    CHECK(row >= 0 && row < TABLE_NO_ROW);
    return table_value(table_of_transaction(ctx, table), (uint32_t)row);
}

struct span
vcl_table_text(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    return row == NO_ROW ? SPAN_NULL : value_at(ctx, table, row);
}

int64_t
vcl_table_int(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    int64_t value = 0;
    if (row != NO_ROW)
        memcpy(&value, value_at(ctx, table, row).ptr, sizeof value);
    return value;
}

double
vcl_table_real(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    double value = 0;
    if (row != NO_ROW)
        memcpy(&value, value_at(ctx, table, row).ptr, sizeof value);
    return value;
}

int64_t
vcl_table_bytes(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    return vcl_table_int(ctx, table, row);
}

double
vcl_table_duration(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    return vcl_table_real(ctx, table, row);
}

int32_t
vcl_table_bool(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    return vcl_table_int(ctx, table, row) != 0;
}

const struct vcl_ip *
vcl_table_ip(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    return row == NO_ROW ? NULL : (const struct vcl_ip *)(const void *)value_at(ctx, table, row).ptr;
}

struct director *
vcl_table_backend(struct policy_ctx *ctx, int64_t table, int64_t row)
{
    return row == NO_ROW ? NULL : vcl_ref_backend(ctx, vcl_table_int(ctx, table, row));
}
