# Quarto-Client (schnell geschrieben)
# python3 naive.py -g GAMEID -p PLAYER -s HOST:PORT
import random
import socket
import sys
import time

game = player = ''
server = 'sysprak.priv.lab.nm.ifi.lmu.de:1357'
for i, a in enumerate(sys.argv):
    if a == '-g':
        game = sys.argv[i + 1]
    if a == '-p':
        player = sys.argv[i + 1]
    if a == '-s':
        server = sys.argv[i + 1]

host, port = server.split(':')
s = socket.socket()
s.connect((host, int(port)))


def rx():
    time.sleep(0.1)     # kurz warten, damit alles da ist
    d = s.recv(4096).decode()
    print(d, end='')
    if d == '' or d[0] == '-':
        print('Verbindung weg')
        sys.exit(1)
    return d


def tx(m):
    print('>', m)
    s.send((m + '\n').encode())


def zug(d):
    frei = []
    steine = list(range(16))
    for z in d.split('\n'):
        w = z.split()
        if len(w) == 3 and w[1] == 'NEXT':
            steine.remove(int(w[2]))
        if len(w) == 6:         # + Y a b c d
            for x in range(4):
                if w[2 + x] == '*':
                    frei.append('ABCD'[x] + w[1])
                else:
                    steine.remove(int(w[2 + x]))
    feld = random.choice(frei)
    if len(frei) == 1:
        return feld
    return feld + ',' + str(random.choice(steine))


rx()
tx('VERSION 1.0')
rx()
tx('ID ' + game)
d = rx()
if 'Quarto' not in d:
    print('kein Quarto!')
    sys.exit(1)
tx(('PLAYER ' + player).strip())
while True:
    d = rx()
    if '+ WAIT' in d:
        tx('OKWAIT')
    if '+ MOVE ' in d:
        m = zug(d)
        tx('THINKING')
        rx()
        tx('PLAY ' + m)
    if 'GAMEOVER' in d:
        break
s.close()
