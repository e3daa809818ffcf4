"""`make fuzz`: search for a text that makes a reader of the notation fail, guided by coverage.

The first two bytes of an input choose the position and the reader, the rest is the text. The checks of the readers are
in `tests.notation.readers`. Any other error is a finding, and so is a text that takes seconds.
"""

import sys
from importlib import import_module
from itertools import product
from pathlib import Path

# Only the venv of `make fuzz` has atheris; ruff and mypy run in the other.
atheris = import_module("atheris")

with atheris.instrument_imports(include=["gipfbot.notation", "gipfbot.rules"]):
    from gipfbot.notation import position_text
    from tests.notation.helpers import along
    from tests.notation.readers import DRAFTS, READERS

CORPUS = Path("build/fuzz/corpus")
WORDS = Path(__file__).with_name("notation.dict")
OPTIONS = ["-max_total_time=600", "-max_len=400", "-timeout=5", "-rss_limit_mb=2048", "-artifact_prefix=build/fuzz/"]
TEXTS = """
    e2|Ge8|e1-e4|g1-c3;xc2,d3,e4,f4,g4*|xb5,c5,d5,e5;b2|xGe3,e4;e2;x (14)|xgg3;c6|x|X|b1*|f1X5g3e5|f1Xb*|g1*Xf6|
    Xb*e4Xg3;Ge2X|Xe;e1|h6*XXc4Xa*|a2–f6|1. Ge8 Gd8* 2. Ge9 Gf8*|[Rules "Basic"] 1. e2 {good} b2! 1-0|; a comment|
    tournament b W=e2 B=Ge8 reserve=1-14 captured=16-2 step=after dealt=e,b* result=0-1 by=gipf|xb*:e4f4|Ge1e2|-|
    1) e1 e3 (or c2) 1... d7!!! {open|[Position "basic b W=e2 B=e8 reserve=14-14 captured=0-0"] 1... e9e7 White wins|
    > e2;×b2,b3|;xc2 [9] $1 1:0 1. e2|Zc2|Pa1-c3|Zc1*|Zc3>c6|Pc3>c4+1|Pc3>c4+2;xpc4,zc6,Zc3*|Zc3>c6Xe5|pass|
    e1-e2;xd7,e7,f6,g5;xGe3|a4-b4;xe5*,e2;xGe3*|xGe3|[Rules "Overboard"] 1. c1-c2 pass ½–½|
    [Rules "tournament+Z6P6"] 1. Gh2 Gh4 2. Zh5 Gd7|
    overboard b W=Ge3 B=Ge8 reserve=16-15 captured=0-0 step=after rows=we2-e5/gipf,bb5-e5 asked=w|
    standard+Z3P6 w W=c4[G],Gc5[GG] B=pc4[P] reserve=1-1 captured=0-0 left=Z2P6-Z0P5 by=agreement
    """


def check(data: bytes) -> None:
    """Give one input to one reader. Whatever it raises is a finding."""
    draft, reader, text = data[:1], data[1:2], data[2:].decode("utf-8", "surrogateescape")
    if reader:
        READERS[reader[0] % len(READERS)](DRAFTS[draft[0] % len(DRAFTS)], text)


def sow() -> None:
    """Write the first corpus: every reader with every text, each in another position."""
    CORPUS.mkdir(parents=True, exist_ok=True)
    texts = [text.strip() for text in TEXTS.split("|")] + [position_text(along(*draft)) for draft in DRAFTS]
    for number, (reader, text) in enumerate(product(range(len(READERS)), texts)):
        (CORPUS / f"seed-{number}").write_bytes(bytes([number % len(DRAFTS), reader]) + text.encode())


if __name__ == "__main__":
    sow()
    atheris.Setup([sys.argv[0], f"-dict={WORDS}", *OPTIONS, *sys.argv[1:], str(CORPUS)], check)
    atheris.Fuzz()
