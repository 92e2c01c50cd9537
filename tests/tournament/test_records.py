"""What becomes of the records of a run."""

import logging
from pathlib import Path

from put_cli.tournament.records import LogFile


def test_a_record_that_comes_after_the_end_is_kept_and_leaves_no_file_open(tmp_path: Path) -> None:
    handler = LogFile(tmp_path / "run.log", encoding="utf-8")
    for number in range(3):
        handler.emit(logging.makeLogRecord({"msg": f"record {number}"}))
        handler.close()
        assert handler.stream is None
    assert (tmp_path / "run.log").read_text() == "record 0\nrecord 1\nrecord 2\n"
