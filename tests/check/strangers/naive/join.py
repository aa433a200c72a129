# 4 Gewinnt: erstem offenen Spiel beitreten (schnell geschrieben, nur V1)
# python3 join.py INDEX_HOST INDEX_PORT
import random
import socket
import sys
import time

i = socket.create_connection((sys.argv[1], int(sys.argv[2])))
i.send(b'request_game_list\n')
time.sleep(0.5)
liste = i.recv(65536).decode().strip().split(';')
i.close()
print(liste)
spiel = None
for n in range(int(liste[1])):
    g = liste[2 + 8 * n:10 + 8 * n]
    if g[0] == 'Open':
        spiel = g
        break
if not spiel:
    print('kein offenes Spiel')
    sys.exit(1)
B, H, T = int(spiel[3]), int(spiel[4]), int(spiel[5])
if T == 0:
    T = 1
feld = [0] * (B * H * T)

s = socket.create_connection((spiel[6], int(spiel[7])))


def ziehen():
    ok = []
    for n in range(len(feld)):
        h = n // B % H
        if feld[n] == 0 and (h == 0 or feld[n - B] != 0):
            ok.append(n)
    if ok:
        s.send(('move;%d\n' % random.choice(ok)).encode())


s.send(('join_game;Student;' + spiel[2] + ';V1\n').encode())
gezogen = False         # warte auf das Echo des eigenen Zugs
while True:
    d = s.recv(65536).decode()
    if d == '':
        print('Verbindung weg')
        sys.exit(1)
    print(d, end='')
    if 'end_game' in d:
        break
    if 'abort_game' in d or 'failed' in d:
        sys.exit(1)
    for z in d.split('\n'):
        p = z.split(';')
        if p[0] == 'start_game':
            ziehen()
            gezogen = True
        if p[0] == 'synchronize_game_board':
            for k in range(int(p[1])):
                feld[int(p[2 + 2 * k])] = int(p[3 + 2 * k])
            if gezogen:
                gezogen = False
            else:
                ziehen()
                gezogen = True
    time.sleep(0.1)
