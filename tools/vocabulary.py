"""Makes the data of a token counter from a vocabulary as tiktoken publishes it.

    python tools/vocabulary.py o200k_base.tiktoken src/aforesaid/providers/data/o200k.pieces

Each line of the source is a piece in base64, a blank and its rank. `providers/tokenizers.py` describes the result.
"""

from __future__ import annotations

import sys
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from zlib import crc32

from aforesaid.providers.tokenizers import NUMBER


def read_ranks(text: bytes) -> dict[bytes, int]:
    return {b64decode(piece): int(rank) for piece, rank in map(bytes.split, text.splitlines())}


def make_table(ranks: Mapping[bytes, int]) -> bytes:
    buckets = [b""] * (1 << (len(ranks) // 2).bit_length())
    for piece, rank in sorted(ranks.items(), key=lambda entry: entry[1]):
        buckets[crc32(piece) % len(buckets)] += bytes([len(piece)]) + rank.to_bytes(3, "little") + piece
    at = NUMBER.size * (len(buckets) + 2)
    numbers = [len(buckets), at, *((at := at + len(bucket)) for bucket in buckets)]
    return b"".join((*map(NUMBER.pack, numbers), *buckets))


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_bytes(make_table(read_ranks(source.read_bytes())))
