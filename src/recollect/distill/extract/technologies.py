"""Names from software, and what each is in a project: of these, "we use …" says something that can change."""

from __future__ import annotations

_TABLE = {
    "database": "postgres postgresql mysql mariadb sqlite oracle mongodb mongo cassandra dynamodb cockroachdb duckdb "
    "clickhouse couchdb firestore supabase neo4j snowflake bigquery timescaledb scylladb influxdb planetscale",
    "cache": "redis memcached valkey dragonfly",
    "queue": "kafka rabbitmq celery nats sqs pulsar sidekiq",
    "framework": "django flask fastapi rails laravel spring symfony express nestjs react vue svelte angular nextjs "
    "next.js nuxt sveltekit remix phoenix starlette litestar flutter qt electron tauri astro htmx",
    "language": "python rust golang typescript javascript kotlin java swift ruby php elixir haskell scala c++ c# zig "
    "clojure ocaml julia perl",
    "platform": "kubernetes k8s docker nomad aws azure gcp heroku hetzner vercel netlify cloudflare openshift",
    "version control": "git mercurial github gitlab bitbucket gitea codeberg",
    "search": "elasticsearch opensearch meilisearch typesense solr qdrant weaviate milvus pgvector",
    "build tool": "bazel cmake gradle maven webpack vite esbuild poetry pnpm terraform ansible",
    "ci": "jenkins circleci travis buildkite",
    "tracker": "jira trello linear asana",
}

TECHNOLOGIES = {name: part for part, names in _TABLE.items() for name in names.split()}


def part_of(name: str) -> str | None:
    """What a technology is in a project, its version left aside; None for a name that is not known."""
    plain = name.lower()
    return TECHNOLOGIES.get(plain) or TECHNOLOGIES.get(plain.rstrip("0123456789. "))
