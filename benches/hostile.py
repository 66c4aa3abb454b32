#!/usr/bin/env python3
"""Attacks `groundfrog player`, `serve`, `match` and `market` over loopback, beside real matches with clocks of a second, and says which promises hold.

    benches/hostile.py [--peers 10000] [--seconds 0] [--seed 1] [--memory 256] [--only player,serve,match,market] [--kinds slow,...] [--groundfrog PATH]

Peers are slow, silent, huge, wrong, many, foreign (pages of other sites) or exploding (texts of a kilobyte that stand for too much). The same seed
gives the same peers. It stops after so many peers, or so many seconds if that is not 0. What is promised, and ends with exit code 1 if it is not so:

  * no answer to the real match is illegal, or later than the machine itself wakes up who waits;
  * a process takes no more than its --max-memory and 64 MiB;
  * when the peers have gone, threads and descriptors are as many as before;
  * nothing that steers a terminal reaches terminal, log or answers; pages of other sites are refused;
  * one signal ends a process within 0.2 s.

Figures of processes are read from /proc: without it they are left out.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

import reliability

MIB = 1 << 20
SLACK_MIB = 64
KINDS = {"slow": 6, "silent": 6, "huge": 1, "wrong": 8, "many": 1, "foreign": 6, "exploding": 1}
EXIT_SECONDS = 0.2
# How long threads of peers that have gone may take to end.
SETTLE_SECONDS = 10
# How many hostile connections are held open.
HELD = 300
NASTY = "\x1b[2J\x07\x00\u202eevil\u2066\r\nSet-Cookie: a=b"
RULES = "(init on) (<= (next on) (true on)) (<= terminal (true off)) (<= (goal ?r 50) (role ?r))"
NUMBERS = " ".join(f"(n {it})" for it in range(60))
# Texts of about a kilobyte that stand for very much.
EXPLODING = {
    "moves": f"(role a) {NUMBERS} {RULES} (<= (legal a (go ?x ?y ?z ?u)) (n ?x) (n ?y) (n ?z) (n ?u))",
    "states": f"(role a) {NUMBERS} {RULES} (legal a w) (<= (next (at ?x ?y ?z ?u)) (n ?x) (n ?y) (n ?z) (n ?u))",
    "roles": f"(<= (role (r ?x ?y ?z)) (n ?x) (n ?y) (n ?z)) {NUMBERS} {RULES} (<= (legal ?r w) (role ?r))",
    "joins": f"(role a) {NUMBERS} {RULES} (legal a w) (<= wide (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (distinct ?a ?a))"
             " (<= (goal a 1) wide)",
    "percepts": f"(role a) {NUMBERS} {RULES} (legal a w) (<= (sees a (s ?x ?y ?z ?u)) (n ?x) (n ?y) (n ?z) (n ?u))",
    "depth": f"(role a) (init (c z)) {RULES} (legal a w) (<= (next (c (s ?x))) (true (c ?x)))",
    "negation": f"(role a) {NUMBERS} {RULES} (legal a w) (<= (q ?x ?y ?z ?u) (n ?x) (n ?y) (n ?z) (n ?u) (not (p ?x ?u)))"
                " (<= (p ?x ?y) (n ?x) (n ?y) (true off)) (<= (next (k ?x)) (q ?x ?y ?z ?u))",
}


class Report:
    """What was seen, and which promises were broken."""

    def __init__(self):
        self.lock = threading.Lock()
        self.peers = {}
        self.broken = []

    def count(self, kind, number=1):
        with self.lock:
            self.peers[kind] = self.peers.get(kind, 0) + number

    def total(self):
        with self.lock:
            return sum(self.peers.values())

    def expect(self, holds, promise):
        if not holds:
            with self.lock:
                self.broken.append(promise)
                print("BROKEN:", ascii(promise), flush=True)


class Machine:
    """How late the machine itself is, as a process sees it that does nothing but wait."""

    WATCH = "import time\nwhile True:\n a=time.monotonic();time.sleep(.005);b=time.monotonic()\n if b-a>.02:print(a,b-a-.005,flush=True)"

    def __init__(self):
        self.delays = []
        self.child = subprocess.Popen([sys.executable, "-c", self.WATCH], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.child.stdout:
            self.delays.append(tuple(map(float, line.split())))

    def between(self, begin, end):
        """Seconds for which nothing ran when it should have."""
        return sum(delay for at, delay in list(self.delays) if begin - delay <= at <= end)

    def end(self):
        self.child.kill()
        self.child.wait()


class RealTally(reliability.Tally):
    """An answer is late if it is so by more than the machine was at that time."""

    def __init__(self, machine, clock, over):
        super().__init__(1 << 60)
        self.machine, self.clock, self.over, self.excused = machine, clock, over, 0

    def take(self):
        return not self.times or not self.over.is_set()

    def add(self, seconds, fault, example):
        if fault == "late":
            now = time.monotonic()
            time.sleep(0.2)
            if seconds - self.clock <= self.machine.between(now - seconds, now):
                fault = None
                self.excused += 1
        super().add(seconds, fault, example)


class RealServer:
    """Plays real matches in a process of its own, which the peers of the attack do not keep from looking at the clock."""

    def __init__(self, port, rules, clock):
        methods = multiprocessing.get_context("fork")
        self.over, (self.results, sent) = methods.Event(), methods.Pipe(False)
        self.child = methods.Process(target=self.work, args=(port, rules, clock, sent))
        self.child.start()

    def work(self, port, rules, clock, sent):
        machine = Machine()
        tally = RealTally(machine, clock, self.over)
        reliability.play(port, rules, argparse.Namespace(clock=clock), 0, tally)
        machine.end()
        sent.send((tally.times, tally.faults, tally.examples, tally.excused))

    def end(self):
        """The match that is under way is played to its end."""
        self.over.set()
        results = self.results.recv()
        self.child.join()
        return results


class Process:
    """A groundfrog that listens, and what it takes."""

    def __init__(self, options, *arguments):
        # A market has no limit of its own; what is promised is the same.
        limit = [] if arguments[0] == "market" else ["--max-memory", f"{options.memory}MiB"]
        command = [options.groundfrog, *arguments, "--port", "0", *limit]
        self.memory = options.memory
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.child.stdout.readline().strip().rsplit(":", 1)[1])
        self.before = None

    def status(self, field):
        try:
            with open(f"/proc/{self.child.pid}/status", encoding="utf-8") as file:
                return next(int(line.split()[1]) for line in file if line.startswith(field))
        except (OSError, StopIteration):
            return None

    def figures(self):
        """Threads and descriptors."""
        try:
            return self.status("Threads:"), len(os.listdir(f"/proc/{self.child.pid}/fd"))
        except OSError:
            return None

    def end(self, report, name):
        """The promises about the process, when the peers have gone."""
        until = time.monotonic() + SETTLE_SECONDS
        while (after := self.figures()) and self.before and time.monotonic() < until:
            if all(now <= then for now, then in zip(after, self.before)):
                break
            time.sleep(0.1)
        if after and self.before:
            for what, now, then in zip(("threads", "descriptors"), after, self.before):
                report.expect(now <= then, f"{name}: {now} {what}, {then} before")
        peak = (self.status("VmHWM:") or 0) / 1024
        report.expect(self.child.poll() is None, f"{name}: the process has ended by itself")
        report.expect(peak <= self.memory + SLACK_MIB, f"{name}: {peak:.0f} MiB with a limit of {self.memory} MiB")
        begin = time.monotonic()
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
        seconds = time.monotonic() - begin
        report.expect(seconds <= EXIT_SECONDS, f"{name}: {seconds:.2f} s from a signal to the end")
        print(f"{name}: peak {peak:.0f} MiB (limit {self.memory} MiB), threads and descriptors {self.before} before, "
              f"{after} after, ended in {seconds:.2f} s", flush=True)


class Attack:
    """Peers of one process, many at once, until there were enough."""

    def __init__(self, options, report, port, seed):
        self.options, self.report, self.port, self.seed = options, report, port, seed
        self.lock, self.held, self.one_match = threading.Lock(), [], threading.Lock()
        self.over = threading.Event()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=2)

    def hold(self, stream):
        """Keeps a connection open until many others are."""
        with self.lock:
            self.held.append(stream)
            old = self.held.pop(0) if len(self.held) > HELD else None
        if old:
            old.close()

    def say(self, data, patience=2):
        """Status and body of the answer to bytes; (0, "") if there is none."""
        answer = b""
        try:
            with self.connect() as stream:
                stream.settimeout(patience)
                try:
                    stream.sendall(data)
                except OSError:
                    pass  # Refused before its end: the answer may be there.
                while block := stream.recv(1 << 16):
                    answer += block
        except OSError:
            pass
        head, _, body = answer.partition(b"\r\n\r\n")
        words = head.split(b" ")
        status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        body = body.decode(errors="replace")
        steers = [it for it in body if (ord(it) < 32 and it not in "\n\t") or it in "\u202e\u2066\x7f"]
        self.report.expect(not steers, f"{self.name}: an answer with {steers}: {body[:80]}")
        return status, body

    def run(self, peers, seconds):
        """All peers, from a few threads; returns when they have gone."""
        left, until = iter(range(peers)), time.monotonic() + seconds if seconds else None

        def work(number):
            numbers = random.Random(f"{self.seed} {number}")
            kinds = self.options.kinds.split(",")
            while not self.over.is_set():
                with self.lock:
                    if next(left, None) is None:
                        return
                if until and time.monotonic() > until:
                    return
                kind = numbers.choices(kinds, weights=[KINDS[it] for it in kinds])[0]
                try:
                    getattr(self, kind)(numbers)
                except OSError:
                    pass
                self.report.count(kind)

        threads = [threading.Thread(target=work, args=(it,)) for it in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def leave(self):
        for stream in self.held:
            stream.close()
        self.held.clear()

    def slow(self, numbers):
        stream = self.connect()
        for byte in self.request(numbers)[: numbers.randrange(5, 60)]:
            stream.sendall(bytes([byte]))
        self.hold(stream)

    def silent(self, _):
        self.hold(self.connect())

    def many(self, _):
        streams = [self.connect() for _ in range(50)]
        self.report.count("many", 49)
        for stream in streams:
            stream.close()


class PlayerAttack(Attack):
    """What game servers and browsers may send to a player."""

    name = "player"

    def message(self, text, *headers):
        head = "".join(f"{it}\r\n" for it in headers)
        body = text.encode()
        return f"POST / HTTP/1.0\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    def request(self, numbers):
        return self.message(numbers.choice(["( INFO )", "(PLAY m NIL)", "(START m a ((role a)) 1 1)"]))

    def huge(self, numbers):
        size = numbers.randrange(3 * MIB, 4 * MIB - 4096)
        text, allowed = numbers.choice([
            ("(PLAY m (" + "a " * (5 * MIB // 2), (413, 503, 429, 0)),
            ("(PLAY m (" + "a " * (size // 2) + "))", (200, 503, 429, 0)),
            ("(PLAY " + "m" * size + " NIL)", (400, 503, 429, 0)),
            ("(" + "x" * size + ")", (400, 503, 429, 0)),
            ("(PREVIEW (" + "(p a) " * (size // 6) + ") 1)", (200, 400, 503, 429, 0)),
        ])
        data = self.message(text)
        if numbers.random() < 0.3:
            data = b"POST / HTTP/1.0\r\n\r\n" + text.encode()
        status, _ = self.say(data, 5)
        self.report.expect(status in allowed, f"player: {status} to {text[:12]}..., {len(text)} bytes")

    def wrong(self, numbers):
        data, allowed = numbers.choice([
            (b"\xff\x00)) garbage\r\n\r\n", (400,)),
            (b"POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 6\r\n\r\n(INFO)", (400,)),
            (b"POST / HTTP/1.1\r\nContent-Length: 6\r\nContent-Length: 7\r\n\r\n(INFO)", (400,)),
            (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"x" * 5000, (400,)),
            (b"GET /" + b"a" * 70_000 + b" HTTP/1.0\r\n\r\n", (413,)),
            (self.message("(PLAY wrong NIL)"), (200,)),
            (self.message("(PLAY wrong ((("), (200,)),
            (self.message("(" * 100_000), (400,)),
            (self.message(f"({NASTY})"), (400,)),
            (self.message(f"(STOP {NASTY} NIL)"), (200, 400)),
            (self.message(f"(START {NASTY} a ((role {NASTY})) 1 1)"), (400, 200)),
            (self.message("(START m a ((role a)) 1e300 1)"), (400,)),
            (self.message("(START m a ((role a)) 100000 1)"), (400,)),
        ])
        status, _ = self.say(data)
        self.report.expect(status in (*allowed, 503, 0), f"player: {status} to {data[:60]}")

    def foreign(self, numbers):
        header = numbers.choice(["Origin: http://evil.test", "Origin: null", "Sec-Fetch-Site: cross-site"])
        status, _ = self.say(self.message("(ABORT m.0.1)", header))
        self.report.expect(status in (403, 503, 0), f"player: {status} to a page with {header}")

    def exploding(self, numbers):
        name = numbers.choice(sorted(EXPLODING))
        # One at a time: the other place is for the real match.
        with self.one_match:
            role = "a" if name != "roles" else "(r 1 1 1)"
            status, body = self.say(self.message(f"(START boom {role} ({EXPLODING[name]}) 1 1)"), 5)
            self.report.expect(status, f"player: no answer to START with too many {name}")
            if body == "ready":
                status, body = self.say(self.message("(PLAY boom NIL)"), 5)
                self.report.expect(status, f"player: no answer to PLAY with too many {name}")
            self.say(self.message("(ABORT boom)"), 5)


class PageAttack(Attack):
    """What browsers, and who pretends to be one, may send to a page."""

    name = "serve"

    def message(self, method, path, body=b"", host=None, *headers):
        head = "".join(f"{it}\r\n" for it in headers)
        kind = "Content-Type: application/json\r\n" if method == "POST" else ""
        return (f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n{kind}{head}"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode() + body

    def ask(self, path, value=None, patience=10):
        body = b"" if value is None else json.dumps(value).encode()
        status, body = self.say(self.message("GET" if value is None else "POST", path, body), patience)
        return status, json.loads(body) if status == 200 else body

    def request(self, _):
        return self.message("GET", "/api/matches?version=1")

    def huge(self, numbers):
        size = numbers.randrange(MIB, 6 * MIB)
        body = json.dumps({"text": "(p a) " * (size // 6)}).encode()
        status, _ = self.say(self.message("POST", "/api/check", body), 15)
        self.report.expect(status in (413, 429, 0), f"serve: {status} to a text of {len(body)} bytes")

    def wrong(self, numbers):
        data, allowed = numbers.choice([
            (b"\xff\x00)) garbage\r\n\r\n", (400,)),
            (self.message("POST", "/api/games", b"[" * 100_000), (400,)),
            (self.message("POST", "/api/games", json.dumps({"name": NASTY}).encode()), (404,)),
            (self.message("POST", "/api/check", json.dumps({"text": f"({NASTY}"}).encode()), (200,)),
            (self.message("GET", "/api/matches/nobody"), (404,)),
            (self.message("GET", "/", b"", None, "Host: evil.test"), (400,)),
            (self.message("GET", "/", b"", None, "Content-Length: 7"), (400,)),
            (self.message("GET", "/", b"", None, "X: " + "x" * 200_000), (431, 400)),
        ])
        status, _ = self.say(data, 12)
        self.report.expect(status in (*allowed, 429, 0), f"serve: {status} to {data[:100]}")

    def foreign(self, numbers):
        host, header = numbers.choice([
            ("evil.test", "X: x"), (f"127.0.0.1.evil.test:{self.port}", "X: x"), ("localhost:1", "X: x"),
            (None, "Origin: http://evil.test"), (None, "Origin: null"),
        ])
        status, _ = self.say(self.message("POST", "/api/games", b'{"name":"tictactoe"}', host, header))
        self.report.expect(status in (403, 429, 0), f"serve: {status} to {host} with {header}")

    def exploding(self, numbers):
        name = numbers.choice(sorted(EXPLODING))
        path = numbers.choice(["/api/games", "/api/check"])
        begin = time.monotonic()
        status, _ = self.ask(path, {"text": EXPLODING[name]}, 60)
        seconds = time.monotonic() - begin
        self.report.expect(status in (200, 422, 429), f"serve: {status} to {path} with too many {name}")
        # Waiting for a turn is told after ten seconds; opening has two.
        self.report.expect(seconds < 16, f"serve: {seconds:.0f} s to {path} with too many {name}")


def attack_player(options, report, peers, seconds):
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        process = Process(options, "player", "--strategy", options.strategy, "--matches", "2", "--threads", "1", "--log", log)
        try:
            with open(reliability.GAME, encoding="utf-8") as file:
                rules = " ".join(line.split(";")[0] for line in file).replace("\n", " ")
            # A first match, so that what is made once has been made.
            first = RealServer(process.port, rules, 1.0).end()
            time.sleep(0.5)
            process.before = process.figures()
            real = RealServer(process.port, rules, 1.0)
            attack = PlayerAttack(options, report, process.port, options.seed)
            attack.run(peers, seconds)
            # Beside those that are still held open.
            times, faults, examples, excused = real.end()
            attack.leave()
        finally:
            process.end(report, "player")
        print(f"player: {len(times)} answers to the real match, the longest after {max(times):.2f} s: {faults}, "
              f"{excused} no later than the machine itself")
        for example in examples[:5]:
            print("   ", *example)
            tell_of(log, example[0].split()[1])
        report.expect(not any(faults.values()) and not any(first[1].values()), f"player: real match: {faults}")
        check_log(report, log, report.total())


def tell_of(log, match):
    """What the player says of a match in which something was wrong."""
    with open(log, encoding="utf-8") as file:
        for event in map(json.loads, file):
            if event.get("match") == match:
                event.get("decision", {}).pop("candidates", None)
                print("       ", json.dumps(event)[:400])


def check_log(report, path, peers):
    size = os.path.getsize(path)
    report.expect(size < 4096 * (peers + 1000), f"player: {size} bytes of log")
    with open(path, encoding="utf-8") as file:
        for line in file:
            steers = any(ord(it) < 32 and it != "\n" or it in "\u202e\u2066\x7f" for it in line)
            report.expect(not steers and json.loads(line), f"player: log: {line[:200]}")


def attack_page(options, report, peers, seconds):
    process = Process(options, "serve", "--time-limit", "2")
    faults, played = [], 0
    try:
        attack = PageAttack(options, report, process.port, options.seed + 1)
        players = [{"kind": "built_in", "strategy": options.strategy}] * 2

        def match():
            """A match of built-in players from beginning to end."""
            status, game = attack.ask("/api/games", {"name": "tictactoe"}, 30)
            if status != 200:
                return [f"{status}: the game is not opened: {game}"]
            status, begun = attack.ask("/api/matches", {"game": game["id"], "players": players, "start_clock": 1, "play_clock": 1}, 30)
            if status != 200:
                return [f"{status}: no match is begun: {begun}"]
            until, path = time.monotonic() + 60, f"/api/matches/{begun['id']}"
            while time.monotonic() < until:
                status, shown = attack.ask(path)
                if status == 200 and shown["status"] not in ("preparing", "running"):
                    wrong = [] if shown["status"] == "completed" else [shown["status"]]
                    return wrong + [it for turn in shown["faults"] for it in turn if it]
                time.sleep(0.3)
            return ["the match has no end"]

        match()
        time.sleep(1)
        process.before = process.figures()
        over = threading.Event()

        def real():
            nonlocal played
            while not over.is_set():
                faults.extend(match())
                played += 1

        real = threading.Thread(target=real)
        real.start()
        attack.run(peers, seconds)
        over.set()
        real.join()
        attack.leave()
        # Threads for work stay for ten seconds.
        time.sleep(11)
    finally:
        process.end(report, "serve")
    print(f"serve: {played} real matches: {faults or 'no faults'}")
    report.expect(not faults, f"serve: real matches: {faults[:3]}")


class HostilePlayer(socketserver.BaseRequestHandler):
    """A player that does all that is wrong."""

    def handle(self):
        numbers, report = self.server.numbers, self.server.report
        report.count("hostile player")
        text = f"{NASTY} (mark 1 1)".encode()
        answer = lambda status, body: b"HTTP/1.0 %s\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body
        with self.server.lock:
            kind = numbers.randrange(8)
        try:
            self.request.settimeout(3)
            if kind != 0:
                self.request.recv(1 << 16)
            if kind == 0:
                self.request.close()
            elif kind == 1:
                time.sleep(2.5)
            elif kind == 2:
                for byte in answer(b"200 OK", b"(place 1 1)"):
                    self.request.sendall(bytes([byte]))
                    time.sleep(0.05)
            elif kind == 3:
                self.request.sendall(answer(b"200 OK", b"a" * (1 << 20)))
            elif kind == 4:
                self.request.sendall(answer(b"500 " + NASTY.encode(), text * 100))
            elif kind == 5:
                self.request.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100_000)
            elif kind == 6:
                self.request.sendall(b"\xff" * 5000 + b"\r\n\r\n")
            else:
                self.request.sendall(answer(b"200 OK", text))
        except OSError:
            pass


class HostileServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


def attack_match(options, report, peers, seconds):
    until = time.monotonic() + seconds if seconds else None
    server = HostileServer(("127.0.0.1", 0), HostilePlayer)
    server.numbers, server.report, server.lock = random.Random(options.seed + 2), report, threading.Lock()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    begin, matches = report.peers.get("hostile player", 0), 0
    url = f"http://127.0.0.1:{server.server_address[1]}"
    while report.peers.get("hostile player", 0) - begin < peers and (not until or time.monotonic() < until):
        command = [options.groundfrog, "match", reliability.GAME, "--player", f"own={options.strategy}", "--player", f"foe={url}"]
        command += ["--start-clock", "1", "--play-clock", "1", "--threads", "1", "--max-memory", f"{options.memory}MiB", "--seed", str(matches)]
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as record:
            run = subprocess.run([*command, "--record", record.name], capture_output=True, text=True, timeout=120, check=False)
            matches += 1
            steers = [it for it in run.stdout + run.stderr if (ord(it) < 32 and it != "\n") or it in "\u202e\u2066\x7f"]
            report.expect(not steers, f"match: the terminal gets {steers}")
            report.expect(len(run.stdout) < 100_000, f"match: {len(run.stdout)} bytes of output")
            if not run.stdout.strip():
                report.expect(False, f"match: no output, exit code {run.returncode}: {run.stderr[:300]}")
                continue
            with open(record.name, encoding="utf-8") as file:
                errors = json.load(file)["errors"]
            own = [turn[0] for turn in errors if turn and turn[0]]
            report.expect(not own, f"match: the player that is not hostile: {own}")
    server.shutdown()
    server.server_close()
    print(f"match: {matches} matches against {report.peers.get('hostile player', 0) - begin} connections of hostile players")


class MarketAttack(Attack):
    """What strangers may do to a server of lines: they come and go, say nothing, half a line, or nonsense without end."""

    name = "market"

    def request(self, _):
        return b"(join nobody_at_all_of_a_name_that_is_long_enough_for_this_one)\n"

    def wrong(self, numbers):
        nonsense = [b"\xff\x00((\n", b"(" * 70_000, f"({NASTY})\n".encode(), b"(message (my_bid 1))\n" * 500, b"\n" * 5000]
        with self.connect() as stream:
            stream.sendall(numbers.choice(nonsense))


def attack_market(options, report, peers, seconds):
    """Three traders join in the middle of the attack and trade for rounds of a second."""
    rounds = 3
    process = Process(options, "market", "corpus/markets/sealed_bid.kif", "--step", "0.3", "--rounds", str(rounds), "--join", "60")
    heard = {}

    def trade(name, price):
        with socket.create_connection(("127.0.0.1", process.port), timeout=60) as stream:
            stream.sendall(f"(join {name})\n".encode())
            lines = heard[name] = []
            for line in stream.makefile(encoding="utf-8"):
                lines.append(line.split(" ")[0].strip("(\n"))
                if line == "(time 1)\n":
                    stream.sendall(f"(message (my_bid {price}))\n".encode())

    attack = MarketAttack(argparse.Namespace(**{**vars(options), "kinds": "slow,silent,wrong,many"}), report, process.port, options.seed + 3)
    attack.run(peers // 2, seconds / 2)
    process.before = process.figures()
    traders = [threading.Thread(target=trade, args=(f"a_{it}", it)) for it in (1, 2, 3)]
    for trader in traders:
        trader.start()
    attack.run(peers - peers // 2, seconds / 2)
    for trader in traders:
        trader.join(60)
    attack.leave()
    for name, lines in heard.items():
        counts = {it: lines.count(it) for it in ("start", "closed", "mail")}
        report.expect(counts == {"start": rounds, "closed": rounds, "mail": 2 * rounds}, f"market: {name} heard {counts}")
    status = process.child.wait(10)
    report.expect(status == 0 and len(heard) == 3, f"market: exit code {status}, {len(heard)} traders")
    print(f"market: {rounds} rounds with {len(heard)} traders, threads and descriptors {process.before} beside strangers")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--peers", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=0, help="of all attacks together; 0 is no limit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=256, help="MiB for each process")
    parser.add_argument("--strategy", default="uct", help="of the real matches")
    parser.add_argument("--only", default="player,serve,match,market")
    parser.add_argument("--kinds", default=",".join(KINDS), help="of peers")
    parser.add_argument("--groundfrog", default="target/release/groundfrog")
    options = parser.parse_args()
    report, begin = Report(), time.monotonic()
    # Shares of the peers and of the time.
    attacks = {"player": (attack_player, 0.78, 0.45), "serve": (attack_page, 0.2, 0.3), "match": (attack_match, 0.02, 0.2),
               "market": (attack_market, 0.1, 0.05)}
    for name in options.only.split(","):
        attack, peers, seconds = attacks[name]
        attack(options, report, int(options.peers * peers), options.seconds * seconds)
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(report.peers.items()))
    print(f"{report.total()} peers in {time.monotonic() - begin:.0f} s: {kinds}")
    print(f"{len(report.broken)} promises are broken" if report.broken else "all promises hold")
    sys.exit(1 if report.broken else 0)


if __name__ == "__main__":
    main()
