"""The tool that makes the policies of other people's repositories compile, on a repository of our own."""

from __future__ import annotations

from pathlib import Path

from corpus_policies import Repository, hooks_of

FILES = {
    "etc/default.vcl": 'vcl 4.0; include "/etc/varnish/parts/shop.vcl"; import oddity;\nbackend b { .host = "shop.invalid"; .port = "@PORT_OF_SHOP@"; }\n'
                       'acl a { "admin.invalid"; }\nsub vcl_recv { C{ int n; }C if (client.ip ~ a) { oddity.note("in"); call shop; } }\n',
    "etc/parts/shop.vcl": "sub shop { return (pass); }\n",
    "etc/recv/old.vcl": 'if (req.url ~ "x") { return (lookup); }\n',
    "etc/recv/new.vcl": 'if (req.url ~ "x") { call mark; return (hash); }\n',
    "etc/lib.vcl.example": 'sub mark { set req.http.X-Mark = "1"; }\nsub other { call nobody_has_it_but_an_acl; }\n',
}


def test_a_published_policy_compiles_and_a_part_takes_what_its_repository_has(tmp_path: Path) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = {str(Path(one.run.path).relative_to(tmp_path)): one for one in Repository.read(tmp_path).policies(tmp_path)}
    assert found["etc/default.vcl"].whole and "etc/parts/shop.vcl" not in found
    assert [len(file.data.splitlines()) for file in found["etc/default.vcl"].run.sources.files[:2]] == [4, 1]
    assert not found["etc/recv/new.vcl"].whole and b'set req.http.X-Mark = "1"' in found["etc/recv/new.vcl"].run.sources.files[0].data
    assert "etc/recv/old.vcl" not in found  # lookup is for vcl_hash, and the path says vcl_recv


def test_a_key_is_made_where_something_is_hashed() -> None:
    assert hooks_of("/x/recv/a.vcl", b"return (lookup);") == ["vcl_recv"]
    assert "vcl_hash" not in hooks_of("/x/a.vcl", b"return (lookup);")
    assert "vcl_hash" in hooks_of("/x/a.vcl", b"hash_data(req.url);")
