vcl 4.1;

<% backends.each do |name, host| -%>      ### V245 template
backend <%= name %> { .host = "<%= host %>"; }
<% end -%>

acl {{ name }} {
    "192.0.2.1";
}

sub vcl_recv {
    {{ set req.http.A = "a"; }}
    if (req.restarts > <%= @max %>) {      ### V245 template
        return (synth(503));
    }
}
