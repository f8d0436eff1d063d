"""The installed command as whoever hosts it meets it: it starts, says where, stops, and comes back."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.patience import PATIENCE
from tests.server.postgres import PASSWORD, Cluster
from tests.server.running import Server, ServerError, served
from zerosum.server.settings import DEFAULT_PORT, FILE_NAME

ROOT = Path(__file__).resolve().parents[2]


def status(server: Server, path: str) -> int:
    assert server.url.startswith("http://127.0.0.1:")
    with urlopen(server.url + path, timeout=PATIENCE) as response:  # noqa: S310 - the line above says which
        return int(response.status)


def test_it_says_where_it_serves_and_nothing_else() -> None:
    with served(port=0) as server:
        assert server.out == f"Serving on {server.url}\n"
        assert server.port != 0
        assert status(server, "/healthz") == 200
        assert (server.home / FILE_NAME).is_file()
        assert server.stop() == 0
        assert server.out == f"Serving on {server.url}\n"


def test_it_comes_back_after_a_kill() -> None:
    with served() as server:
        server.kill()
        server.start()
        assert status(server, "/readyz") == 200


def test_replicas_share_a_postgresql_and_show_no_password(postgres: Cluster) -> None:
    database = postgres.database()
    with served(database) as one, served(database) as two:
        for server in (one, two):
            assert status(server, "/readyz") == 200
            assert not (server.home / FILE_NAME).exists()
            server.stop()
            assert PASSWORD not in server.log + server.out


def test_a_database_that_cannot_be_reached_is_told_without_its_password(postgres: Cluster) -> None:
    wrong = postgres.url("there_is_none").replace(PASSWORD, "not-the-password")
    with pytest.raises(ServerError) as raised, served(wrong):
        pass
    assert "not-the-password" not in str(raised.value)
    assert "Traceback" not in str(raised.value)


def test_a_port_that_is_taken_is_told() -> None:
    with served() as server:
        with (
            pytest.raises(ServerError, match=f":{server.port} cannot be listened on") as raised,
            served(port=server.port),
        ):
            pass
        assert "Traceback" not in str(raised.value)


def test_the_image_finds_it_healthy() -> None:
    check = re.search(r'CMD (\["python".*\])$', (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert check is not None
    code: str = json.loads(check[1])[2]
    with served() as server:
        asked = [sys.executable, "-c", code.replace(str(DEFAULT_PORT), str(server.port))]
        assert subprocess.run(asked, check=False).returncode == 0
        server.stop()
        assert subprocess.run(asked, check=False, stderr=subprocess.DEVNULL).returncode != 0
