"""What tests of all rooms share."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def untraced() -> Iterator[None]:
    """Let a test that runs the same lines a million times run them unmeasured.

    The marker `no_cover` of pytest-cov does nothing in the workers of pytest-xdist.
    """
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)
