# https://github.com/alphagov/govuk-puppet/pull/10604
# One site got the redirect of another: the key had no host.

sub vcl_hash {
    hash_data(req.url);
    return (lookup); #! CK002
}
