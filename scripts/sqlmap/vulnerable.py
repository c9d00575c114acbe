"""A server that puts what it is sent into its SQL: what the scanner has to find. One route of it is sound."""

import contextlib
import http.server
import json
import sqlite3
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    """Finds parts by name: by the path, by the query, by a member of the body."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Says nothing."""

    def answer(self, sql, values=()):
        database = sqlite3.connect(":memory:")
        try:
            database.execute("CREATE TABLE parts (name TEXT, price INTEGER)")
            database.executemany("INSERT INTO parts VALUES (?, ?)", [("disc", 1250), ("pad", 990), ("hose", 410)])
            status, body = 200, database.execute(sql, values).fetchall()
        # As a shop would that hides what went wrong.
        except (sqlite3.Error, sqlite3.Warning):
            status, body = 500, []
        finally:
            database.close()
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        name = urllib.parse.parse_qs(query).get("name", [""])[0]
        if path == "/sound":
            self.answer("SELECT * FROM parts WHERE name = ?", (name,))
        elif path == "/query":
            self.answer(f"SELECT * FROM parts WHERE name = '{name}'")
        else:
            self.answer(f"SELECT * FROM parts WHERE name = '{urllib.parse.unquote(path.rsplit('/', 1)[1])}'")

    def do_POST(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            name = json.loads(sent)["name"]
        except (ValueError, KeyError, TypeError):
            name = ""
        self.answer(f"SELECT * FROM parts WHERE name = '{name}'")


class Server(http.server.ThreadingHTTPServer):
    """Scanners hang up while they are answered."""

    def handle_error(self, *_):
        """Says nothing."""


@contextlib.contextmanager
def served():
    """Its address while it runs."""
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
