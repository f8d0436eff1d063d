# docker build -t zerosum . && docker run -p 127.0.0.1:8031:8031 -v zerosum:/data zerosum
# Then open http://localhost:8031. What stands behind the image's name are options of `zerosum serve`.

# Bases are pinned by the digest of their index, which holds all platforms. For the newest one of a tag:
# docker buildx imagetools inspect python:3.13-slim
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /source
COPY requirements/serve.txt requirements/
RUN python -m venv /opt/zerosum \
    && /opt/zerosum/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements/serve.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/zerosum/bin/pip install --no-cache-dir --no-deps --no-index --no-build-isolation .

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN useradd --system --uid 10001 --no-create-home zerosum \
    && install --directory --owner=zerosum --mode=700 /data
COPY --from=build /opt/zerosum /opt/zerosum
ENV PATH=/opt/zerosum/bin:$PATH ZEROSUM_HOME=/data
USER 10001
VOLUME /data
EXPOSE 8031
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import http.client as h, sys; c = h.HTTPConnection('127.0.0.1', 8031, timeout=3); c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]
ENTRYPOINT ["zerosum", "serve", "--host", "0.0.0.0", "--port", "8031"]
CMD ["--public-url", "http://localhost:8031"]
