"""ClickHouse in process behind as much of its HTTP interface as clients use.

It hands queries, bodies and settings on to one session of the engine and answers what that answers. Nothing here knows a
table. `POST /faults` has it refuse, forget to answer, or dawdle.

    front.py ENGINE FOLDER PORT
"""

import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

ENGINE, FOLDER, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.path.insert(0, ENGINE)

from chdb.session import Session  # noqa: E402

SESSION = Session(FOLDER)
BODY = os.path.join(os.path.dirname(FOLDER), "body")
# The session takes one statement at a time, and settings belong to one.
TURN = threading.Lock()
# How many of the next inserts are refused, or taken without an answer, and how long each waits.
FAULTS = {"refuse": 0, "lose": 0, "slow_ms": 0}

# Parameters of the interface that are no settings of the engine.
NO_SETTINGS = {
    "compress", "database", "decompress", "default_format", "enable_http_compression", "http_write_exception_in_output_format",
    "password", "query", "query_id", "role", "session_id", "user", "wait_end_of_query",
}
INSERT = re.compile(r"\s*insert\s", re.IGNORECASE)
INSERT_OF_BODY = re.compile(r"(\s*insert\s.*?)\s+format\s+(\w+)\s*;?\s*", re.IGNORECASE | re.DOTALL)
# UNKNOWN_TABLE, UNKNOWN_DATABASE, SYNTAX_ERROR, as the server's own table has them.
STATUS = {60: 404, 81: 404, 62: 400}


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def run(query, body, parameters):
    """What the engine answers to a statement under its settings."""
    settings = {k: v for k, v in parameters.items() if k not in NO_SETTINGS and not k.startswith("param_")}
    values = {k[len("param_"):]: v for k, v in parameters.items() if k.startswith("param_")}
    with TURN:
        if settings:
            SESSION.query("SET " + ", ".join(f"{name} = {quoted(value)}" for name, value in settings.items()))
        try:
            return statement(query, body, parameters.get("default_format", "TabSeparated"), values)
        finally:
            if settings:
                SESSION.query("SET " + ", ".join(f"{name} = DEFAULT" for name in settings))


def statement(query, body, form, values):
    insert = query and INSERT_OF_BODY.fullmatch(query)
    if insert:
        # By way of a file: the session's own way for bodies tells nobody when a view fails.
        with open(BODY, "wb") as file:
            file.write(body)
        query = f"{insert[1]} FROM INFILE {quoted(BODY)} FORMAT {insert[2]}"
        return SESSION.query(query, form, params=values).bytes() or b""
    text = query + "\n" + body.decode() if query and body else query or body.decode()
    return SESSION.query(text, form, params=values).bytes() or b""


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            return self.answer(200, b"Ok.\n")
        return self.do_POST()

    def do_POST(self):
        url = urlsplit(self.path)
        parameters = dict(parse_qsl(url.query, keep_blank_values=True))
        body = self.body()
        if url.path == "/faults":
            FAULTS.update({name: int(value) for name, value in parameters.items()})
            return self.answer(200, b"")
        query = parameters.get("query", "")
        is_insert = INSERT.match(query or body[:64].decode(errors="replace"))
        if is_insert and (refusal := self.refusal()):
            return refusal
        try:
            answer = run(query, body, parameters)
        except Exception as error:
            return self.fail(str(error))
        if is_insert and take("lose"):
            self.close_connection = True
            return None
        return self.answer(200, answer)

    def refusal(self):
        time.sleep(FAULTS["slow_ms"] / 1000)
        if take("refuse"):
            self.answer(503, b"Code: 202. DB::Exception: Too many simultaneous queries. (TOO_MANY_SIMULTANEOUS_QUERIES)", 202)
            return True
        return False

    def fail(self, said):
        found = re.search(r"Code: (\d+)\.", said)
        code = int(found[1]) if found else 1002
        self.answer(STATUS.get(code, 500), said.encode(), code)

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def answer(self, status, body, code=None):
        self.send_response(status)
        if code is not None:
            self.send_header("X-ClickHouse-Exception-Code", str(code))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def take(fault):
    with TURN:
        due = FAULTS[fault] > 0
        FAULTS[fault] -= due
    return due


def end_with(parent):
    """A test that is killed leaves no engine behind."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # Whoever asks at once is to be heard, as by the server itself.
    request_queue_size = 256


if __name__ == "__main__":
    server = Server(("127.0.0.1", PORT), Front)
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    print("listening", flush=True)
    server.serve_forever()
