# https://github.com/alphagov/govuk-cdn-config/pull/245
# The method was in the key, so that a purge found nothing.

acl publishers {
    "192.0.2.20";
}

sub vcl_recv {
    if (req.method == "PURGE" && client.ip ~ publishers) {
        return (purge);
    }
}

sub vcl_hash {
    hash_data(req.method); #! CK005
}
