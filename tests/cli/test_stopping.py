"""Ending a command that has nothing to finish; what is killed is tested in tests/tournament."""

import signal
import threading

from put_cli.cli.stopping import ends_at_once


def test_afterwards_signals_are_what_they_were_and_nobody_waits() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    threads = threading.active_count()
    with ends_at_once("Stopped."):
        assert [signal.getsignal(number) for number in numbers] != before
    assert [signal.getsignal(number) for number in numbers] == before
    assert threading.active_count() == threads
    assert signal.set_wakeup_fd(-1) == -1
