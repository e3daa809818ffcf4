"""The compiled form of a room, beside its source: how it is made, whether it can be used, and what happens if not.

`python -m gipfbot.compiled` compiles the rooms with mypyc, and notes of what source. Python takes a compiled module
before its source, even one of another source. So a room asks here before it imports any of its modules.
"""

import os
import sys
from hashlib import sha256
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

ROOMS = "gipfbot/rules", "gipfbot/search"  # what is compiled, each by itself: the first needs no librt
# Of each. The next two have frozen dataclasses, which can be neither copied nor pickled where they are compiled. Then
# one that keeps its properties, which compiled classes work out anew each time. The last has kinds of texts and tuples,
# which cannot be compiled.
LEFT_OUT = "__init__.py", "packed.py", "rulesets.py", "turn_facts.py", "images.py", "sentences.py"
FROM_SOURCE = "GIPF_FROM_SOURCE"  # set for what measures or changes the source: nothing compiled is used then
NOTE = "compiled.sha256"  # the name of the note of what source was compiled
faults: list[str] = []  # why compiled rooms are not used; the bot logs them at its start


def use_compiled(room: str, folder: str, module: str) -> bool:
    """Return whether the modules of a room come compiled, from now on; otherwise Python takes all from their source.

    `module` is one to try. A compiled form that cannot be loaded counts as absent: another Python made it, or of
    another source, or a package is missing.
    """
    if not [*Path(folder).glob("*.so"), *Path(folder).glob("*.pyd")]:
        return False
    is_wanted = FROM_SOURCE not in os.environ
    fault = _fault(room, Path(folder), module) if is_wanted else ""
    if fault:
        faults.append(f"{room} is not used as it is compiled, but from its source, which is slower: {fault}")
    if fault or not is_wanted:
        for name in [name for name in sys.modules if name.startswith(f"{room}.")]:
            del sys.modules[name]
        sys.path_importer_cache[folder] = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
    return is_wanted and not fault


def _fault(room: str, folder: Path, module: str) -> str:
    """Return why a compiled room cannot be used; nothing if it can."""
    if not any((folder / f"{module}{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
        return "it was compiled for another Python"
    note = folder / NOTE
    if not note.exists() or note.read_text(encoding="ascii").strip() != source_hash(folder):
        return "it was compiled from another source"
    try:
        import_module(f"{room}.{module}")
    except (ImportError, ValueError) as fault:  # librt raises a ValueError if its version does not fit
        return str(fault)
    return ""


def source_hash(folder: Path) -> str:
    """Return a hash of the source of a room."""
    found = sha256()
    for path in sorted(folder.glob("*.py")):
        text = path.read_bytes()
        found.update(f"{path.name} {len(text)}\n".encode() + text)
    return found.hexdigest()


def compile_room(folder: Path) -> None:
    """Compile a room beside its source. Ends the program if that fails; mypyc has said why."""
    modules = [str(path) for path in sorted(folder.glob("*.py")) if path.name not in LEFT_OUT]
    command = (sys.executable, "-m", "mypyc", "--config-file=", "--strict", *modules)
    flags = f"{os.environ.get('CFLAGS', '')} -fno-semantic-interposition"
    # Each engine imports this module, and the module subprocess would take half a megabyte of it.
    if os.spawnve(os.P_WAIT, sys.executable, command, {**os.environ, "CFLAGS": flags}):
        raise SystemExit(f"mypyc has not compiled {folder}.")
    (folder / NOTE).write_text(f"{source_hash(folder)}\n", encoding="ascii")


if __name__ == "__main__":
    for named in ROOMS:
        compile_room(Path(named))
