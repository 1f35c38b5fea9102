"""The load of an MQTT broker that is measured: connects, sends what a scenario says, and ends the broker.

    mqtt_load.py SCENARIO PORT PID_FILE

Waits until the broker listens, and reads every message that it must deliver: one that is missing is an error. What is
sent depends on the scenario alone. The broker is ended by SIGTERM, after which it frees all it has and exits with 0.
"""

import os
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

CONNECT, PUBLISH, PUBACK, SUBSCRIBE, DISCONNECT = 0x10, 0x30, 0x40, 0x82, 0xE0
RETAIN, ONCE_AT_LEAST = 0x01, 0x02  # flags of PUBLISH
PATIENCE_SECONDS = 20.0
BATCH = 250  # messages that are under way at once


def packet(kind: int, body: bytes) -> bytes:
    length, rest = bytearray(), len(body)
    while True:
        rest, digit = rest >> 7, rest & 0x7F
        length.append(digit | (0x80 if rest else 0))
        if not rest:
            return bytes([kind]) + bytes(length) + body


def string(text: str) -> bytes:
    raw = text.encode()
    return len(raw).to_bytes(2, "big") + raw


class Client:
    def __init__(self, port: int, name: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._unread = b""
        self._socket.sendall(packet(CONNECT, string("MQTT") + bytes([4, 2, 0, 0]) + string(name)))
        self.receive(1)

    def subscribe(self, topic: str) -> None:
        self._socket.sendall(packet(SUBSCRIBE, (1).to_bytes(2, "big") + string(topic) + bytes([1])))
        self.receive(1)

    def publish(self, messages: list[tuple[str, bytes]], retain: bool) -> None:
        """Sends these and waits until the broker has taken each."""
        kind = PUBLISH | ONCE_AT_LEAST | (RETAIN if retain else 0)
        bodies = (string(topic) + (n + 1).to_bytes(2, "big") + payload for n, (topic, payload) in enumerate(messages))
        self._socket.sendall(b"".join(packet(kind, body) for body in bodies))
        self.receive(len(messages))

    def receive(self, count: int) -> None:
        """Reads this many packets, and acknowledges the messages among them."""
        answers = []
        while count:
            kind, body = self._next()
            count -= 1
            if kind & 0xF0 == PUBLISH and kind & ONCE_AT_LEAST:
                topic = int.from_bytes(body[:2], "big")
                answers.append(packet(PUBACK, body[2 + topic : 4 + topic]))
        self._socket.sendall(b"".join(answers))

    def leave(self) -> None:
        self._socket.sendall(packet(DISCONNECT, b""))
        self._socket.close()

    def _next(self) -> tuple[int, bytes]:
        while True:
            size, shift, at = 0, 0, 1
            while at < len(self._unread):
                digit = self._unread[at]
                size, shift, at = size | (digit & 0x7F) << shift, shift + 7, at + 1
                if digit < 0x80:
                    if len(self._unread) < at + size:
                        break
                    kind, body, self._unread = self._unread[0], self._unread[at : at + size], self._unread[at + size :]
                    return kind, body
            more = self._socket.recv(1 << 14)
            if not more:
                raise SystemExit("the broker hung up")
            self._unread += more


def batches(messages: list[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    return (messages[start : start + BATCH] for start in range(0, len(messages), BATCH))


def telemetry(port: int) -> None:
    """Sensors of twelve houses report small numbers, of which the last is retained; five listeners want parts."""
    chance = random.Random(1)
    kinds = ["temperature", "humidity", "power", "door"]
    rooms = [f"house/{house}/room/{room}" for house in range(12) for room in range(40)]
    wanted: dict[str, Callable[[str], bool]] = {
        "#": lambda _: True,
        "house/3/#": lambda topic: topic.startswith("house/3/"),
        "house/+/room/+/temperature": lambda topic: topic.endswith("/temperature"),
        "house/+/room/7/+": lambda topic: "/room/7/" in topic,
        "house/11/room/+/door": lambda topic: topic.startswith("house/11/") and topic.endswith("/door"),
    }
    sensors, listeners = Client(port, "sensors"), {}
    for number, topic in enumerate(wanted):
        listeners[topic] = Client(port, f"listener {number}")
        listeners[topic].subscribe(topic)
    reports = [
        (f"{chance.choice(rooms)}/{chance.choice(kinds)}", f'{{"at": {at}, "value": {chance.random():.3f}}}'.encode())
        for at in range(40_000)
    ]
    for batch in batches(reports):
        sensors.publish(batch, retain=True)
        for topic, listener in listeners.items():
            listener.receive(sum(wanted[topic](sent) for sent, _ in batch))


def library(port: int) -> None:
    """The word list as retained pages of one text a topic; readers come, fetch a letter's pages, and leave."""
    words = Path("/usr/share/dict/american-english").read_text(encoding="utf-8").split()
    chance = random.Random(2)
    pages = []
    for letter in "abcdefghijklmnopqrstuvwxyz":
        own = [word for word in words if word.lower().startswith(letter)]
        for page in range(40):
            text = " ".join(chance.choices(own, k=chance.randrange(20, 2000)))
            pages.append((f"library/{letter}/page/{page}", text.encode()))
    writer = Client(port, "writer")
    for edition in range(3):
        chance.shuffle(pages)
        for batch in batches(pages):
            writer.publish(batch, retain=True)
        for visit in range(500):
            reader = Client(port, f"reader {edition}.{visit}")
            reader.subscribe(f"library/{chance.choice('abcdefghijklmnopqrstuvwxyz')}/page/#")
            reader.receive(40)
            reader.leave()


def await_port(port: int) -> None:
    over = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError as error:
            if time.monotonic() > over:
                raise SystemExit(f"nothing listens on port {port}: {error}") from error
            time.sleep(0.01)


def broker_of(pid_file: Path) -> int:
    """The process to end: the one that wrote the file, if that is still the broker."""
    try:
        pid = int(pid_file.read_text())
        if Path(f"/proc/{pid}/comm").read_text().strip() == "mosquitto":
            return pid
    except (OSError, ValueError):
        pass
    raise SystemExit(f"{pid_file} names no broker: another one has the port; run one benchmark at a time")


def main() -> None:
    scenario, port, pid_file = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    await_port(port)
    broker = broker_of(pid_file)
    {"telemetry": telemetry, "library": library}[scenario](port)
    os.kill(broker, signal.SIGTERM)


main()
