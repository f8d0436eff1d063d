"""How the tests run a server: on a stand-in that fails, lingers and leaves children behind at will."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from tests.patience import PATIENCE
from tests.server import running
from tests.server.ports import free_port
from tests.server.running import ServerError, alive, served

ROOT = Path(__file__).resolve().parents[2]

STAND_IN = """
import http.server, json, os, signal, subprocess, sys
words = sys.argv[1:]
if "--fail" in words:
    sys.exit("zerosum: no.")
if "--child" in words:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
if "--deaf" in words:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps([words, os.environ["ZEROSUM_HOME"]]).encode())

server = http.server.HTTPServer(("127.0.0.1", int(words[words.index("--port") + 1])), Handler)
print("starting", file=sys.stderr, flush=True)
print(f"Serving on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""
COMMAND = (sys.executable, "-c", STAND_IN)


def answer(url: str) -> str:
    assert url.startswith("http://127.0.0.1:")
    with urlopen(url, timeout=PATIENCE) as response:  # noqa: S310 - the line above says which
        return str(response.read().decode())


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_it_serves_with_the_options_given_and_is_gone_afterwards() -> None:
    both = ["http://a", "http://b"]
    with served("sqlite:///x", command=COMMAND, behind_proxy=True, open=False, public_url=both) as server:
        told = answer(server.url)
        assert str(server.home) in told
        for part in ('"--behind-proxy"', '"--public-url", "http://a", "--public-url", "http://b"', '"sqlite:///x"'):
            assert part in told
        assert "--open" not in told
        assert "starting" in server.log
        pid = server.pid
    assert not psutil.pid_exists(pid)
    assert not server.home.exists()


@pytest.mark.parametrize("port", [None, 0])
def test_it_comes_back_at_the_same_address(port: int | None) -> None:
    with served(command=COMMAND, port=port) as server:
        url = server.url
        assert server.stop() == -signal.SIGTERM
        with pytest.raises(OSError, match="refused"):
            answer(url)
        server.start()
        server.kill()
        server.restart()
        assert answer(url)
        assert server.url == url
        assert server.log.count("starting") == 3


def test_one_that_does_not_start_is_told_with_its_words() -> None:
    with pytest.raises(ServerError, match=r"zerosum: no\."), served(command=COMMAND, fail=True):
        pass


def test_one_that_does_not_stop_is_killed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "STOP_SECONDS", 0.3)
    with pytest.raises(ServerError, match="did not end"), served(command=COMMAND, deaf=True) as server:
        pid = server.pid
    assert not psutil.pid_exists(pid)


def test_what_a_server_leaves_behind_is_killed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "GONE_SECONDS", 0.3)
    with pytest.raises(ServerError, match="left"), served(command=COMMAND, child=True) as server:
        assert len(server.processes()) == 2
    wait_until(lambda: not server.processes())


def test_an_error_in_a_test_ends_the_server() -> None:
    with pytest.raises(ZeroDivisionError), served(command=COMMAND, child=True) as server:
        raise ZeroDivisionError
    wait_until(lambda: not server.processes())


def test_a_killed_test_ends_its_server(tmp_path: Path) -> None:
    script = f"""
        import os, signal
        from tests.server.running import served
        with served(command={COMMAND!r}) as server:
            print(server.pid, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    run = [sys.executable, "-c", textwrap.dedent(script)]
    env = {**os.environ, "TMPDIR": str(tmp_path)}  # the folder that it leaves goes with the test's own
    done = subprocess.run(run, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    pid = int(done.stdout)
    wait_until(lambda: not any(one.pid == pid and alive(one) for one in psutil.process_iter()))


def test_a_port_is_free_and_no_outgoing_connection_takes_it() -> None:
    assert os.path.exists(running.COMMAND[0])
    assert 20000 <= free_port() < 32000
