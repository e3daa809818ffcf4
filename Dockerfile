FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1
WORKDIR /app

COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes --requirement requirements.txt

COPY bot.py .
COPY gipfbot gipfbot
COPY render render

RUN useradd --uid 10001 --no-create-home gipf && install --directory --owner gipf --group gipf data
USER gipf
VOLUME /app/data

# A healthy bot touches this file; healthy is a touch within the last 60 seconds.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import os, time; raise SystemExit(time.time() - os.stat(os.environ.get('GIPFBOT_HEARTBEAT') or 'data/heartbeat').st_mtime > 60)"]

CMD ["python", "bot.py"]
