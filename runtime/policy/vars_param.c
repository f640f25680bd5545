/* The accessors of param.*: the values of parameters, as they are now. */
#include "base/params.h"
#include "policy/exports.h"

double
vcl_get_param_backend_idle_timeout(struct policy_ctx *ctx)
{
    return params.backend_idle_timeout_s;
}

int64_t
vcl_get_param_backend_wait_limit(struct policy_ctx *ctx)
{
    return params.backend_wait_limit;
}

double
vcl_get_param_backend_wait_timeout(struct policy_ctx *ctx)
{
    return params.backend_wait_timeout_s;
}

double
vcl_get_param_between_bytes_timeout(struct policy_ctx *ctx)
{
    return params.between_bytes_timeout_s;
}

double
vcl_get_param_connect_timeout(struct policy_ctx *ctx)
{
    return params.connect_timeout_s;
}

double
vcl_get_param_default_grace(struct policy_ctx *ctx)
{
    return params.default_grace_s;
}

double
vcl_get_param_default_keep(struct policy_ctx *ctx)
{
    return params.default_keep_s;
}

double
vcl_get_param_default_ttl(struct policy_ctx *ctx)
{
    return params.default_ttl_s;
}

double
vcl_get_param_first_byte_timeout(struct policy_ctx *ctx)
{
    return params.first_byte_timeout_s;
}

double
vcl_get_param_idle_send_timeout(struct policy_ctx *ctx)
{
    return params.idle_send_timeout_s;
}

int64_t
vcl_get_param_max_esi_depth(struct policy_ctx *ctx)
{
    return params.max_esi_depth;
}

int64_t
vcl_get_param_max_restarts(struct policy_ctx *ctx)
{
    return params.max_restarts;
}

int64_t
vcl_get_param_max_retries(struct policy_ctx *ctx)
{
    return params.max_retries;
}

double
vcl_get_param_pipe_task_deadline(struct policy_ctx *ctx)
{
    return params.pipe_task_deadline_s;
}

double
vcl_get_param_pipe_timeout(struct policy_ctx *ctx)
{
    return params.pipe_timeout_s;
}

double
vcl_get_param_send_timeout(struct policy_ctx *ctx)
{
    return params.send_timeout_s;
}

double
vcl_get_param_shortlived(struct policy_ctx *ctx)
{
    return params.shortlived_s;
}

double
vcl_get_param_timeout_idle(struct policy_ctx *ctx)
{
    return params.timeout_idle_s;
}

int64_t
vcl_get_param_transit_buffer(struct policy_ctx *ctx)
{
    return params.transit_buffer_bytes;
}

double
vcl_get_param_uncacheable_ttl(struct policy_ctx *ctx)
{
    return params.uncacheable_ttl_s;
}
