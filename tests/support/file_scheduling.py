"""How tests are dealt to the processes of pytest-xdist: file by file, for test by test costs more than many a test."""

from xdist.scheduler import LoadGroupScheduling


class FileScheduling(LoadGroupScheduling):
    """Gives a process all tests of a group, or else of a file, so that what they share is made once.

    The groups and files come in the order of the tests.
    """

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if group == nodeid else group
