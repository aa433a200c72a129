"""A dice bot as a program of its own; its first argument says how it fails as one.

python program.py HOW -n NAME [-p PORT] HOST
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from getopt import GetoptError, getopt

SENTENCE = "Received termination request - terminating..."
SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


def terminate(how: str) -> None:
    """End as a signal has asked to."""
    sentence = {
        "misspelt": SENTENCE.rstrip("."),
        "prefixed": f"\n./dicebot: {SENTENCE} (signal)",
        "silent": "",
    }.get(how, SENTENCE)
    os.write(1 if how == "stdout" else 2, f"{sentence}\n".encode())
    os._exit(1 if how == "status" else 0)


def catch(how: str) -> None:
    """Install what is done about signals."""
    for number in SIGNALS:
        if how == "deaf":
            signal.signal(number, signal.SIG_IGN)
        else:
            signal.signal(number, lambda *_: terminate(how))
    if how == "no-quit":
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def play(line: socket.socket, name: str, how: str) -> None:
    """One game."""
    saved, points = [0, 0, 0], [0, 0, 0]

    def settle(*players: int) -> None:
        for player in players:
            saved[player] += points[player]
            points[player] = 0

    for message in line.makefile("r", encoding="ascii", newline="\n"):
        word, *rest = message.split()
        answer = ""
        if word == "HELO":
            answer = f"AUTH {name}"
        elif word == "THRW":
            player, first, second = map(int, rest[:3])
            settle(*{0, 1, 2} - {player})
            points[player] = 0 if first == second else points[player] + first + second
        elif word == "TURN":
            settle(0, 1)
            answer = "SAVE" if points[2] >= 20 else "ROLL"
            settle(*[2] if answer == "SAVE" else [])
        elif word in ("WIN", "DEF"):
            settle(0, 1, 2)
            answer = f"BYE {saved[2]} {saved[0]} {saved[1]}"
        elif word == "ERR" and how == "stays":
            time.sleep(60)
        else:
            return
        if answer:
            line.sendall(f"{answer}\n".encode())
    if how == "hangs":
        time.sleep(60)


def main() -> int:
    """Read the command line as the document has it."""
    how, *arguments = sys.argv[1:]
    catch(how)
    try:
        found, rest = getopt(arguments, "n:p:")
        name = dict(found)["-n"]
        port = int(dict(found).get("-p", "9001"))
        host = rest[0]
    except (GetoptError, LookupError, ValueError) as error:
        if how == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        sys.stderr.write(f"{error}\ndicebot -n <bot-name> [-p <server-port>] <server-hostname>\n")
        return 1
    if how == "numeric":
        socket.inet_aton(host)
    if how == "noisy":
        sys.stdout.write("x" * 1_000_000)
    with socket.create_connection((host, port)) as line:
        play(line, name, how)
    return 3 if how == "three" else 0


if __name__ == "__main__":
    sys.exit(main())
