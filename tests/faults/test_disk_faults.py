"""Tests a store on a disk that fails, loses power, and both while clients and workers use it: a short part of
`make faults`."""

from __future__ import annotations

import sys

import pytest
from tests.faults.faulty_disk import run_on_faulty_disk

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the faulty disk needs Linux")


def run(capfd, part, *arguments):
    done = run_on_faulty_disk(part, arguments)
    assert done.returncode == 0, capfd.readouterr().out


@pytest.mark.req("A21", "X3", "X18", "X19", "X21")
def test_every_call_survives_a_disk_that_fails(capfd):
    run(capfd, "io_faults", "--most", 4)


@pytest.mark.req("A21", "X3", "X18", "X19", "X21")
def test_a_power_cut_loses_no_acknowledged_message(capfd):
    run(capfd, "power_cut", "--seeds", 4, "--cuts", 4)


@pytest.mark.req("A21", "X3", "X18", "X21")
def test_clients_and_workers_survive_crashes_and_faults(capfd):
    run(capfd, "simulation", "--seeds", 20, "--steps", 40)
