"""A trader for `groundfrog market AUCTION --port 9149 --rounds N`, which learns how much of a value to bid.

python3 trader.py HOST:PORT NAME VALUE [WORD]: bids `(WORD PRICE)`, `my_bid` if no word is given.
"""
import random, re, socket, sys

host, port = sys.argv[1].split(":")
name, value = sys.argv[2], float(sys.argv[3])
word = sys.argv[4] if len(sys.argv) > 4 else "my_bid"
shares = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
gains = {share: [0.0, 0] for share in shares}  # sum and number of what bidding a share has gained
chance = random.Random(name)
rounds = earned = 0

with socket.create_connection((host, int(port))) as market:
    def say(line):
        market.sendall((line + "\n").encode())
    say(f"(join {name})")
    for line in market.makefile():
        if line.startswith("(refused"):
            print("refused:", line.strip())
        elif line.startswith("(start"):
            rounds, gain = rounds + 1, 0.0
            untried = [share for share in shares if not gains[share][1]]
            best = max(shares, key=lambda it: gains[it][0] / max(1, gains[it][1]))
            share = untried[0] if untried else chance.choice(shares) if chance.random() < 0.1 else best
        elif line.startswith("(time 1)"):
            say(f"(message ({word} {value * share:.2f}))")
        elif won := re.match(rf"\(mail \d+ \(winner {re.escape(name)} (\S+)\)\)", line):
            gain = value - float(won[1])
        elif line.startswith("(closed"):
            earned, gains[share] = earned + gain, [gains[share][0] + gain, gains[share][1] + 1]
tried = [share for share in shares if gains[share][1]]
best = max(tried, key=lambda it: gains[it][0] / gains[it][1], default=None)
print(f"{name}: {rounds} rounds, earned {earned:.2f}, bids best {best} of its value")
