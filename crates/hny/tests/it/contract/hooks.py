"""What a contract cannot say, so that good requests are good: which things there are, and how fields hang together.

Only values that are right by themselves are replaced; those that are meant to be wrong stay wrong.
"""

import re
import uuid

import schemathesis

CODES = []
KEYS = []

MOMENT = re.compile(r"^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$")


# Some spelling of 127.0.0.1.
OURS = re.compile(r"^https?://[^/?#]*(127|0)", re.IGNORECASE)


def one_of(names, text):
    return names[len(text) % len(names)]


@schemathesis.hook
def before_call(context, case, kwargs):
    for fix, part in [(path, case.path_parameters), (query, case.query), (headers, case.headers), (body, case.body)]:
        if hasattr(part, "items"):
            fix(part)
    if case.operation.path.endswith("/bulk") and hasattr(case.body, "items"):
        bulk(case.body)
    if case.operation.path.endswith("/tokens") and hasattr(case.body, "items"):
        token(case.body)


def path(parameters):
    """Half of the codes are those of links, and all keys are such as may be revoked."""
    code, key = parameters.get("code"), parameters.get("id")
    if isinstance(code, str) and code.isalnum() and len(code) % 2:
        parameters["code"] = one_of(CODES, code)
    if isinstance(key, str) and key.isdigit():
        parameters["id"] = one_of(KEYS, key)


def query(parameters):
    """A cursor comes from the page before, a time zone from the list of them, and a span begins before it ends."""
    if isinstance(parameters.get("cursor"), str):
        del parameters["cursor"]
    if parameters.get("format") in ("csv", "jsonl"):
        parameters.pop("limit", None)
    for name, good in [("tz", "Europe/Berlin"), ("from", "2026-01-01"), ("to", "2026-02-01"), ("rule", "evil.example"), ("tag", "news"), ("createdFrom", "2026-01-01T00:00:00Z"), ("createdTo", "2027-01-01T00:00:00Z")]:
        if isinstance(parameters.get(name), str):
            parameters[name] = good


def headers(fields):
    """Each request is a new one."""
    if isinstance(fields.get("If-Match"), str):
        fields["If-Match"] = "*"
    if isinstance(fields.get("Idempotency-Key"), str):
        fields["Idempotency-Key"] = str(uuid.uuid4())


def body(fields):
    """Ends are in the future and behind beginnings, rules name hosts, only some roles can be narrowed to their own links, and whole
    numbers are written without a point."""
    for name, good in [("expiresAt", "2099-01-01T12:00:00Z"), ("validFrom", "2098-01-01T12:00:00Z")]:
        if isinstance(fields.get(name), str) and MOMENT.match(fields[name]):
            fields[name] = good
    if isinstance(fields.get("rule"), str) and fields["rule"]:
        fields["rule"] = f"r{len(fields['rule'])}.example.com"
    if fields.get("role") in ("admin", "creator") and fields.get("ownLinks") is True:
        fields["ownLinks"] = None
    if fields.get("private") is True and isinstance(fields.get("customCode"), str):
        fields["private"] = None
    for name in ("originalUrl", "expiredUrl"):
        if isinstance(fields.get(name), str) and OURS.match(fields[name]):
            fields[name] = "https://example.com/elsewhere"
    if fields.get("reuse") is True:
        fields["reuse"] = None
    for name in ("keepAlias", "allowLookalike"):
        if isinstance(fields.get(name), bool) and not isinstance(fields.get("customCode"), str):
            fields[name] = None
    for name, value in fields.items():
        if isinstance(value, float) and value.is_integer():
            fields[name] = int(value)


def bulk(fields):
    """Links are made or deleted, not both at once."""
    if isinstance(fields.get("create"), list) and isinstance(fields.get("delete"), list):
        fields["delete"] = None
    if fields.get("create") is None and fields.get("delete") is None:
        fields["create"] = []


def token(fields):
    """A token ends at a time or after one, not both."""
    if fields.get("expiresAt") == "2099-01-01T12:00:00Z":
        fields["expiresAt"] = None
    if fields.get("expiresAt") is None and fields.get("expiresIn") is None:
        fields["expiresIn"] = 60
