"""Tries jamf-simulator as a program: how it starts and ends, and what only a connection shows.

usage: jamf_program.py PROGRAM
"""

import http.client
import json
import signal
import socket
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit


class Server:
    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().strip()
        self.address = urlsplit(line)
        assert self.address.hostname == "127.0.0.1" and self.address.port, line

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.process.kill()
        self.process.stdout.close()
        self.process.wait()

    def connection(self):
        return http.client.HTTPConnection(self.address.hostname, self.address.port)

    def request(self, method, path, body=None, headers=None):
        connection = self.connection()
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer, answer.read()

    def token(self):
        form = "grant_type=client_credentials&client_id=forsetti-demo&client_secret=forsetti-demo-secret"
        return json.loads(self.request("POST", "/api/v1/oauth/token", form)[1])["access_token"]

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait()


def check_faults(program, faults):
    with Server(program, "--computers", "50", "--mobile-devices", "0", "--faults", faults) as server:
        headers = {"Authorization": f"Bearer {server.token()}"}
        try:
            server.request("GET", "/api/v3/computers-inventory", headers=headers)
            raise AssertionError("a cut body was taken for a whole one")
        except http.client.IncompleteRead as error:
            # Pieces come one by one, so what was read stands in the chain of errors or in the error itself.
            assert len(error.partial) <= 40, error
        answer, body = server.request("GET", "/api/v3/computers-inventory", headers=headers)
        assert answer.status == 200 and json.loads(body)["totalCount"] == 50
        # Waits ten minutes for its answer, but not for its end.
        late = server.connection()
        late.request("GET", "/api/v1/buildings", headers=headers)
        while json.loads(server.request("GET", "/simulator/requests")[1])["count"] < 4:
            pass
        assert server.end(signal.SIGTERM) == 0


def check_ends(program):
    for number in (signal.SIGTERM, signal.SIGINT):
        with Server(program, "--seed", "9", "--computers", "0", "--mobile-devices", "0") as server:
            assert server.request("GET", "/api/v1/auth")[0].status == 401
            assert server.end(number) == 0


def check_refusals(program, faults):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        cases = {
            ("--port", "65536"): 64,
            ("--port", str(taken.getsockname()[1])): 71,
            ("--computers", "100001"): 64,
            ("--seed",): 64,
            ("--fire", "1"): 64,
            ("--faults", "/nowhere/at/all"): 66,
            ("--faults", faults): 65,
        }
        for arguments, status in cases.items():
            end = subprocess.run([program, *arguments], capture_output=True, text=True)
            assert end.returncode == status, (arguments, end)
            assert end.stderr.startswith("jamf-simulator: ") and not end.stdout, end
    end = subprocess.run([program, "--help"], capture_output=True, text=True)
    assert end.returncode == 0 and end.stdout.startswith("usage: jamf-simulator"), end


def main(program):
    rules = [
        {"path": "/api/v3/computers-inventory", "fault": "cut", "bytes": 40},
        {"path": "/api/v1/buildings", "fault": "slow", "milliseconds": 600_000},
    ]
    with tempfile.NamedTemporaryFile("w") as good, tempfile.NamedTemporaryFile("w") as bad:
        json.dump({"faults": rules}, good)
        bad.write('{"faults": [{"path": "/", "fault": "fire"}]}')
        good.flush()
        bad.flush()
        check_faults(program, good.name)
        check_refusals(program, bad.name)
    check_ends(program)


if __name__ == "__main__":
    main(sys.argv[1])
