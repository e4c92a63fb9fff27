# One image for every part of Malice; docker-compose.yml says which runs what.
FROM python:3.12-slim-bookworm AS build
# Compiles the engine; neither it nor mypy, which build.txt brings, gets into the image.
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /src
RUN python -m venv /opt/malice && python -m venv /opt/build
COPY requirements/run.txt requirements/
RUN /opt/malice/bin/pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY requirements/build.txt requirements/
RUN /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements/run.txt -r requirements/build.txt
COPY pyproject.toml setup.py README.md ./
COPY engine engine
COPY bots bots
COPY workers workers
COPY service service
# service/documents is a link to it: the pages show the documents.
COPY docs docs
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheel . \
    && /opt/malice/bin/pip install --no-cache-dir --no-deps /wheel/*.whl

FROM python:3.12-slim-bookworm
# The blobs' folder must exist with its owner before a volume is laid over it.
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/malice malice \
    && install --directory --owner malice --group malice /var/lib/malice/blobs /var/lib/malice/home
COPY --from=build /opt/malice /opt/malice
ENV PATH=/opt/malice/bin:$PATH PYTHONUNBUFFERED=1 MALICE_HOME=/var/lib/malice/home
USER malice
WORKDIR /var/lib/malice
EXPOSE 8000
CMD ["malice", "--help"]
