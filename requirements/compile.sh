# Compile the search and the rules for a Python that has the packages of the bot: `sh requirements/compile.sh BIN/python`.
#
# All is made in a folder beside that Python, which is deleted afterwards. If anything fails or is killed, they stay
# as they are. The notes of the source are copied last: without them, Python takes nothing that is compiled.
set -eu
cd "$(dirname "$0")/.."
python=$PWD/$1
venv=${python%/bin/*}
made="*__mypyc.*.so gipfbot/*/*.so gipfbot/*/compiled.sha256"  # the libraries, the modules, and last the notes

is_usable() {
    "$python" -c 'from gipfbot import rules, search; raise SystemExit(not (rules.__compiled__ and search.__compiled__))'
}

leave() {
    echo "The search and the rules are not compiled, so the bot's turns take about sixty times as long: $1"
    exit 0
}

CAN_COMPILE='
import os, pathlib, shlex, shutil, sysconfig
compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
raise SystemExit(not (shutil.which(compiler) and pathlib.Path(sysconfig.get_path("include"), "Python.h").exists()))
'

build() {
    "$python" -m venv "$folder/venv" \
        && "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
            --require-hashes --requirement requirements/compile.txt \
        && mkdir "$folder/house" && cp -R gipfbot "$folder/house" && cd "$folder/house" \
        && rm -f $made \
        && "$folder/venv/bin/python" -m gipfbot.compiled \
        && is_usable
}

put_in_place() {
    rm -f gipfbot/*/compiled.sha256 && rm -f $made || return
    for file in $(cd "$folder/house" && echo $made); do cp "$folder/house/$file" "$file" || return; done
}

rm -rf "$venv"/compile.*  # left by a run that was killed
if is_usable; then exit 0; fi
"$python" -c "$CAN_COMPILE" \
    || leave "there is no C compiler here. Install one (Debian: gcc and python3-dev), then run make install again."
folder=$(mktemp -d "$venv/compile.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
echo "Compiling the search and the rules, which takes about a minute …"
(build && cd "$OLDPWD" && put_in_place) >"$folder/log" 2>&1 \
    || leave "$(grep -i -m 1 error "$folder/log" || tail -n 1 "$folder/log") (make install tries again)."
