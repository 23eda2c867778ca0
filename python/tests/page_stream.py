"""A reader of the viewer's stream, as docs/stream.md describes it."""

import json
import socket
import struct

import numpy as np


def read_block(data):
    """Times, and values of all frames, as docs/stream.md has them."""
    magic, columns, frames, skipped = struct.unpack_from("<4I", data)
    assert magic == 0x5254534C and len(data) == 16 + frames * (8 + 4 * columns)
    times = np.frombuffer(data, "<f8", frames, 16)
    return times, np.frombuffer(data, "<f4", frames * columns, 16 + 8 * frames).reshape(frames, columns), skipped


class Stream:
    """As much of a WebSocket as the test needs."""

    def __init__(self, page):
        self.socket = socket.create_connection(("127.0.0.1", page.port), timeout=10)
        token = page.address.partition("?token=")[2]
        assert token, page.address
        self.socket.sendall(f"GET /stream?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        assert b"101" in self.file.readline()
        while self.file.readline().strip():
            pass

    def message(self):
        """(whether it is binary, its bytes)"""
        head, size = self.file.read(2)
        if size == 126:
            size, = struct.unpack(">H", self.file.read(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.file.read(8))
        return head & 15 == 2, self.file.read(size)

    def frames(self, count):
        """The next frames, and the texts between them."""
        times, values, texts = [], [], []
        while sum(map(len, times)) < count:
            binary, data = self.message()
            if binary:
                t, x, _ = read_block(data)
                times.append(t), values.append(x)
            else:
                texts.append(json.loads(data))
        return np.concatenate(times), np.concatenate(values), texts

    def close(self):
        self.file.close()
        self.socket.close()
