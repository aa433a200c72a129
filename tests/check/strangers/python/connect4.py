#!/usr/bin/env python3
"""4 Gewinnt im Netz, Protokoll V1 und V2 (2D und 3D).

  connect4.py join INDEX_HOST INDEX_PORT [GAMENAME]
  connect4.py host INDEX_HOST INDEX_PORT MY_PORT GAMENAME [DEPTH]
"""
import argparse
import getpass
import itertools
import random
import signal
import socket
import sys
import threading
import time

FREE, INITIATOR, OPPONENT = "0", "1", "2"
INDEX_TIMEOUT = 10         # Antwortzeit Indizierungsserver
OPPONENT_TIMEOUT = 10      # Abschnitt 3.3
HEARTBEAT_EVERY = 10
HEARTBEAT_TIMEOUT = 60
MAX_MESSAGE = 1 << 20


class GameError(Exception):
    """Alles, was das Programm mit einer Meldung beendet."""


class Aborted(GameError):
    """Die Gegenseite hat abort_game geschickt."""


class Connection:
    """TCP-Verbindung mit Newline-terminierten Nachrichten."""

    def __init__(self, sock):
        self.sock, self.buf = sock, b""

    @classmethod
    def open(cls, host, port, timeout=INDEX_TIMEOUT):
        return cls(socket.create_connection((host, int(port)), timeout))

    def send(self, header, *params):
        text = ";".join([header] + [str(p).replace(";", ",").replace("\n", " ") for p in params])
        self.sock.settimeout(OPPONENT_TIMEOUT)
        self.sock.sendall((text + "\n").encode("utf-8"))

    def receive(self, timeout=None):
        """Eine Nachricht als [header, param...]; timeout gilt fuer die ganze Nachricht."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while b"\n" not in self.buf:
            rest = None if deadline is None else deadline - time.monotonic()
            if rest is not None and rest <= 0:
                raise GameError("Zeitueberschreitung beim Warten auf eine Nachricht")
            self.sock.settimeout(rest)
            try:
                data = self.sock.recv(65536)
            except socket.timeout:
                continue
            if not data:
                raise GameError("Verbindung wurde von der Gegenseite geschlossen")
            self.buf += data
            if len(self.buf) > MAX_MESSAGE:
                raise GameError("Nachricht zu lang")
        line, self.buf = self.buf.split(b"\n", 1)
        return line.decode("utf-8", "replace").rstrip("\r").split(";")

    def close(self):
        self.sock.close()


def number(text):
    if not (text.isascii() and text.isdigit()):
        raise GameError("keine Zahl: %r" % text)
    return int(text)


class Board:
    def __init__(self, width, height, depth):
        self.w, self.h, self.d = width, height, max(depth, 1)    # T=0: zweidimensional
        if self.w < 1 or self.h < 1 or self.w * self.h * self.d > 100000:
            raise GameError("Spielfeldgroesse nicht unterstuetzt")
        self.cells = [FREE] * (self.w * self.h * self.d)

    def index(self, k, i, j):
        return k * self.w * self.h + i * self.w + j

    def is_legal(self, n):
        if not 0 <= n < len(self.cells) or self.cells[n] != FREE:
            return False
        i = n % (self.w * self.h) // self.w
        return i == 0 or self.cells[n - self.w] != FREE

    def legal_moves(self):
        return [n for n in range(len(self.cells)) if self.is_legal(n)]

    def set(self, n, state):
        if not 0 <= n < len(self.cells) or state not in (FREE, INITIATOR, OPPONENT):
            raise GameError("ungueltiger Feldzustand %s auf Feld %s" % (state, n))
        self.cells[n] = state

    def winner(self):
        """INITIATOR/OPPONENT, FREE fuer unentschieden, None solange das Spiel laeuft."""
        lines = [d for d in itertools.product((-1, 0, 1), repeat=3) if d > (0, 0, 0)]
        for k, i, j in itertools.product(range(self.d), range(self.h), range(self.w)):
            who = self.cells[self.index(k, i, j)]
            if who == FREE:
                continue
            for dk, di, dj in lines:
                ek, ei, ej = k + 3 * dk, i + 3 * di, j + 3 * dj
                if 0 <= ek < self.d and 0 <= ei < self.h and 0 <= ej < self.w and all(
                        self.cells[self.index(k + s * dk, i + s * di, j + s * dj)] == who
                        for s in (1, 2, 3)):
                    return who
        return None if FREE in self.cells else FREE


def ask_index(args, *message):
    """Eine Anfrage je TCP-Verbindung an den Indizierungsserver."""
    try:
        conn = Connection.open(args.index_host, args.index_port)
        try:
            conn.send(*message)
            return conn.receive(INDEX_TIMEOUT)
        finally:
            conn.close()
    except (OSError, GameError) as e:
        raise GameError("Indizierungsserver: %s" % e)


# ---------------------------------------------------------------- Gegenspieler

def open_games(args):
    answer = ask_index(args, "request_game_list")
    if answer[0] != "answer_game_list" or len(answer) < 2:
        raise GameError("unerwartete Antwort des Indizierungsservers: " + ";".join(answer)[:200])
    count, params = number(answer[1]), answer[2:]
    if len(params) != 8 * count and not (count == 0 and params == [""]):
        raise GameError("Spieleliste hat die falsche Laenge")
    games = [params[8 * n:8 * n + 8] for n in range(count)]
    for g in games:
        print("%-6s %s: %s (%sx%sx%s) auf %s:%s" % (g[0], g[1], g[2], *g[3:8]))
    return [g for g in games if g[0] == "Open" and args.gamename in (None, g[2])]


def join(args):
    for g in open_games(args):
        try:
            board = Board(*(number(x) for x in g[3:6]))
            conn = Connection.open(g[6], number(g[7]))
        except (OSError, GameError, OverflowError) as e:
            print("%s: %s" % (g[2], e), file=sys.stderr)
            continue
        try:
            conn.send("join_game", args.name, g[2], args.version)
            answer = conn.receive(30)
            if answer[0] != "join_game_success":
                print("%s: %s" % (g[2], ";".join(answer)), file=sys.stderr)
                continue
            version = answer[1] if len(answer) > 1 else "V1"
            if version not in ("V1", "V2"):
                raise GameError("unbekannte Protokollversion " + version)
            print("Spiel %s, Protokoll %s" % (g[2], version))
            return play_opponent(conn, board)
        finally:
            conn.close()
    raise GameError("kein offenes Spiel, dem man beitreten kann")


def play_opponent(conn, board):
    timeout = None                              # der Initiator darf beliebig lange ueberlegen
    while True:
        header, *params = conn.receive(timeout)
        my_turn = False
        if header == "start_game":
            my_turn = True
        elif header in ("synchronize_game_board", "updated_game_board"):
            values = params
            if header == "synchronize_game_board":
                values = params[1:]
                if not params or len(values) != 2 * number(params[0]):
                    raise GameError("Spielzustand hat die falsche Laenge")
            if len(values) % 2:
                raise GameError("Spielzustand hat die falsche Laenge")
            for n, state in zip(values[::2], values[1::2]):
                if state == INITIATOR and board.cells[number(n):number(n) + 1] != [INITIATOR]:
                    my_turn = True              # neuer Stein des Initiators
                board.set(number(n), state)
        elif header == "moved_failed":
            print("Zug abgelehnt: " + ";".join(params), file=sys.stderr)
            timeout = OPPONENT_TIMEOUT          # jetzt muesste abort_game kommen
        elif header == "end_game":
            result = params[0] if params else "?"
            print({"0": "unentschieden", "1": "verloren", "2": "gewonnen"}.get(result, result))
            return 0 if result in ("0", "1", "2") else 1
        elif header == "abort_game":
            raise Aborted("Spiel abgebrochen: " + ";".join(params))
        else:
            conn.send("abort_game", "unbekannte Nachricht " + header)
            raise GameError("unbekannte Nachricht: %s" % header)
        if my_turn and board.winner() is None:
            conn.send("move", random.choice(board.legal_moves()))


# ---------------------------------------------------------------- Initiator

class Host:
    def __init__(self, args):
        self.args, self.board = args, Board(7, 6, args.depth)
        self.guid = self.opponent = self.version = None
        self.running = False
        self.lock, self.joined = threading.Lock(), threading.Event()
        self.last_heartbeat = time.monotonic()

    def heartbeat_sender(self, udp, address):
        while True:
            try:
                udp.sendto(b"heartbeat\n", address)
            except OSError:
                pass
            time.sleep(HEARTBEAT_EVERY)

    def heartbeat_receiver(self, udp, address):
        while True:
            try:
                data, sender = udp.recvfrom(2048)
            except OSError:                     # z.B. ICMP port unreachable
                time.sleep(0.1)
                continue
            if data.strip() == b"heartbeat" and sender[0] == address[0]:
                self.last_heartbeat = time.monotonic()

    def index_alive(self):
        return time.monotonic() - self.last_heartbeat <= HEARTBEAT_TIMEOUT

    def acceptor(self, server):
        while True:
            sock, _ = server.accept()
            threading.Thread(target=self.handshake, args=(Connection(sock),), daemon=True).start()

    def handshake(self, conn):
        """Beitrittsanfrage; der erste gueltige Gegenspieler bekommt das Spiel."""
        try:
            request = conn.receive(OPPONENT_TIMEOUT)
            reason = None
            if len(request) != 4 or request[0] != "join_game":
                reason = "join_game erwartet"
            elif request[2] != self.args.gamename:
                reason = "unbekanntes Spiel"
            elif request[3] not in ("V1", "V2"):
                reason = "unbekannte Protokollversion"
            with self.lock:
                if reason is None and self.running:
                    reason = "Spiel laeuft bereits"
                self.running = self.running or reason is None
            if reason is None:
                self.version = "V1" if self.args.version == "V1" else request[3]
                self.opponent = conn
                conn.send("join_game_success", self.version)
                print("%s spielt mit (%s)" % (request[1], self.version))
                self.joined.set()
                return
            conn.send("join_game_failed", reason)
        except (GameError, OSError) as e:
            print("Beitritt: %s" % e, file=sys.stderr)
            if conn is self.opponent:           # Gegner vor Spielbeginn verloren
                self.opponent, self.running = None, False
        conn.close()

    def publish(self, n, state):
        self.board.set(n, state)
        if self.version == "V2":
            self.opponent.send("updated_game_board", n, state)
        else:
            pairs = [x for pair in enumerate(self.board.cells) for x in pair]
            self.opponent.send("synchronize_game_board", len(self.board.cells), *pairs)

    def opponent_move(self):
        header, *params = self.opponent.receive(OPPONENT_TIMEOUT)
        if header == "abort_game":
            raise Aborted("Gegenspieler bricht ab: " + ";".join(params))
        if header != "move" or len(params) != 1:
            raise GameError("move erwartet, nicht " + header)
        try:
            n = number(params[0])
        except GameError:
            n = -1
        if not self.board.is_legal(n):
            self.opponent.send("moved_failed", "Feld %s ist nicht erlaubt" % params[0])
            raise GameError("ungueltiger Zug %s" % params[0])
        return n

    def play(self):
        answer = ask_index(self.args, "seal_game", self.guid)
        if answer[0] != "seal_game_success":
            raise GameError("Versiegeln fehlgeschlagen: " + ";".join(answer))
        turn = random.choice((INITIATOR, OPPONENT))
        if turn == OPPONENT:
            self.opponent.send("start_game")
        while self.board.winner() is None:
            if not self.index_alive():
                raise GameError("kein Heartbeat vom Indizierungsserver")
            n = random.choice(self.board.legal_moves()) if turn == INITIATOR else self.opponent_move()
            self.publish(n, turn)
            turn = OPPONENT if turn == INITIATOR else INITIATOR
        result = self.board.winner()
        self.opponent.send("end_game", result)
        print({"0": "unentschieden", "1": "gewonnen", "2": "verloren"}[result])

    def run(self):
        args = self.args
        server = socket.create_server(("", args.my_port))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("", args.my_port))            # Heartbeats von und an den Spielport
        address = (socket.gethostbyname(args.index_host), args.index_port)
        probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        probe.connect(address)                  # eigene IP-Adresse in Richtung Index
        my_ip = probe.getsockname()[0]
        probe.close()
        answer = ask_index(args, "register_game", args.name, args.gamename,
                           self.board.w, self.board.h, args.depth, my_ip, args.my_port)
        if answer[0] != "register_success" or len(answer) < 2:
            raise GameError("Registrierung fehlgeschlagen: " + ";".join(answer))
        self.guid, self.last_heartbeat = answer[1], time.monotonic()
        print("registriert als %s, warte auf %s:%d" % (self.guid, my_ip, args.my_port))
        for target, extra in ((self.heartbeat_sender, (udp, address)),
                              (self.heartbeat_receiver, (udp, address)), (self.acceptor, (server,))):
            threading.Thread(target=target, args=extra, daemon=True).start()
        try:
            while not self.joined.wait(1):
                if not self.index_alive():
                    raise GameError("kein Heartbeat vom Indizierungsserver")
            self.play()
            return 0
        except (GameError, OSError, KeyboardInterrupt) as e:
            if self.opponent and not isinstance(e, Aborted):
                try:
                    self.opponent.send("abort_game", str(e) or "Initiator wurde beendet")
                except OSError:
                    pass
            raise
        finally:
            try:
                answer = ask_index(args, "unregister_game", self.guid)
                if answer[0] != "unregister_game_success":
                    print("Abmelden: " + ";".join(answer), file=sys.stderr)
            except GameError as e:
                print("Abmelden: %s" % e, file=sys.stderr)
            if self.opponent:
                self.opponent.close()


def main():
    parser = argparse.ArgumentParser(description="4 Gewinnt (V1/V2)")
    parser.add_argument("--name", default=None, help="Spielername")
    parser.add_argument("--v1", dest="version", action="store_const", const="V1", default="V2")
    sub = parser.add_subparsers(dest="mode", required=True)
    for mode in ("join", "host"):
        p = sub.add_parser(mode)
        p.add_argument("index_host")
        p.add_argument("index_port", type=int)
        if mode == "host":
            p.add_argument("my_port", type=int)
            p.add_argument("gamename")
            p.add_argument("depth", type=int, nargs="?", default=0)
        else:
            p.add_argument("gamename", nargs="?")
    args = parser.parse_args()
    try:
        args.name = args.name or getpass.getuser()
    except (KeyError, OSError):
        args.name = "Spieler"
    if args.mode == "host" and (set(";\n") & set(args.gamename) or args.depth < 0):
        parser.error("GAMENAME ohne Semikolon, DEPTH nicht negativ")
    def on_term(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, on_term)
    try:
        return join(args) if args.mode == "join" else Host(args).run()
    except (GameError, OSError) as e:
        print("Fehler: %s" % e, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("beendet", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
