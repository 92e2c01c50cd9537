"""What all tests rely on."""

import signal


def pytest_configure() -> None:
    """Tests are interrupted, and interrupt others, even where they run in the background.

    A shell starts background jobs with Ctrl-C ignored, and so would be all that they start.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
