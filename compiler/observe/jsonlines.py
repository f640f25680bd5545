"""Writes groups as JSON, one object per line. The keys are stable; docs/tools.md documents them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from vernis.observe import tags
from vernis.observe.frames import Frames
from vernis.observe.records import Record
from vernis.observe.select import Selection
from vernis.observe.summary import Summary, decode, summarise
from vernis.observe.transactions import Group, Grouping, Kind, Transaction
from vernis.shown import in_json


#: The member ``why`` of a transaction.
Explain = Callable[[Transaction], dict[str, Any] | None]


def group_json(
    group: Group,
    selection: Selection,
    grouping: Grouping,
    explain: Explain | None = None,
    frames: Frames | None = None,
) -> bytes:
    """``frames``: decodes the records of HTTP/2."""
    shown = [transaction for transaction in group if selection.sides.wants(transaction)]
    if not shown:
        return b""
    if grouping is Grouping.RAW:
        [record] = shown[0].records
        value = _record(record, frames, with_vxid=True)
        return json_line(value) if selection.shows(record) else b""
    if grouping is Grouping.VXID:
        return json_line(_transaction(shown[0], selection, explain, frames))
    return json_line(
        {
            "group": grouping.name.lower(),
            "vxid": group[0].vxid,
            "transactions": [_transaction(transaction, selection, explain, frames) for transaction in shown],
        }
    )


def json_line(value: dict[str, Any]) -> bytes:
    return in_json(json.dumps(value, ensure_ascii=False, separators=(",", ":"))).encode() + b"\n"


def _record(record: Record, frames: Frames | None, with_vxid: bool = False) -> dict[str, Any]:
    """Binary content is in hexadecimal under ``hex``, and decoded under ``frame``; text is under ``text``."""
    owner = {"vxid": record.vxid} if with_vxid else {}
    content: dict[str, Any]
    if record.tag in tags.BINARY:
        members = frames.members(record) if frames is not None else None
        content = {"hex": record.data.hex()} | ({} if members is None else {"frame": members})
    else:
        content = {"text": decode(record.text)}
    return owner | {"tag": tags.name_of(record.tag), "side": record.side} | content


def _transaction(
    transaction: Transaction, selection: Selection, explain: Explain | None, frames: Frames | None
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "vxid": transaction.vxid,
        "level": transaction.level,
        "parent": transaction.parent_vxid,
        "type": transaction.kind.value,
        "reason": transaction.reason,
    }
    if transaction.kind in (Kind.REQUEST, Kind.FETCH):
        result["summary"] = _summary(summarise(transaction))
        if explain is not None:
            result["why"] = explain(transaction)
    # a hidden head of a frame tells what its payload is
    read = ((record, selection.shows(record)) for record in transaction.records)
    made = ((_record(record, frames), shown) for record, shown in read if shown or record.tag in tags.BINARY)
    result["records"] = [value for value, shown in made if shown]
    return result


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "method": summary.method,
        "url": summary.url,
        "host": summary.host,
        "protocol": summary.protocol,
        "status": summary.status,
        "handling": summary.handling,
        "client": summary.client,
        "backend": summary.backend,
        "policy": summary.policy,
        "start": summary.steps[0].at if summary.steps else None,
        "duration_s": summary.duration_s,
        "bytes_in": summary.bytes_in,
        "bytes_out": summary.bytes_out,
        "steps": {step.label: step.since_start_s for step in summary.steps},
        "errors": summary.errors,
    }
