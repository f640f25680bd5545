# https://github.com/IBM/varnish-operator/issues/78
# Only the URL was in the key, so that two hosts of one application shared their pages.

sub vcl_hash {
    hash_data(req.url);
    return (lookup); #! CK002
}
