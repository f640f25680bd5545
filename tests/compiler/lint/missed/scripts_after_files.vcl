# Scripts were to be passed.

sub vcl_recv {
    if (req.url ~ "\.(css|js|png)") {
        return (hash); #! CS003 CS005
    }
    if (req.url ~ "\.js$") { #! FL002
        return (pass);
    }
}
