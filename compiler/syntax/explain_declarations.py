"""Explains a failure by the grammar rule of its place: declarations and what they contain.

A method returns None for mistakes that can occur anywhere (``explain_anywhere.py``).
"""

from __future__ import annotations

from vernis.syntax import remedies
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.driver import Failure
from vernis.syntax.explain_anywhere import Anywhere
from vernis.syntax.generated.token_types import R, T
from vernis.syntax.remedies import nearest
from vernis.syntax.stock import phrase
from vernis.syntax.stumble import Remark
from vernis.syntax.tokens import STATEMENT_WORDS, STRINGS
from vernis.syntax.version import meant_version, version_help


class InDeclarations(Anywhere):
    """Explanations of syntax errors in one rule of a declaration."""

    def top_level(self, f: Failure) -> Remark | None:
        if f.rule != R.program:
            return None
        type, word = self.type(f.token), self.text(f.token)
        if type == T.NEW:
            return self._new_outside(f)
        if type in STATEMENT_WORDS:
            return Remark(
                "V221", f"{word} is outside a sub", "move it into a sub such as vcl_recv", f.token, f.token
            )
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if self._is_conflict(f.token):
            return Remark("V208", *remedies.UNRESOLVED, f.token, f.token)
        if type == T.IDENTIFIER:
            if word in remedies.OLD_DECLARATIONS:
                return Remark(
                    "V228",
                    f"{word} is a declaration of old VCL versions",
                    self._about_old_declaration(f),
                    f.token,
                    f.token,
                )
            if word in remedies.NEWER_WORDS:
                return Remark("V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[word], f.token, f.token)
            return Remark(
                "V208",
                f"unknown declaration '{word}'",
                nearest(word, remedies.DECLARATIONS, "declarations are " + ", ".join(remedies.DECLARATIONS)),
                f.token,
                f.token,
                self._respelled(f.token, remedies.DECLARATIONS),
                stock=phrase("found", word=word),
            )
        return Remark(
            "V208",
            f"{self.shown(f.token)} cannot begin a declaration",
            "declarations are " + ", ".join(remedies.DECLARATIONS),
            f.token,
            f.token,
        )

    def _new_outside(self, f: Failure) -> Remark:
        last = self.last_of_statement(f.token)
        edits: tuple[Edit, ...] = ()
        if last is not None:
            end = self.span(last + 1, last + 1)
            edits = (
                Edit(self._before(f.token), "sub vcl_init { "),
                Edit(Span(end.file, end.end, end.end), " }"),
            )
        return Remark(
            "V221",
            "new is outside a sub",
            "create objects in vcl_init: sub vcl_init { new ...; }",
            f.token,
            f.token,
            edits,
        )

    def _about_old_declaration(self, f: Failure) -> str:
        """Returns help for ``director NAME KIND {``, with the written name and kind."""
        word = self.text(f.token)
        kind = remedies.DIRECTORS.get(self.written_word(f.token + 2))
        if word != "director" or kind is None:
            return remedies.OLD_DECLARATIONS[word]
        new = f"new {self.text(f.token + 1)} = directors.{kind}();"
        return f"import directors; and in vcl_init: {new} then add_backend(...) for each"

    def _stray_semicolon(self, f: Failure) -> Remark:
        what = "after '}'" if self.type(f.token - 1) == T.RBRACE else "here"
        return Remark(
            "V237",
            f"VCL has no ';' {what}",
            "remove it",
            f.token,
            f.token,
            (Edit(self.span(f.token, f.token), ""),),
        )

    def in_properties(self, f: Failure) -> Remark | None:
        type = self.type(f.token)
        if f.expected == {T.LBRACE}:
            return Remark(
                "V233",
                f"expected the body, found {self.shown(f.token)}",
                "write: NAME { .field = value; }",
                f.token,
                f.token,
            )
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if type == T.IDENTIFIER:
            return Remark(
                "V229",
                f"the field '{self.text(f.token)}' does not begin with '.'",
                f"write: .{self.text(f.token)} = ...;",
                f.token,
                f.token,
                (Edit(self._before(f.token), "."),) if self.type(f.token + 1) == T.ASSIGN else (),
                stock=phrase("field syntax") if self.text(f.token) in ("set", "backend") else "",
            )
        return Remark(
            "V229", f"{self.shown(f.token)} cannot begin a field", "write: .name = value;", f.token, f.token
        )

    def in_acl(self, f: Failure) -> Remark | None:
        type = self.type(f.token)
        if f.expected == {T.LBRACE}:
            return self.in_acl_head(f)
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if self.written_word(f.token) == "not" and self.type(f.token + 1) in STRINGS:
            return Remark(
                "V230",
                "an ACL entry has no 'not'",
                f"write: ! {self.text(f.token + 1)}",
                f.token,
                f.token,
                (Edit(self.span(f.token, f.token), "!"),),
            )
        if type in (T.NUMBER, T.IDENTIFIER):
            return self._bare_address(f)
        if type in (T.LONG_STRING, T.TRIPLE_STRING):
            return None
        return Remark(
            "V230",
            f"{self.shown(f.token)} cannot begin an ACL entry",
            'write: "192.0.2.0"/24;',
            f.token,
            f.token,
        )

    def _bare_address(self, f: Failure) -> Remark:
        last = f.token
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.IDENTIFIER, T.DOT):
            last += 1
        if self.type(last + 1) not in (T.SEMI, T.SLASH):
            return Remark(
                "V230", "an address in an ACL needs quotes", 'write: "192.0.2.0"/24;', f.token, f.last
            )
        return Remark(
            "V230",
            "an address in an ACL needs quotes",
            f'write: "{self._joined(f.token, last)}"',
            f.token,
            last,
            self._quoted_edit(f.token, last),
        )

    def in_field(self, f: Failure) -> Remark | None:
        if T.ASSIGN in f.expected:
            edits = (
                (Edit(self.span_after(f.token - 1), " ="),)
                if self.type(f.token) in (T.LBRACE, *STRINGS)
                else ()
            )
            return Remark(
                "V229",
                f"missing '=' before {self.shown(f.token)}",
                "write: .name = value;",
                f.token,
                f.token,
                edits,
            )
        if self.type(f.token) == T.COMMA and T.SEMI in f.expected:
            return Remark(
                "V201",
                "fields end with ';'",
                "replace the ',' by ';'",
                f.token,
                f.token,
                (Edit(self.span(f.token, f.token), ";"),),
            )
        if self.type(f.token) == T.IDENTIFIER and f.rule == R.fieldName:
            return None
        if f.rule == R.fieldName or f.expected == {T.IDENTIFIER}:
            return Remark(
                "V229",
                f"{self.shown(f.token)} is not a field name",
                "write: .name = value;",
                f.token,
                f.token,
            )
        return None

    def in_acl_head(self, f: Failure) -> Remark | None:
        if f.rule == R.aclFlag or self.type(f.token) in (T.PLUS, T.MINUS):
            return Remark(
                "V232",
                f"{self.shown(f.token)} is not an ACL flag",
                "flags are +log, +table, -pedantic",
                f.token,
                f.token,
            )
        return Remark(
            "V232",
            f"expected ACL flags or the body, found {self.shown(f.token)}",
            'write: acl NAME { "192.0.2.0"/24; }',
            f.token,
            f.token,
        )

    def in_acl_entry(self, f: Failure) -> Remark | None:
        after_mask = self.type(f.token - 1) == T.NUMBER and self.type(f.token) in (T.DOT, T.IDENTIFIER)
        if after_mask and (bits := self._bits_of_mask(f.token - 1)) is not None:
            return bits
        if f.expected == {T.NUMBER} or after_mask:
            return Remark(
                "V231",
                f"{self.shown(f.token)} is not a number of bits",
                'write: "192.0.2.0"/24;',
                f.token,
                f.token,
            )
        if self.type(f.token) == T.SLASH and self.type(f.token - 1) == T.RPAREN:
            return Remark(
                "V231",
                "the number of bits goes inside the parentheses",
                'write: ("example.com"/24);',
                f.token,
                f.token,
            )
        if self.type(f.token) in (T.NUMBER, T.IDENTIFIER):
            return Remark(
                "V230", "an address in an ACL needs quotes", 'write: ! "192.0.2.1";', f.token, f.token
            )
        if self.type(f.token) == T.MINUS and self.type(f.token + 1) in STRINGS:
            return Remark(
                "V230",
                "an ACL has networks, not ranges",
                'write each network: "192.0.2.0"/24;',
                f.token,
                f.token,
            )
        if self.type(f.token) == T.COMMA:
            return Remark(
                "V230",
                "ACL entries end with ';'",
                "replace the ',' by ';'",
                f.token,
                f.token,
                (Edit(self.span(f.token, f.token), ";"),),
            )
        return None

    def _bits_of_mask(self, first: int) -> Remark | None:
        """Explains ``/255.0.0.0``, the mask of other programs."""
        last = first
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.DOT):
            last += 1
        bits = remedies.mask_bits(self._joined(first, last))
        if bits is None:
            return None
        return Remark(
            "V231",
            f"{self._joined(first, last)} is not a number of bits",
            f"write: /{bits}",
            first,
            last,
            (Edit(self.span(first, last), str(bits)),),
        )

    def in_version(self, f: Failure) -> Remark | None:
        stock = phrase("version end") if self.type(f.token - 1) == T.NUMBER else ""
        last = f.token
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.DOT):
            last += 1
        meant = meant_version(self._joined(f.token, last))
        is_whole = self.type(f.token - 1) == T.VCL and self.type(last + 1) == T.SEMI
        edits = (Edit(self.span(f.token, last), meant),) if meant and is_whole else ()
        return Remark(
            "V211",
            f"{self.shown(f.token)} is not a version",
            version_help(meant),
            f.token,
            f.token,
            edits,
            stock=stock,
        )

    def in_backend(self, f: Failure) -> Remark | None:
        if f.expected >= {T.NONE, T.LBRACE}:
            if self.type(f.token) == T.ASSIGN and self.type(f.token + 1) == T.LBRACE:
                return Remark(
                    "V233",
                    "VCL has no '=' between a backend and its body",
                    "remove it",
                    f.token,
                    f.token,
                    (Edit(self.span(f.token, f.token), ""),),
                )
            return Remark(
                "V233",
                f"expected the body of the backend, found {self.shown(f.token)}",
                'write: backend NAME { .host = "..."; } or: backend NAME none;',
                f.token,
                f.token,
            )
        return None

    def in_import(self, f: Failure) -> Remark | None:
        if self.type(f.token) == T.COMMA:
            return Remark("V238", "import takes one module", "write one import for each", f.token, f.token)
        quoted = f.token if self.type(f.token) in STRINGS else f.token - 1
        if quoted == f.first + 1 and self._is_quoted_name(quoted):
            return Remark(
                "V238",
                "module names have no quotes",
                f"write: import {self._unquoted(quoted)};",
                quoted,
                quoted,
                (Edit(self.span(quoted, quoted), self._unquoted(quoted)),),
            )
        if quoted == f.first + 1 and self.type(quoted) == T.STRING:
            help_ = f"write: import {self.text(quoted)} as NAME;"
            return Remark("V238", "an imported file has no name", help_, quoted, quoted)
        if f.expected == {T.IDENTIFIER} or f.rule == R.importAlias:
            return Remark(
                "V238", f"{self.shown(f.token)} is not a module name", "write: import std;", f.token, f.token
            )
        return Remark(
            "V238",
            f"{self.shown(f.token)} does not belong in an import",
            'write: import NAME [as NAME] [from "path"];',
            f.token,
            f.token,
        )

    def _is_quoted_name(self, i: int) -> bool:
        return self.type(i) == T.STRING and remedies.NAME.fullmatch(self._unquoted(i)) is not None

    def _unquoted(self, i: int) -> str:
        return self.text(i)[1:-1]

    def in_string(self, f: Failure) -> Remark | None:
        return self.in_import(f) if self.type(f.first) == T.IMPORT else None

    def in_declared_name(self, f: Failure) -> Remark | None:
        if self.type(f.first) == T.IMPORT:
            return self.in_import(f)
        word = self.text(f.token - 1) or "the declaration"
        shown = self.shown(f.token)
        if self.type(f.token) in (T.LBRACE, T.SEMI):
            return Remark("V234", f"{word} has no name", f"write: {word} NAME ...", f.token - 1, f.token - 1)
        if self._is_quoted_name(f.token):
            return Remark(
                "V234",
                "names are not quoted",
                f"write: {word} {self._unquoted(f.token)}",
                f.token,
                f.token,
                (Edit(self.span(f.token, f.token), self._unquoted(f.token)),),
            )
        return Remark(
            "V234",
            f"{shown} is not a name",
            "names are letters, digits, '_' and '-', and begin with a letter",
            f.token,
            f.token,
        )
