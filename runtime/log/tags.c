/* Names of the record kinds, as vsl_mask and every reader know them. */
#include "log/tags.h"

#include <stddef.h>
#include <strings.h>

const char *const log_tag_names[TAG_COUNT + 1] = {
    "", "Debug", "Error", "CLI", "SessOpen", "SessClose", "BackendOpen", "BackendReuse", "BackendClose", "HttpGarbage", "Proxy",
    "ProxyGarbage", "Backend", "Length", "FetchError", "ReqMethod", "ReqURL", "ReqProtocol", "ReqStatus", "ReqReason",
    "ReqHeader", "ReqUnset", "ReqLost", "RespMethod", "RespURL", "RespProtocol", "RespStatus", "RespReason", "RespHeader",
    "RespUnset", "RespLost", "BereqMethod", "BereqURL", "BereqProtocol", "BereqStatus", "BereqReason", "BereqHeader",
    "BereqUnset", "BereqLost", "BerespMethod", "BerespURL", "BerespProtocol", "BerespStatus", "BerespReason",
    "BerespHeader", "BerespUnset", "BerespLost", "ObjMethod", "ObjURL", "ObjProtocol", "ObjStatus", "ObjReason",
    "ObjHeader", "ObjUnset", "ObjLost", "BogoHeader", "LostHeader", "TTL", "Fetch_Body", "VCL_acl", "VCL_call", "VCL_trace",
    "VCL_return", "ReqStart", "Hit", "HitPass", "ExpBan", "ExpKill", "WorkThread", "ESI_xmlerror", "Hash", "Backend_health",
    "VCL_Log", "VCL_Error", "Gzip", "Link", "Begin", "End", "VSL", "Storage", "Timestamp", "ReqAcct", "PipeAcct",
    "BereqAcct", "VfpAcct", "Witness", "BackendStart", "H2RxHdr", "H2RxBody", "H2TxHdr", "H2TxBody", "HitMiss", "Filters",
    "SessError", "VCL_use", "Notice", "VdpAcct", NULL
};

int
log_tag_find(const char *name)
{
    for (int tag = TAG_DEBUG; tag < TAG_COUNT; tag++)
        if (strcasecmp(log_tag_names[tag], name) == 0)
            return tag;
    return 0;
}
