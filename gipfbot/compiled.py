"""The compiled form of a room, beside its source: whether it can be used, and what happens if not.

mypyc compiles a room, and `python -m gipfbot.compiled FOLDER` then notes what source that was. Python takes a compiled
module before its source, even one of another source. So a room asks here before it imports any of its modules.
"""

import sys
from hashlib import sha256
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

NOTE = "compiled.sha256"  # the name of the note of what source was compiled
faults: list[str] = []  # why compiled rooms are not used; the bot logs them at its start


def use_compiled(room: str, folder: str, module: str) -> bool:
    """Return whether the modules of a room come compiled, from now on; otherwise Python takes all from their source.

    `module` is one to try. A compiled form that cannot be loaded counts as absent: another Python made it, or of
    another source, or a package is missing.
    """
    if not [*Path(folder).glob("*.so"), *Path(folder).glob("*.pyd")]:
        return False
    fault = _fault(room, Path(folder), module)
    if fault:
        faults.append(f"{room} is not used as it is compiled, but from its source, which is slower: {fault}")
        for name in [name for name in sys.modules if name.startswith(f"{room}.")]:
            del sys.modules[name]
        sys.path_importer_cache[folder] = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
    return not fault


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


if __name__ == "__main__":
    for named in map(Path, sys.argv[1:]):
        (named / NOTE).write_text(f"{source_hash(named)}\n", encoding="ascii")
