"""A name server program: every name that ends in .test has the same address.

    name_server.py ADDRESS     listens on the address, and resolves names to it
"""

import socket
import struct
import sys

IPV4, INTERNET = 1, 1


def response(query: bytes, address: str) -> bytes:
    identifier, _, questions = struct.unpack_from(">HHH", query)
    end = query.index(b"\0", 12) + 5
    kind, = struct.unpack_from(">H", query, end - 4)
    is_known = questions == 1 and b"\4test\0" in query[12:end]
    answers = 1 if is_known and kind == IPV4 else 0
    # The response is authoritative; an unknown name gets code 3 (no such name).
    head = struct.pack(">6H", identifier, 0x8580 | (0 if is_known else 3), 1, answers, 0, 0)
    record = struct.pack(">3HIH", 0xC00C, IPV4, INTERNET, 0, 4) + socket.inet_aton(address)
    return head + query[12:end] + record * answers


def serve(address: str):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((address, 53))
        print("ready", flush=True)
        while True:
            query, client = server.recvfrom(512)
            server.sendto(response(query, address), client)


if __name__ == "__main__":
    serve(sys.argv[1])
