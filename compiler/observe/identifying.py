"""The names of fields, parameters and attributes whose values identify a person or a session.

One table for all outputs that hide such values (compiler/observe/hiding.py, docs/hiding.md).
mk/identifying.py makes a C table of the names of parameters, for the dashboard, so this file imports nothing
of Vernis.
"""

from __future__ import annotations

#: Fields with credentials. Of a known scheme the name stays.
CREDENTIALS = ("authorization", "proxy-authorization", "x-authorization")

#: Further fields whose whole value identifies.
FIELDS = (
    "authentication-info", "from", "proxy-authentication-info", "remote-user", "ssl-client-cert",
    "x-api-key", "x-auth", "x-auth-key", "x-auth-user", "x-client-cert", "x-customer-id", "x-email",
    "x-forwarded-client-cert", "x-forwarded-email", "x-forwarded-user", "x-remote-user", "x-ssl-client-cert",
    "x-user", "x-user-email", "x-user-id",
)  # fmt: skip

#: Fields with addresses of clients.
ADDRESSES = (
    "cf-connecting-ip", "client-ip", "fastly-client-ip", "true-client-ip", "x-client-ip",
    "x-cluster-client-ip", "x-forwarded-for", "x-original-forwarded-for", "x-real-ip",
)  # fmt: skip

#: A field or parameter also identifies if a word of it ends so: reset_token, X-Session-Id, user[password].
WORD_ENDS = (
    "token", "secret", "password", "passwd", "passphrase", "session", "sessionid", "sessid", "apikey",
    "signature", "jwt", "csrf", "xsrf", "credential",
)  # fmt: skip

#: Parameters of a URL, beside those with one of the words above.
PARAMETERS = (
    "api_key", "api-key", "assertion", "auth", "code", "email", "hmac", "key", "login", "nonce", "otp",
    "pass", "pwd", "samlresponse", "sid", "sig", "state", "ticket", "user", "userid", "user_id", "username",
)  # fmt: skip

#: Attributes of Set-Cookie, whose values stay.
COOKIE_ATTRIBUTES = (
    "expires", "max-age", "domain", "path", "secure", "httponly", "samesite", "partitioned", "priority",
)  # fmt: skip

#: Schemes of credentials, whose names stay.
SCHEMES = (
    "basic", "bearer", "digest", "negotiate", "ntlm", "dpop", "hoba", "mutual", "apikey", "token",
    "aws4-hmac-sha256", "scram-sha-1", "scram-sha-256",
)  # fmt: skip
