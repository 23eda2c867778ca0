"""A command that shows a page, and a WebSocket by hand, for the tests of the viewer's server."""
import base64
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


class View:
    """A running command with a page; `with` ends it."""

    lissom = None  # path of the command

    def __init__(self, *arguments, stream="stdout"):
        # A sanitizer keeps what was freed, which would look like a leak.
        environment = os.environ | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}
        self.process = subprocess.Popen([self.lissom, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                                        env=environment)
        line = getattr(self.process, stream).readline()
        found = re.fullmatch(r"(http://([^:/]+|\[[^]]+\]):(\d+)/\?token=(\w+))\n", line)
        if not found:
            self.process.kill()
            raise AssertionError(f"the first line is {line!r}: {self.process.communicate()}")
        self.address, self.host, self.port, self.token = found[1], found[2], int(found[3]), found[4]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self, signal_number=signal.SIGINT):
        """The exit status after Ctrl-C, and what was printed."""
        self.process.send_signal(signal_number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err

    @property
    def cookie(self):
        """That of a page which was opened with the token."""
        return f"lissom_{self.port}={self.token}"

    def ask(self, path, method="GET", body=None, **headers):
        """Status, body and headers of an answer; Cookie=None: without the token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        headers = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie} | {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        if body is not None:
            connection.send(body)
        reply = connection.getresponse()
        answer = reply.status, reply.read(), dict(reply.getheaders())
        connection.close()
        return answer

    def memory(self):
        """Of the process, in MB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) / 1024


class Socket:
    """A WebSocket, by hand."""

    def __init__(self, view, **headers):
        self.socket = socket.create_connection(("127.0.0.1", view.port), timeout=20)
        headers = {"Host": f"127.0.0.1:{view.port}", "Cookie": view.cookie, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()} | headers
        request = "GET /stream HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value is not None) + "\r\n"
        self.socket.sendall(request.encode())
        self.rest = b""
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.socket.recv(4096)
            if not piece:
                break
            head += piece
        head, _, self.rest = head.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, message, opcode=1, length=None):
        payload = message if isinstance(message, bytes) else json.dumps(message).encode()
        size = len(payload) if length is None else length
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | (size if size < 126 else 126 if size < 65536 else 127))
        head += b"" if size < 126 else struct.pack("!H", size) if size < 65536 else struct.pack("!Q", size)
        self.socket.sendall(head + b"\0\0\0\0" + payload)  # masked with zeros

    def bytes(self, count):
        while len(self.rest) < count:
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError
            self.rest += piece
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def message(self):
        """(opcode, payload) of the next message."""
        first, second = self.bytes(2)
        size = second & 127
        if size == 126:
            size = struct.unpack("!H", self.bytes(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", self.bytes(8))[0]
        opcode, payload = first & 15, self.bytes(size)
        if opcode == 9:  # the server asks whether anyone is there
            self.send(payload, opcode=10)
        return opcode, payload

    def answer(self, question):
        self.send(question)
        while True:
            opcode, payload = self.message()
            if opcode == 1 and ("id" in (reply := json.loads(payload)) or "error" in reply):
                return reply

    def block(self):
        """Times of the next block, and how many frames were skipped before it."""
        while True:
            opcode, payload = self.message()
            if opcode == 2:
                magic, _, frames, skipped = struct.unpack("<4I", payload[:16])
                assert magic == 0x5254534C
                return struct.unpack(f"<{frames}d", payload[16:16 + 8 * frames]), skipped

    def wait_for_status(self, status):
        while True:
            opcode, payload = self.message()
            if opcode == 1 and json.loads(payload).get("status") == status:
                return
