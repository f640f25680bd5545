/* The record kinds of the shared-memory log, by the numbers that readers of Varnish 7.1 know. A message's records are five
 * families of equal order: add LOG_URL to LOG_REQ and you have ReqURL. */
#ifndef VERNIS_TAGS_H
#define VERNIS_TAGS_H

enum log_tag {
    TAG_DEBUG = 1, TAG_ERROR, TAG_CLI, TAG_SESS_OPEN, TAG_SESS_CLOSE, TAG_BACKEND_OPEN, TAG_BACKEND_REUSE, TAG_BACKEND_CLOSE,
    TAG_HTTP_GARBAGE, TAG_PROXY, TAG_PROXY_GARBAGE, TAG_BACKEND, TAG_LENGTH, TAG_FETCH_ERROR,
    TAG_REQ = 15, TAG_RESP = 23, TAG_BEREQ = 31, TAG_BERESP = 39, TAG_OBJ = 47,      /* first of a family */
    TAG_BOGO_HEADER = 55, TAG_LOST_HEADER, TAG_TTL, TAG_FETCH_BODY, TAG_VCL_ACL, TAG_VCL_CALL, TAG_VCL_TRACE, TAG_VCL_RETURN,
    TAG_REQ_START, TAG_HIT, TAG_HIT_PASS, TAG_EXP_BAN, TAG_EXP_KILL, TAG_WORK_THREAD, TAG_ESI_XMLERROR, TAG_HASH,
    TAG_BACKEND_HEALTH, TAG_VCL_LOG, TAG_VCL_ERROR, TAG_GZIP, TAG_LINK, TAG_BEGIN, TAG_END, TAG_VSL, TAG_STORAGE,
    TAG_TIMESTAMP, TAG_REQ_ACCT, TAG_PIPE_ACCT, TAG_BEREQ_ACCT, TAG_VFP_ACCT, TAG_WITNESS, TAG_BACKEND_START,
    TAG_H2_RX_HDR, TAG_H2_RX_BODY, TAG_H2_TX_HDR, TAG_H2_TX_BODY, TAG_HIT_MISS, TAG_FILTERS, TAG_SESS_ERROR, TAG_VCL_USE,
    TAG_NOTICE, TAG_VDP_ACCT, TAG_COUNT
};

/* Added to the first tag of a family. */
enum log_part { LOG_METHOD, LOG_URL, LOG_PROTOCOL, LOG_STATUS, LOG_REASON, LOG_HEADER, LOG_UNSET, LOG_LOST };

/* By number; index 0 is no kind, and NULL ends. */
extern const char *const log_tag_names[TAG_COUNT + 1];

int log_tag_find(const char *name);     /* in any case; 0 when there is no such kind */

_Static_assert(TAG_VDP_ACCT == 96 && TAG_BOGO_HEADER == TAG_OBJ + 8, "numbers of Varnish 7.1");

#endif
