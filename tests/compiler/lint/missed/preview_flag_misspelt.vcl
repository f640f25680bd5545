# Editors never saw a preview: two letters had changed places.

sub vcl_recv {
    unset req.http.X-Preview-Mode;
    if (req.url ~ "[?&]preview=1") {
        set req.http.X-Preview-Mode = "1";
    }
    if (req.http.X-Preveiw-Mode) { #! UN010
        return (pass);
    }
}
