"""The protocol of Oware's move servers (Oware task, section 5), both sides, without I/O.

One connection carries one request of four lines and one answer of five. `server` reads and judges
requests, `client` writes them and checks what comes back.
"""
