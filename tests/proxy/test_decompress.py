"""Tests the incremental decompression of bodies and its size limit."""

from __future__ import annotations

import gzip
import sys
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.proxy.decompress import Decompressor, UnreadableContent

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

pytestmark = pytest.mark.req("X5")


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


HOW = {
    "identity": lambda data: data,
    "gzip": gzip.compress,
    "x-gzip": lambda data: gzip.compress(data[:3]) + gzip.compress(data[3:]) + bytes(7),
    "deflate": zlib.compress,
    "bare": bare,
    "zstd": lambda data: zstd.compress(data[:3]) + zstd.compress(data[3:]),
    "br": brotli.compress,
}


@given(st.binary(max_size=200), st.sampled_from(sorted(HOW)), st.integers(1, 40))
def test_data_is_decompressed_in_pieces_of_any_size(data, how, size):
    packed = HOW[how](data)
    unpacking = Decompressor("deflate" if how == "bare" else how, 1000)
    assert b"".join(unpacking.feed(packed[at : at + size]) for at in range(0, len(packed), size)) == data


@pytest.mark.parametrize("how", ["identity", "gzip", "deflate", "bare", "zstd", "br"])
def test_data_above_the_limit_is_not_decompressed(how):
    unpacking = Decompressor("deflate" if how == "bare" else how, 1000)
    with pytest.raises(UnreadableContent, match="too_large"):
        unpacking.feed(HOW[how](bytes(10_000_000)))


@pytest.mark.parametrize("how", ["gzip", "deflate", "zstd", "br"])
def test_data_that_does_not_match_its_encoding_is_rejected(how):
    with pytest.raises(UnreadableContent, match="encoding"):
        Decompressor(how, 1000).feed(b"data: plain words, and more of them")


@pytest.mark.parametrize("how", ["compress", "gzip, br", "nonsense"])
def test_other_encodings_are_rejected(how):
    with pytest.raises(UnreadableContent, match="encoding"):
        Decompressor(how, 1000)


def test_a_zstd_frame_cannot_ask_for_a_large_window():
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 27})
    frame = packer.compress(bytes(1000), packer.FLUSH_BLOCK) + packer.flush()  # of unknown size: it keeps its window
    with pytest.raises(UnreadableContent, match="encoding"):
        Decompressor("zstd", 10_000).feed(frame)
