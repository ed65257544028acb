"""What comes packed is unpacked as it comes, and never without an end."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.proxy.tee import Decompressor, UnreadableResponse


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


HOW = {
    "identity": lambda data: data,
    "gzip": gzip.compress,
    "x-gzip": lambda data: gzip.compress(data[:3]) + gzip.compress(data[3:]) + bytes(7),
    "deflate": zlib.compress,
    "bare": bare,
}


@given(st.binary(max_size=200), st.sampled_from(sorted(HOW)), st.integers(1, 40))
def test_the_plain_bytes_come_out_whatever_the_pieces(data, how, size):
    packed = HOW[how](data)
    unpacking = Decompressor("deflate" if how == "bare" else how, 1000)
    assert b"".join(unpacking.feed(packed[at : at + size]) for at in range(0, len(packed), size)) == data


@pytest.mark.parametrize("how", ["identity", "gzip", "deflate", "bare"])
def test_more_than_is_listened_to_is_not_unpacked(how):
    unpacking = Decompressor("deflate" if how == "bare" else how, 1000)
    with pytest.raises(UnreadableResponse, match="too_large"):
        unpacking.feed(HOW[how](bytes(10_000_000)))


@pytest.mark.parametrize("how", ["gzip", "deflate"])
def test_what_is_not_packed_as_it_says_is_not_listened_to(how):
    with pytest.raises(UnreadableResponse, match="encoding"):
        Decompressor(how, 1000).feed(b"data: plain words, and more of them")


@pytest.mark.parametrize("how", ["br", "zstd", "gzip, br", "nonsense"])
def test_other_ways_of_packing_are_not_known(how):
    with pytest.raises(UnreadableResponse, match="encoding"):
        Decompressor(how, 1000)
