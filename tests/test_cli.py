"""The command line as a user calls it."""

import subprocess
import sys
import time
import urllib.request

import pytest

import siviz
from siviz import cli


def test_version_and_help_answer_and_exit_with_zero(capsys):
    for option, expected in (("--version", siviz.__version__), ("--help", "dashboard")):
        with pytest.raises(SystemExit) as exit_:
            cli.main([option])
        assert exit_.value.code == 0
        assert expected in capsys.readouterr().out


def test_an_unknown_option_exits_with_two(capsys):
    with pytest.raises(SystemExit) as exit_:
        cli.main(["--nonsense"])
    assert exit_.value.code == 2
    assert "--nonsense" in capsys.readouterr().err


def test_the_dashboard_answers_after_start(free_port):
    command = [sys.executable, "-m", "siviz", "--port", str(free_port), "--headless"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert answers(f"http://127.0.0.1:{free_port}/_stcore/health", server) == b"ok"
    finally:
        server.terminate()
        server.communicate(timeout=20)


def answers(address, server):
    """The body of the first answer, waited for while the server lives."""
    for _ in range(150):
        assert server.poll() is None, server.stdout.read().decode()
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                return answer.read()
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the dashboard did not answer within 30 s")
