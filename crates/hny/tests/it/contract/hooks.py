"""What a contract cannot say, so that good requests are good: which things there are, and how fields hang together.

Only parts of requests that are meant to be good are touched: what schemathesis makes wrong on purpose is sent as it is. Each rule
below says what the program refuses for a reason that no schema has, and changes as little as makes it good.
"""

import re
import uuid

import schemathesis
from schemathesis.core.parameters import ParameterLocation

CODES = []
KEYS = []
CURSOR = ""
BASE = ""
IS_ADMIN = 1

CODE = re.compile(r"^[0-9A-Za-z_-]{1,64}$")
NUMBER = re.compile(r"^[0-9]{1,19}$")


def one_of(names, text):
    return names[len(text) % len(names)]


def is_text(fields, name):
    return isinstance(fields.get(name), str)


@schemathesis.hook
def before_call(context, case, kwargs):
    parts = [
        (path, ParameterLocation.PATH, case.path_parameters),
        (query, ParameterLocation.QUERY, case.query),
        (headers, ParameterLocation.HEADER, case.headers),
        (body, ParameterLocation.BODY, case.body),
    ]
    is_good = {place: case.meta is None or not case.meta.is_negative_at(place) for _, place, _ in parts}
    for fix, place, part in parts:
        if is_good[place] and hasattr(part, "items"):
            fix(part, case.operation.path)


def path(parameters, _):
    """Half of the codes are those of links, or it would hear of nothing but 404. Keys are some that may be revoked: not the one it has."""
    code, key = parameters.get("code"), parameters.get("id")
    if isinstance(code, str) and CODE.match(code) and len(code) % 2:
        parameters["code"] = one_of(CODES, code)
    if isinstance(key, str) and NUMBER.match(key):
        parameters["id"] = one_of(KEYS, key)


def query(parameters, path):
    """A cursor comes from the page before, of the same list in the same order. A time zone is in the list of them, a rule names a host,
    a span begins before it ends and is not too long, and lines have no pages. Whoever has links of their own only asks about all of
    them."""
    if is_text(parameters, "cursor"):
        if path == "/api/v1/links" and parameters.get("order", "-created") == "-created":
            parameters["cursor"] = CURSOR
        else:
            del parameters["cursor"]
    if path == "/api/v1/stats" and not IS_ADMIN:
        parameters.pop("domain", None)
    if parameters.get("format") in ("csv", "jsonl"):
        parameters.pop("limit", None)
    for name, good in [("tz", "Europe/Berlin"), ("rule", "evil.example"), ("from", "2026-01-01"), ("to", "2026-02-01")]:
        if is_text(parameters, name):
            parameters[name] = good


def headers(fields, _):
    """A version is what a link was read with, and each request is a new one."""
    if is_text(fields, "If-Match"):
        fields["If-Match"] = "*"
    if is_text(fields, "Idempotency-Key"):
        fields["Idempotency-Key"] = str(uuid.uuid4())


def body(fields, path):
    """The rules between fields, and that ends are in the future."""
    if is_text(fields, "expiresAt"):
        fields["expiresAt"] = "2099-01-01T12:00:00Z"
    if is_text(fields, "validFrom") and is_text(fields, "expiresAt"):
        fields["validFrom"] = "2098-01-01T12:00:00Z"
    if is_text(fields, "rule"):
        fields["rule"] = f"r{len(fields['rule'])}.example.com"
    if fields.get("role") in ("admin", "creator") and fields.get("ownLinks") is True:
        fields["ownLinks"] = None
    if path.endswith("/bulk"):
        bulk(fields)
    elif path.endswith("/tokens"):
        token(fields)
    else:
        link(fields)


def link(fields):
    """A target is not ours, as the short URLs are that schemathesis has seen, and has room for what a URL gains when it is written anew. A
    chosen code can be guessed, so it is not private without a password; only a chosen code can have an alias or a lookalike."""
    for name in ("originalUrl", "expiredUrl"):
        if is_text(fields, name) and fields[name].startswith(BASE):
            fields[name] = "https://example.com/elsewhere"
        elif is_text(fields, name):
            fields[name] = fields[name][:8000]
    has_code = is_text(fields, "customCode")
    if fields.get("private") is True and has_code and not fields.get("password"):
        fields["private"] = None
    for name in ("keepAlias", "allowLookalike"):
        if isinstance(fields.get(name), bool) and not has_code:
            fields[name] = None
    if fields.get("reuse") is True:
        reused(fields)


# What a link that is there already may have otherwise.
OF_A_NEW_LINK = [
    "customCode", "allowLookalike", "expiresAt", "validFrom", "maxClicks", "redirectStatus", "forwardQuery", "forwardPath", "expiredUrl",
    "password", "active", "private",
]


def reused(fields):
    """Who takes any link to the target does not say what it shall be like."""
    for name in OF_A_NEW_LINK:
        fields.pop(name, None)


def bulk(fields):
    """Links are made or deleted, not both at once."""
    if isinstance(fields.get("create"), list) and isinstance(fields.get("delete"), list):
        fields["delete"] = None
    if fields.get("create") is None and fields.get("delete") is None:
        fields["create"] = []


def token(fields):
    """A token ends at a time or after one, not both, and not in the year 2099."""
    fields["expiresAt"] = None
    if fields.get("expiresIn") is None:
        fields["expiresIn"] = 60
