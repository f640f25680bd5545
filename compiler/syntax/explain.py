"""Explains one failure of a parser: a message, a remedy, and the tokens to underline.

First come explanations for the forms of 5.0 (``explain_five.py``) and for the current rule
(``explain_declarations.py``, ``explain_statements.py``), then those for any rule (``explain_anywhere.py``).
"""

from __future__ import annotations

from collections.abc import Callable

from vernis.syntax import remedies
from vernis.syntax.driver import Failure
from vernis.syntax.explain_five import InFive
from vernis.syntax.generated.token_types import R
from vernis.syntax.stock import phrase
from vernis.syntax.stumble import Remark


class Explainer(InFive):
    """Explains the failures of one token stream."""

    def explain(self, failure: Failure) -> Remark:
        if self._in_template(failure):
            code, message, help_ = remedies.TEMPLATE
            return Remark(code, message, help_, failure.token, failure.token, stock=phrase("syntax"))
        remark = self.header_in_brackets(failure) or self.in_five(failure)
        if remark is not None:
            return remark
        for explainer in _BY_RULE.get(failure.rule, ()):
            remark = explainer(self, failure)
            if remark is not None:
                return remark
        for explainer in _GENERAL:
            remark = explainer(self, failure)
            if remark is not None:
                return remark
        return Remark(
            "V201",
            f"{self.shown(failure.token)} does not belong here",
            self._expectation(failure),
            failure.token,
            failure.token,
        )


_Explainer = Callable[[Explainer, Failure], Remark | None]

_BY_RULE: dict[int, tuple[_Explainer, ...]] = {
    R.program: (Explainer.top_level,),
    R.block: (Explainer.in_block,),
    R.properties: (Explainer.in_properties,),
    R.aclEntries: (Explainer.in_acl,),
    R.field: (Explainer.in_field,),
    R.fieldName: (Explainer.in_field,),
    R.acl: (Explainer.in_acl_head,),
    R.aclFlag: (Explainer.in_acl_head,),
    R.aclEntry: (Explainer.in_acl_entry,),
    R.aclAddress: (Explainer.in_acl_entry,),
    R.optionalAddress: (Explainer.in_acl_entry,),
    R.maskBits: (Explainer.in_acl_entry,),
    R.version: (Explainer.in_version,),
    R.backend: (Explainer.in_backend,),
    R.importModule: (Explainer.in_import,),
    R.importAlias: (Explainer.in_import,),
    R.string: (Explainer.in_string,),
    R.declaredName: (Explainer.in_declared_name,),
    R.name: (Explainer.in_name,),
    R.setStatement: (Explainer.in_set,),
    R.assignment: (Explainer.in_set,),
    R.unsetStatement: (Explainer.in_unset,),
    R.returnStatement: (Explainer.in_return,),
    R.action: (Explainer.in_return,),
    R.newStatement: (Explainer.in_new,),
    R.condition: (Explainer.in_condition,),
    R.functionStatement: (Explainer.in_function,),
    R.arguments: (Explainer.in_function,),
}

_GENERAL: tuple[_Explainer, ...] = (
    Explainer.foreign_statement,
    Explainer.bare_text,
    Explainer.operator_words,
    Explainer.negation_word,
    Explainer.foreign_operators,
    Explainer.missing_parenthesis,
    Explainer.missing_value,
    Explainer.assignment,
    Explainer.juxtaposition,
)
