"""What a command line tool prints."""

import pytest


def read_output(capsys: pytest.CaptureFixture[str], code: int) -> tuple[int, list[str], str]:
    """Return the exit code, the lines on the standard output, and the text on the standard error."""
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err
