"""Sentences in the language that is spoken, and what is wrong with a language's file."""

import ast
import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog

from gipfbot import __main__ as program, languages
from gipfbot.languages import ENGLISH, KEYWORDS, Language, language_named, mark, say, say_list, say_number, speaking
from gipfbot.tools import languages as tool
from tests.support.languages import language
from tests.support.paths import HOUSE

GERMAN = Catalog("de")
GERMAN.add("{name} has a game.", "{name} hat eine Partie.")
TURNS = "{number} turn of {name}", "{number} turns of {name}"
GERMAN.add(TURNS, ("{number} Zug von {name}", "{number} Züge von {name}"))
GERMAN.add("{count} games", "{count} Partien")


def test_a_sentence_is_said_in_the_language_that_is_spoken() -> None:
    with speaking(language(GERMAN)):
        assert say(mark("{name} has a game."), name="Ann") == "Ann hat eine Partie."
        assert say_number(*TURNS, 1, name="Ann") == "1 Zug von Ann"
        assert say_number(*TURNS, 1200, name="Ann") == "1.200 Züge von Ann"
        assert say("{count} games", count=12345) == "12.345 Partien"
        assert say("{count} games", count="12345") == "12345 Partien"
        assert say_list(["a", "b", "c"]) == "a, b und c"
        assert say("") == ""
        assert say("{pieces} ahead", pieces=1.25) == "1,2 ahead"
        assert say("{name} has no file.", name="Ann") == "Ann has no file."
    assert say("{name} has a game.", name="Ann") == "Ann has a game."
    assert say_number(*TURNS, 1200, name="Ann") == "1,200 turns of Ann"
    assert say_list(["a", "b", "c"]) == "a, b and c"


def test_a_fact_is_never_read_as_a_sentence() -> None:
    assert say("{name} has a game.", name="{name}") == "{name} has a game."
    with pytest.raises(KeyError):
        say("{name} has a game of {other}.", name="Ann")


async def test_each_task_speaks_its_own_language() -> None:
    async def speaker(spoken: Language) -> str:
        with speaking(spoken):
            await asyncio.sleep(0)
            return say("{count} games", count=1)

    assert [*await asyncio.gather(speaker(language(GERMAN)), speaker(ENGLISH))] == ["1 Partien", "1 games"]


def test_an_unknown_language_is_english() -> None:
    assert {language_named(code) for code in (None, "", "en", "xx", "../de")} == {ENGLISH}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder of languages that the program reads instead of its own."""
    for module in (languages, tool):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
    languages.read_catalogue.cache_clear()
    languages.languages.cache_clear()
    yield tmp_path
    languages.read_catalogue.cache_clear()
    languages.languages.cache_clear()


def write(folder: Path, text: str, comment: str = "# In German.") -> None:
    header = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    header += '"Content-Type: text/plain; charset=utf-8\\n"\n'
    (folder / "de.po").write_text(f"{comment}\n{header}\n{text}", encoding="utf-8")


ENGLISH_ONLY = Catalog(fuzzy=False)
ENGLISH_ONLY.add("{name} plays.")
ENGLISH_ONLY.add(("{number} turn", "{number} turns"))
WHOLE = 'msgid "{name} plays."\nmsgstr "{name} spielt."\n\nmsgid "{number} turn"\nmsgid_plural "{number} turns"\n'
WHOLE += 'msgstr[0] "{number} Zug"\nmsgstr[1] "{number} Züge"\n'


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("", "", None),
        ('"{name} spielt."', '""', "missing: '{name} plays.'"),
        ('"{number} Züge"', '""', "missing: '{number} turn'"),
        ('"{name} spielt."', '"{nam} spielt."', "has {nam}, which is not given: '{name} plays.'"),
        ('"{name} spielt."', '"{} spielt."', "has {}, which is not given: '{name} plays.'"),
        ('"{name} spielt."', '"{name!r} spielt."', "has {name!r}, which is not given: '{name} plays.'"),
        ('"{name} spielt."', '"{name:q} spielt."', "has {name:q}, which is not given: '{name} plays.'"),
        ('"{name} spielt."', '"{name spielt."', "has a brace without the other, which is not given: '{name} plays.'"),
        ('"{number} Züge"', '"{number} Züge von {name}"', "has {name}, which is not given: '{number} turn'"),
        ('msgid "{name} plays."', '#, fuzzy\nmsgid "{name} plays."', "unsure: '{name} plays.'"),
        (WHOLE, WHOLE + '\nmsgid "Gone."\nmsgstr "Weg."\n', "unused: 'Gone.'"),
    ],
)
def test_faults_of_a_file(folder: Path, old: str, new: str, fault: str | None) -> None:
    write(folder, WHOLE.replace(old, new))
    assert [*tool.faults_of(languages.read_catalogue("de"), ENGLISH_ONLY)] == ([fault] if fault else [])


def test_new_sentences_are_written_into_a_file_and_old_ones_leave_it(folder: Path) -> None:
    write(folder, WHOLE.replace("{name} plays.", "Gone."))
    tool.update_catalogue("de", ENGLISH_ONLY)
    written = (folder / "de.po").read_text(encoding="utf-8")
    assert written.startswith("# In German.\n")
    assert "EMAIL" not in written
    assert [*tool.faults_of(languages.read_catalogue("de"), ENGLISH_ONLY)] == ["missing: '{name} plays.'"]
    assert "Züge" in written
    assert "Gone." not in written
    tool.update_catalogue("de", ENGLISH_ONLY)
    assert (folder / "de.po").read_text(encoding="utf-8") == written


def test_command_says_how_far_each_language_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, WHOLE, f"# In German. {languages.NOT_OFFERED}")
    assert program.main(["languages"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"sentences, [\d,]+ missing, 1 fault: `.* languages de` lists them; not offered yet", said), said
    write(folder, WHOLE)
    languages.read_catalogue.cache_clear()
    assert program.main(["languages", "de"]) == 1
    assert "unused: '{name} plays.'" in capsys.readouterr().out


def test_command_begins_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file has all sentences, none of them translated, and the plurals of its language."""
    assert program.main(["languages", "--new", "pl"]) == 0
    assert "pl (Polish): " in capsys.readouterr().out
    begun = languages.read_catalogue("pl")
    assert begun.num_plurals == 3
    assert len(begun) > 2000
    assert not any(any(message.string or "") for message in begun if message.id)
    assert not languages.is_offered("pl")
    before = (folder / "pl.po").read_bytes()
    no_language = "no language has the code"
    for code, why in {"pl": "is there", "en-GB": "is there", "qq": no_language, "pt-br": no_language}.items():
        with pytest.raises(SystemExit):
            program.main(["languages", "--new", code])
        assert why in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["pl.po"]
    assert (folder / "pl.po").read_bytes() == before


