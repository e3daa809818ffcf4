# The version is exact, so that the same files make the same image. docs/hosting.md says how to pin the digest, too.
ARG PYTHON=python:3.13.16-slim-bookworm

FROM ${PYTHON} AS packages
# For a database on PostgreSQL: --build-arg REQUIREMENTS=requirements/postgres.txt
ARG REQUIREMENTS=requirements.txt
COPY requirements.txt .
COPY requirements requirements
RUN test -f "${REQUIREMENTS}" \
    || { echo "There is no ${REQUIREMENTS}: write REQUIREMENTS=requirements.txt or REQUIREMENTS=requirements/postgres.txt." >&2; exit 1; }
RUN python -m venv --without-pip /packages \
    && pip --python /packages/bin/python install --no-cache-dir --disable-pip-version-check --no-compile \
        --require-hashes --requirement ${REQUIREMENTS} \
    && python -m compileall -q -j 0 --invalidation-mode unchecked-hash /packages/lib

# The search and the rules are compiled where there is a C compiler, which the image does not need to run.
FROM ${PYTHON} AS compiled
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /app
COPY requirements/compile.txt .
RUN python -m venv /compiler \
    && /compiler/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --requirement compile.txt
COPY gipfbot gipfbot
RUN /compiler/bin/python -m gipfbot.compiled \
    && mkdir /compiled \
    && cp --parents ./*__mypyc.*.so gipfbot/*/*.so gipfbot/*/compiled.sha256 /compiled

FROM ${PYTHON}
ARG PYTHON
ARG REVISION=unknown
LABEL org.opencontainers.image.title="gipfbot" \
    org.opencontainers.image.description="A Discord bot for playing GIPF by correspondence" \
    org.opencontainers.image.version="0.2.0" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.base.name="${PYTHON}"
# Everything is compiled here: the running bot writes nothing but its data.
ENV PATH=/packages/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /app
# For backups of PostgreSQL: --build-arg POSTGRES_CLIENT=17 brings pg_dump in the version of the server, or in a newer one.
ARG POSTGRES_CLIENT=
# What Pillow needs to write names from right to left, and with marks above and below.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libfribidi0 \
    && if [ -n "${POSTGRES_CLIENT}" ]; then \
        apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
        && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
        && apt-get install --yes --no-install-recommends "postgresql-client-${POSTGRES_CLIENT}"; \
    fi \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin gipf \
    && install --directory --owner gipf --group gipf --mode 700 data backups
COPY --from=packages /packages /packages
COPY bot.py requirements.txt ./
COPY gipfbot gipfbot
COPY render render
COPY --from=compiled /compiled .
RUN echo "${REVISION}" > gipfbot/revision \
    && python -m compileall -q -j 0 --invalidation-mode unchecked-hash bot.py gipfbot render

USER 10001:10001
VOLUME /app/data

# A healthy bot touches this file; healthy is a touch within the last 60 seconds.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import os, time; raise SystemExit(time.time() - os.stat(os.environ.get('GIPFBOT_HEARTBEAT') or 'data/heartbeat').st_mtime > 60)"]

# No shell stands between: the bot gets SIGTERM itself, and ends within 5 seconds.
STOPSIGNAL SIGTERM
CMD ["python", "bot.py"]
