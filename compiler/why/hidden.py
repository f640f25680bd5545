"""An explanation without values that identify, for outputs that others will read.

The request was played with its real values, so the decisions are those of the policy. Here each text that an
output shows loses its identifying values (observe/hiding.py).
"""

from __future__ import annotations

import re

from vernis.observe.hiding import Hiding
from vernis.record import replace
from vernis.trial.world import LogRecord, Response
from vernis.why.changes import Change
from vernis.why.explain import Explanation
from vernis.why.inquiry import CLIENT, Fields, Given, Sent
from vernis.why.play import Played
from vernis.why.story import HookRun, Place, Statement, Story, Teller, Value

_FIELD = re.compile(r"[a-z]+\.http\.([\w-]+)")


def hidden(found: Explanation, hiding: Hiding) -> Explanation:
    _learn(found, hiding)
    verdict = found.verdict
    return replace(
        found,
        inquiry=replace(found.inquiry, sent=_sent(found.inquiry.sent, hiding)),
        teller=_Teller(found.teller, hiding),
        history=[_played(one, hiding) for one in found.history],
        verdict=replace(verdict, about=hiding.text(verdict.about)),
        changes=[_change(one, hiding) for one in found.changes],
        served=None
        if found.served is None
        else replace(found.served, reason=hiding.text(found.served.reason)),
    )


class _Teller(Teller):
    """Shows lines of the policy, which may have a value, too: an address in an ACL, a key in a comparison."""

    def __init__(self, teller: Teller, hiding: Hiding) -> None:
        super().__init__(teller.module, teller.told)
        self._hiding = hiding

    def line_of(self, place: Place) -> str:
        return self._hiding.text(super().line_of(place))


# ---- learning ----------------------------------------------------------------------------------------------


def _learn(found: Explanation, hiding: Hiding) -> None:
    for sent in (*found.inquiry.exchanges, *(one.sent for one in found.history)):
        hiding.learn_public(sent.url.partition("?")[0])
        hiding.learn_text(sent.url)
        if sent.client != CLIENT:
            hiding.learn_address(sent.client)
        _learn_fields(sent.fields, hiding)
        _learn_fields(sent.answer.fields, hiding)
    for played in found.history:
        _learn_fields(_text_fields(played.response), hiding)
        for story in played.stories:
            _learn_story(story, hiding)


def _learn_fields(fields: Fields, hiding: Hiding) -> None:
    for name, value in fields:
        hiding.learn_field(name, value)
        if name.lower() == "host":
            hiding.learn_public(value)


def _learn_story(story: Story, hiding: Hiding) -> None:
    """The policy may make fields that no record shows whole."""
    for record in story.records:
        hiding.learn_line(record.tag, record.text.decode("latin-1"))
    for run in story.runs:
        for statement in run.statements:
            for value in statement.values:
                if (field := _FIELD.fullmatch(value.name)) and value.text is not None:
                    hiding.learn_field(field[1], value.text)


# ---- replacing ---------------------------------------------------------------------------------------------


def _sent(sent: Sent, hiding: Hiding) -> Sent:
    answer = replace(sent.answer, fields=_fields(sent.answer.fields, hiding))
    assert isinstance(answer, Given)
    return replace(
        sent,
        url=hiding.text(sent.url),
        fields=_fields(sent.fields, hiding),
        client=hiding.text(sent.client),
        answer=answer,
    )


def _fields(fields: Fields, hiding: Hiding) -> Fields:
    return tuple((name, hiding.field(name, value)) for name, value in fields)


def _text_fields(response: Response) -> Fields:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.fields)


def _played(played: Played, hiding: Hiding) -> Played:
    fields = _fields(_text_fields(played.response), hiding)
    encoded = tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in fields)
    return replace(
        played,
        sent=_sent(played.sent, hiding),
        response=replace(played.response, fields=encoded),
        stories=[_story(one, hiding) for one in played.stories],
    )


def _story(story: Story, hiding: Hiding) -> Story:
    return replace(
        story,
        runs=[_run(run, hiding) for run in story.runs],
        records=[_record(one, hiding) for one in story.records],
    )


def _record(one: LogRecord, hiding: Hiding) -> LogRecord:
    return replace(one, text=hiding.record_text(one.tag, one.text.decode("latin-1")).encode("latin-1"))


def _run(run: HookRun, hiding: Hiding) -> HookRun:
    statements = {id(one): _statement(one, hiding) for one in run.statements}
    return replace(
        run,
        action=hiding.text(run.action),
        statements=[*statements.values()],
        decider=None if run.decider is None else statements[id(run.decider)],
    )


def _statement(statement: Statement, hiding: Hiding) -> Statement:
    return replace(statement, values=[_value(one, hiding) for one in statement.values])


def _value(value: Value, hiding: Hiding) -> Value:
    """The name of a value is a piece of the policy's text. A test is only true or false."""
    name = hiding.text(value.name)
    if value.text is None or value.kind == "test":
        return replace(value, name=name)
    field = _FIELD.fullmatch(value.name)
    text = hiding.field(field[1], value.text) if field else hiding.text(value.text)
    return replace(value, name=name, text=text)


def _change(change: Change, hiding: Hiding) -> Change:
    return replace(change, what=hiding.text(change.what), caution=hiding.text(change.caution))
