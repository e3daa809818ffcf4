"""`gipfbot languages`: what each language lacks, and new sentences for its file."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from operator import attrgetter
from string import Formatter

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog
from babel.messages.pofile import write_po

from gipfbot.installation import started_as
from gipfbot.languages import FOLDER, KEYWORDS, NAMED_KEYWORDS, NOT_OFFERED, is_offered, read_catalogue

from .commands import ToolParser, counted

SOURCES = FOLDER.parent.parent  # the folder of gipfbot and render
ROOMS = ("gipfbot/ui", "gipfbot/notation", "gipfbot/rules", "gipfbot/match", "gipfbot/values", "render")
WIDTH = 120  # of the lines of a file
CODE = re.compile("[a-z]{2}(-[A-Z0-9]{2,3})?")  # Discord's code of a language
HEADER = """# The sentences of the bot in {name}. {state}
msgid ""
msgstr ""
"Project-Id-Version: gipfbot\\n"
"Language: {code}\\n"
"Plural-Forms: {plurals}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


def english_sentences() -> Catalog:
    """Return all sentences of the program, each with the files where it stands."""
    found = Catalog(fuzzy=False)
    for room in ROOMS:
        for path in sorted((SOURCES / room).rglob("*.py")):
            for key in find_sentences(path.read_text(encoding="utf-8")):
                found.add(key, locations=[(path.relative_to(SOURCES).as_posix(), 0)])
    return found


def find_sentences(source: str) -> Iterator[str | tuple[str, ...]]:
    """Yield the sentences that a file of Python says, in order: one text, or the forms for one and for many.

    Babel's own search misses those within an f-string.
    """
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=attrgetter("lineno", "col_offset")):
        if isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
            forms = _texts(call.args[place - 1] for place in KEYWORDS[call.func.id] if place <= len(call.args))
            if forms:
                yield forms if len(forms) > 1 else forms[0]
        yield from _named_sentences(call)


def _named_sentences(call: ast.Call) -> tuple[str, ...]:
    """Return the sentences that a call gives by name, as the descriptions of a command's options."""
    names = NAMED_KEYWORDS.get(getattr(call.func, "attr", getattr(call.func, "id", "")))
    return () if names is None else _texts(each.value for each in call.keywords if not names or each.arg in names)


def _texts(arguments: Iterable[ast.expr]) -> tuple[str, ...]:
    return tuple(each.value for each in arguments if isinstance(each, ast.Constant) and isinstance(each.value, str))


def faults_of(catalogue: Catalog, english: Catalog) -> Iterator[str]:
    """Yield what is wrong with a language's file: sentences that are missing, unused or unsure, and unknown facts."""
    for message in english:
        own = catalogue.get(message.id, message.context)
        if message.id and (own is None or not all(_forms(own.string))):
            yield f"missing: {_shown(message.id)}"
    for message in catalogue:
        if message.id and english.get(message.id, message.context) is None:
            yield f"unused: {_shown(message.id)}"
        elif message.id and message.fuzzy:
            yield f"unsure: {_shown(message.id)}"
        elif strange := _facts(message.string) - _facts(message.id):
            yield f"has {min(strange)}, which is not given: {_shown(message.id)}"


def _shown(key: str | Sequence[str]) -> str:
    return repr(_forms(key)[0])


def _forms(texts: str | Sequence[str] | None) -> Sequence[str]:
    """Return the forms of a sentence: one, or one for each kind of number."""
    return (texts or "",) if texts is None or isinstance(texts, str) else texts


def _facts(texts: str | Sequence[str] | None) -> set[str]:
    """Return the facts in the forms of a sentence, as they stand there. A brace that is not closed counts as one."""
    try:
        parts = [part for text in _forms(texts) for part in Formatter().parse(text)]
    except ValueError:
        return {"a brace without the other"}
    return {
        f"{{{name}{'!' if conversion else ''}{conversion or ''}{':' if style else ''}{style}}}"
        for _, name, style, conversion in parts
        if name is not None
    }


def begin_catalogue(code: str) -> None:
    """Write the head of the file of a language that has none. It is not offered yet. Raises ValueError if it cannot."""
    path = FOLDER / f"{code}.po"
    if path.exists() or code.startswith("en"):
        raise ValueError(f"{code} is there")
    try:
        locale = Locale.parse(code, sep="-") if CODE.fullmatch(code) else None
    except UnknownLocaleError:
        locale = None
    if locale is None:
        raise ValueError(f"no language has the code {code}; codes are such as nl and pt-BR")
    name, plurals = locale.get_display_name("en"), Catalog(locale).plural_forms
    path.write_text(HEADER.format(name=name, state=NOT_OFFERED, code=code, plurals=plurals), encoding="utf-8")


def update_catalogue(code: str, english: Catalog) -> None:
    """Write the file of a language anew: with the sentences that it lacked, and without those that are gone."""
    old = read_catalogue(code)
    new = Catalog(old.locale)
    for message in filter(attrgetter("id"), english):
        own = old.get(message.id, message.context) or message
        new.add(message.id, own.string, message.locations, own.flags, message.auto_comments, own.user_comments)
    packed = BytesIO()
    write_po(packed, new, width=WIDTH, sort_by_file=True, include_lineno=False, omit_header=True)
    path = FOLDER / f"{code}.po"
    header = path.read_bytes().partition(b"\n\n")[0].rstrip()  # Babel's would name people and dates
    path.write_bytes(header + b"\n\n" + packed.getvalue())
    read_catalogue.cache_clear()


def run_languages(argv: list[str]) -> int:
    """Print how far each language is, or what one lacks; with `--update`, write new sentences into the files first.

    With `--new`, begin the file of another language before that.

    Return 0, or 1 if a language that people may choose has a fault.
    """
    parser = ToolParser("languages", "say how far each language is, or what one of them lacks")
    codes = _codes()
    parser.add_argument("code", nargs="?", choices=codes, help="print what this one lacks")
    parser.add_argument("--update", action="store_true", help="write new sentences into each file, and drop old ones")
    parser.add_argument("--new", metavar="CODE", help="begin the file of a language; CODE is Discord's, such as pt-BR")
    options = parser.parse_args(argv)
    if options.new:
        try:
            begin_catalogue(options.new)
        except ValueError as error:
            parser.error(str(error))
        codes = _codes()
    english = english_sentences()
    for code in codes if options.update or options.new else ():
        update_catalogue(code, english)
    faults = {code: [*faults_of(read_catalogue(code), english)] for code in codes}
    if options.code:
        sys.stdout.writelines(f"{fault}\n" for fault in faults[options.code])
    else:
        sys.stdout.writelines(_state_line(code, faults[code], english) for code in codes)
    return 1 if any(faults[code] and is_offered(code) for code in codes) else 0


def _codes() -> list[str]:
    """Return the languages that have a file."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def _state_line(code: str, faults: Sequence[str], english: Catalog) -> str:
    name = Locale.parse(code, sep="-").get_display_name("en")
    missing = sum(fault.startswith("missing") for fault in faults)
    wrong = len(faults) - missing
    lacks = ", ".join([f"{missing:,} missing"] * bool(missing) + [counted(wrong, "fault")] * bool(wrong))
    what = f"{lacks}: `{started_as()} languages {code}` lists them" if lacks else "complete"
    offered = "" if is_offered(code) else "; not offered yet"
    return f"{code} ({name}): {counted(len(english), 'sentence')}, {what}{offered}.\n"