def test_files_fit_the_program() -> None:
    """`gipfbot languages --update` brings new sentences into each file, `gipfbot languages de` lists what one lacks."""
    english = tool.english_sentences()
    for code in (path.stem for path in languages.FOLDER.glob("*.po")):
        faults = tool.faults_of(languages.read_catalogue(code), english)
        assert not [fault for fault in faults if languages.is_offered(code) or not fault.startswith("missing")]


def test_a_sentence_is_found_wherever_it_stands() -> None:
    source = """X = f"{say('One.')} {self.say('None.')}"\nsay_number("{number} a", "{number} b", n)\nsay(X, y="c")\n"""
    assert [*tool.find_sentences(source)] == ["One.", ("{number} a", "{number} b")]


def test_descriptions_and_choices_of_commands_are_found() -> None:
    source = """
@slash_command("gipf wave", 10, "Wave.")
@app_commands.describe(hand="Which hand.", **others)
@app_commands.choices(hand=[Choice(name="Left", value="left"), Choice(name=right, value="right")])
async def wave(): ...
@group.command(name="stop", description="Stop.")
async def stop(): ...
"""
    assert [*tool.find_sentences(source)] == ["Wave.", "Which hand.", "Left", "Stop."]


def sentences_said() -> Iterator[tuple[str, ast.expr]]:
    """Yield each argument that stands for a sentence, and where it stands."""
    for path in (file for room in tool.ROOMS for file in (HOUSE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
                for place in KEYWORDS[node.func.id]:
                    yield f"{path.relative_to(HOUSE)}:{node.lineno}", node.args[place - 1]


def test_a_sentence_stands_where_it_is_said() -> None:
    """A sentence that is put together before it is translated has no key."""
    for where, sentence in sentences_said():
        assert not isinstance(sentence, ast.JoinedStr | ast.BinOp), where


def test_both_forms_of_a_sentence_are_one_key() -> None:
    """They stand together where they are said, or in `mark_number`. Two that are marked one by one are no such key."""
    passed_on = {HOUSE / "gipfbot/ui/kit/picture_words.py", HOUSE / "render/wording.py"}
    for path in {file for room in tool.ROOMS for file in (HOUSE / room).rglob("*.py")} - passed_on:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in {"say_number", "say_amount"}:
                assert isinstance(node.args[0], ast.Constant | ast.Starred), f"{path.name}:{node.lineno}"


def test_each_constant_that_is_said_is_marked() -> None:
    """So it has a key: LABEL = mark("Label") stands in some file of a room that says sentences."""
    marked = set[str]()
    for path in (file for room in tool.ROOMS for file in (HOUSE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and "mark(" in ast.unparse(node.value):
                marked |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    for where, sentence in sentences_said():
        name = ast.unparse(sentence).rpartition(".")[2]
        assert not name.isupper() or name in marked, f"{where} says {name}: mark it"
