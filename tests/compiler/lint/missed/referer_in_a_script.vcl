# The link's page stands in a script.

sub vcl_synth {
    set resp.body = {"<script>var ref = ""} + req.http.Referer + {"";</script>"}; #! SEC008
    return (deliver);
}
