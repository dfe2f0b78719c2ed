# The web lab as an image; docs/deploy.md describes it, and tests/tools/test_image.py its steps.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m pip install --no-cache-dir --constraint constraints.txt build \
    && python -m build --wheel --outdir /wheel .

FROM python:3.13-slim
# Without bubblewrap no program of a visitor would run; where the container permits none, they say so.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheel /wheel
COPY constraints.txt tools/health.py /opt/ludex/
RUN python -m pip install --no-cache-dir --constraint /opt/ludex/constraints.txt \
    "ludex[postgresql] @ file://$(ls /wheel/ludex-*.whl)" \
    && rm -rf /wheel
RUN useradd --uid 10001 --create-home ludex \
    && mkdir -p /data /cache \
    && chown ludex:ludex /data /cache
USER ludex
WORKDIR /data
ENV LUDEX_DATA=/data LUDEX_SOLUTIONS=/data/solutions LUDEX_CACHE=/cache
VOLUME ["/data", "/cache"]
EXPOSE 8642
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "/opt/ludex/health.py", "http://127.0.0.1:8642/health"]
ENTRYPOINT ["ludex"]
CMD ["serve", "--host", "0.0.0.0"]
