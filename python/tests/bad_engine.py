"""A UCI engine that misbehaves in the way its first argument says."""

import sys
import time


def say(text):
    print(text, flush=True)


def flood():
    while True:
        sys.stdout.write("info depth 1 score cp 1 nodes 1 pv e2e4\n" * 1000)


def search(kind, limit):
    if kind == "illegal":
        say("bestmove e2e5")
    elif kind == "nothing":
        say("bestmove (none)")
    elif kind == "crash":
        sys.exit("it broke")
    elif kind == "hang":
        time.sleep(1000)
    elif kind == "flood":
        flood()
    elif kind == "babble":
        say("info depth x score cp pv e2e4 e2e4 zz multipv 99999 nodes -5\nbestmove e2e4 ponder e2e4")
    elif kind == "deaf" or "infinite" not in limit:
        say("info depth 3 seldepth 4 score cp 25 wdl 300 500 200 nodes 77 nps 1000 time 77 pv e2e4 e7e5")
        say("bestmove e2e4 ponder e7e5")


def main(kind):
    if kind == "mute":
        time.sleep(1000)
    for line in sys.stdin:
        word = line.split()[0]
        if word == "uci":
            say("id name Bad one\nid author Nobody")
            say("option name Hash type spin default 16 min 1 max 64")
            say("option name Style type combo default Solid var Solid var Risky")
            say("uciok")
        elif word == "isready":
            say("readyok")
        elif word == "go":
            search(kind, line)
        elif word == "stop" and kind == "good":
            say("bestmove e2e4")
        elif word == "quit":
            if kind == "stubborn":
                time.sleep(1000)
            return


main(sys.argv[1])
