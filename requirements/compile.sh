# Compile the search for a Python that has the bot's packages: `sh requirements/compile.sh .venv-run/bin/python`.
#
# All is made in a folder beside that Python, which is deleted afterwards. If anything fails or is killed, the search
# stays as it is. The note of the source is copied last: without it, Python takes nothing that is compiled.
set -eu
cd "$(dirname "$0")/.."
python=$PWD/$1
venv=${python%/bin/*}
search=gipfbot/search
note=$search/compiled.sha256

is_usable() { "$python" -c 'import gipfbot.search as found; raise SystemExit(not found.IS_COMPILED)'; }

leave() {
    echo "The search is not compiled, so the bot's turns take about ten times as long: $1"
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
        && rm -f "$note" $search/*.so \
        && CFLAGS="${CFLAGS:-} -fno-semantic-interposition" "$folder/venv/bin/python" -m mypyc --config-file= --strict \
            $(ls $search/[a-z]*.py | grep -v /packed.py) \
        && "$folder/venv/bin/python" -m gipfbot.compiled $search \
        && is_usable
}

put_in_place() {
    rm -f "$note" ./*__mypyc.*.so $search/*.so \
        && cp "$folder"/house/*__mypyc.*.so . \
        && cp "$folder"/house/$search/*.so $search \
        && cp "$folder/house/$note" "$note"
}

rm -rf "$venv"/compile.*  # left by a run that was killed
if is_usable; then exit 0; fi
"$python" -c "$CAN_COMPILE" \
    || leave "there is no C compiler here. Install one (Debian: gcc and python3-dev), then run make install again."
folder=$(mktemp -d "$venv/compile.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
echo "Compiling the search, which takes about a minute …"
(build && cd "$OLDPWD" && put_in_place) >"$folder/log" 2>&1 \
    || leave "$(grep -i -m 1 error "$folder/log" || tail -n 1 "$folder/log") (make install tries again)."
