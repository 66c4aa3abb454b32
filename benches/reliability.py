#!/usr/bin/env python3
"""Sends a player many messages over loopback, and counts late and illegal answers. It starts the player and stops by itself.

    benches/reliability.py [--messages 100000] [--strategy random] [--clock 1] [--matches 8] [--groundfrog PATH]

Matches of tic-tac-toe against moves at random, several at once, each from START to STOP. What is legal is known here, and time counts here from
before connecting to the last byte, so that nothing of the program is trusted. Messages differ in case, white space and version of HTTP. In between, other peers send half a
message, garbage, a megabyte and the wrong match; they are not counted.
"""

import argparse
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time

GAME = os.path.join(os.path.dirname(__file__), "..", "corpus", "tictactoe.kif")
ROLES = ("cross", "nought")
LINES = [[(a, b) for b in "123"] for a in "123"] + [[(a, b) for a in "123"] for b in "123"]
LINES += [[(a, a) for a in "123"], [("1", "3"), ("2", "2"), ("3", "1")]]
PATIENCE = 30


class Tally:
    """What all matches have in common."""

    def __init__(self, messages):
        self.lock = threading.Lock()
        self.left = messages
        self.times = []
        self.faults = {"late": 0, "illegal": 0, "no answer": 0}
        self.examples = []

    def take(self):
        """Whether one more match may begin."""
        with self.lock:
            return self.left > 0

    def add(self, seconds, fault, example):
        with self.lock:
            self.left -= 1
            self.times.append(seconds)
            if fault:
                self.faults[fault] += 1
                self.examples.append(example)


def ask(port, message, numbers):
    """The answer to a message; raises OSError where there is none."""
    body = message.encode()
    version = numbers.choice(("1.0", "1.1"))
    head = f"POST / HTTP/{version}\r\nHost: x\r\nContent-Type: text/acl\r\nContent-length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as stream:
        stream.sendall(head.encode() + body)
        answer = b""
        while block := stream.recv(65536):
            answer += block
    head, _, body = answer.partition(b"\r\n\r\n")
    if b" 200 " not in head.split(b"\r\n")[0]:
        raise OSError(answer.decode(errors="replace"))
    return body.decode()


def spaced(message, numbers):
    """The same message, written differently."""
    if numbers.random() < 0.3:
        message = re.sub(r"[()]", lambda it: f" {it.group()}\r\n", message)
    return message


def legal(board, turn, role):
    if ROLES[turn % 2] != role:
        return ["wait"]
    return [f"(place {x} {y})" for x in "123" for y in "123" if (x, y) not in board]


def is_over(board):
    won = any(len({board.get(cell) for cell in line}) == 1 and line[0] in board for line in LINES)
    return won or len(board) == 9


def play(port, rules, options, number, tally):
    """Matches, one after the other."""
    numbers = random.Random(number)
    count = 0
    while tally.take():
        count += 1
        match, role = f"m.{number}.{count}", numbers.choice(ROLES)
        board, moves, turn = {}, None, 0

        def told(message, allowed):
            begin = time.monotonic()
            try:
                answer, fault = ask(port, spaced(message, numbers), numbers), None
            except OSError as error:
                answer, fault = str(error), "no answer"
            seconds = time.monotonic() - begin
            answer = " ".join(answer.replace("(", " ( ").replace(")", " ) ").split())
            answer = answer.replace("( ", "(").replace(" )", ")")
            if fault is None and seconds > options.clock:
                fault = "late"
            elif fault is None and answer not in allowed:
                fault = "illegal"
            tally.add(seconds, fault, (message[:60], answer[:400], round(seconds, 3)))
            return answer

        clock = f"{options.clock:g} {options.clock:g}"
        told(f"(START {match} {role} ({rules}) {clock})", ["ready"])
        while not is_over(board):
            own = legal(board, turn, role)
            answer = told(f"(PLAY {match} {moves or 'NIL'})", own)
            joint = [answer if it == role and answer in own else numbers.choice(legal(board, turn, it)) for it in ROLES]
            for it, move in zip(ROLES, joint):
                if move != "wait":
                    board[tuple(move.strip("()").split()[1:])] = it
            moves, turn = f"({' '.join(joint)})", turn + 1
        told(f"(STOP {match} {moves})", ["done"])


def disturb(port, over):
    """Peers that do what is wrong, until the matches are over."""
    held = []
    while not over.wait(0.2):
        for text in (b"POST / HTTP/1.0\r\nContent-length: 50\r\n\r\n(PLAY", b"\xff\x00)) garbage\r\n\r\n",
                     b"POST / HTTP/1.0\r\nContent-length: 1000000\r\n\r\n" + b"(PLAY m (" + b"a " * 500000,
                     b"POST / HTTP/1.0\r\nContent-length: 17\r\n\r\n( PLAY wrong NIL)"):
            try:
                stream = socket.create_connection(("127.0.0.1", port), timeout=1)
                stream.sendall(text)
            except OSError:
                continue
            held.append(stream)
        while len(held) > 8:
            held.pop(0).close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--strategy", default="random")
    parser.add_argument("--clock", type=float, default=1, help="seconds, of START and PLAY")
    parser.add_argument("--matches", type=int, default=8, help="at the same time")
    parser.add_argument("--groundfrog", default="target/release/groundfrog")
    options = parser.parse_args()
    with open(GAME, encoding="utf-8") as file:
        rules = " ".join(line.split(";")[0] for line in file).replace("\n", " ")
    command = [options.groundfrog, "player", "--port", "0", "--strategy", options.strategy]
    command += ["--matches", str(options.matches), "--threads", "1"]
    player = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = int(player.stdout.readline().rsplit(":", 1)[1])
        tally, over, begin = Tally(options.messages), threading.Event(), time.monotonic()
        peers = threading.Thread(target=disturb, args=(port, over))
        matches = [threading.Thread(target=play, args=(port, rules, options, it, tally)) for it in range(options.matches)]
        for thread in (*matches, peers):
            thread.start()
        for thread in matches:
            thread.join()
        over.set()
        peers.join()
    finally:
        player.terminate()
        player.wait()
    times = sorted(tally.times)
    share = lambda part: times[int((len(times) - 1) * part)] * 1e3
    faults = ", ".join(f"{number} {fault}" for fault, number in tally.faults.items())
    print(f"{len(times)} messages in {time.monotonic() - begin:.0f} s: {faults}")
    print(f"answers to {options.strategy}, clock {options.clock:g} s: median {share(0.5):.2f} ms, "
          f"99 % {share(0.99):.2f} ms, longest {share(1):.2f} ms")
    for example in tally.examples[:5]:
        print("   ", *example)
    sys.exit(1 if tally.examples else 0)


if __name__ == "__main__":
    main()
