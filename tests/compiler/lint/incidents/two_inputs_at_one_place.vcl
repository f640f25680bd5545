# https://github.com/magento/magento2/pull/29360
# A key got the store on one path and the currency on another.

sub vcl_hash {
    if (req.http.Store) {
        hash_data(req.http.Store);
    }
    if (req.http.Content-Currency) {
        hash_data(req.http.Content-Currency); #! CK004
    }
}
