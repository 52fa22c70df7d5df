"""The entry point of a resources server block of NeMo-Gym: its ports are given by NeMo-Gym, so the server is started from here.

resources_servers: {touchstone: {entrypoint: nemo_gym_app.py, domain: reasoning, host: 127.0.0.1, port: 8000}}
"""
import os
import sys


def command(host, port):
    """NeMo-Gym may give an address that other machines reach; its clients send no key."""
    return ["touchstone", "serve", "--host", host, "--port", str(port), "--open"]


if __name__ == "__main__":
    host, port = (sys.argv[1:] + ["127.0.0.1", "8000"])[:2]
    os.execvp("touchstone", command(host, port))
