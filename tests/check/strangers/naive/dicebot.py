# Wuerfelbot (schnell geschrieben)
# python3 dicebot.py -n NAME -p PORT HOST
import socket
import sys

name = sys.argv[sys.argv.index('-n') + 1]
port = 9001
if '-p' in sys.argv:
    port = int(sys.argv[sys.argv.index('-p') + 1])
host = sys.argv[-1]

s = socket.socket()
s.connect((host, port))

punkte = [0, 0, 0]      # 2 = ich
runde = 0
wer = 2
while True:
    d = s.recv(1024).decode()
    if not d:
        break
    for m in d.split('\n'):
        if m == '':
            continue
        print(m)
        w = m.split()
        if w[0] == 'HELO':
            s.send(('AUTH ' + name + '\n').encode())
        elif w[0] == 'TURN':
            if wer != 2:        # Gegner hat gesichert
                punkte[wer] += runde
                runde = 0
                wer = 2
            if runde >= 20:
                punkte[2] += runde
                runde = 0
                s.send(b'SAVE\n')
            else:
                s.send(b'ROLL\n')
        elif w[0] == 'THRW':
            wer2, a, b = int(w[1]), int(w[2]), int(w[3])
            if wer2 != wer:
                punkte[wer] += runde
                runde = 0
                wer = wer2
            if a == b:
                runde = 0
            else:
                runde += a + b
        elif w[0] == 'WIN' or w[0] == 'DEF':
            punkte[wer] += runde
            s.send(('BYE %d %d %d\n' % (punkte[2], punkte[0], punkte[1])).encode())
        elif w[0] == 'BYE':
            sys.exit(0)
        elif w[0] == 'ERR':
            sys.exit(1)
