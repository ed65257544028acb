# The server with its page and its dependencies, without node, pip's cache or a compiler: docs/howto/container.md
FROM node:22-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm ci
COPY web ./
RUN npm run build

FROM python:3.13-slim-trixie AS package
ARG EXTRAS=all
WORKDIR /build
COPY pyproject.toml requirements.txt hatch_build.py README.md LICENSE ./
COPY src src
COPY --from=page /build/src/aforesaid/ui/dist src/aforesaid/ui/dist
RUN python -m venv --without-pip /opt/aforesaid \
 && pip --python /opt/aforesaid install --no-cache-dir --constraint requirements.txt ".[${EXTRAS}]"

FROM python:3.13-slim-trixie
RUN useradd --uid 10001 --no-log-init --no-create-home --home-dir /data --shell /usr/sbin/nologin aforesaid \
 && install --directory --owner=aforesaid --group=aforesaid --mode=700 /data
COPY --from=package /opt/aforesaid /opt/aforesaid
ENV PATH=/opt/aforesaid/bin:$PATH AFORESAID_STORE=/data/memory.db
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/api/ready', timeout=4)"]
ENTRYPOINT ["aforesaid"]
CMD ["serve", "--host", "0.0.0.0"]
