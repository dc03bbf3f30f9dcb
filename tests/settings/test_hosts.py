"""Which Host headers name a server of ours, and how the setting that names more of them is read."""

from __future__ import annotations

import pytest

from memorybank.errors import InputError
from memorybank.settings import env
from memorybank.settings.hosts import is_own_host, read_names
from tests.raw_http import FOREIGN, OWN, hosts

ADDRESS = "http://127.0.0.1:8501"


def test_own_hosts_are_told_from_all_others() -> None:
    names = read_names("Named.Example., 192.168.1.5, fe80::1, [2001:DB8::2], bücher.example")
    assert names == ("named.example", "192.168.1.5", "fe80::1", "2001:db8::2", "xn--bcher-kva.example")
    for host in hosts(OWN, ADDRESS):
        assert is_own_host([host]), host
    for host in ("named.example", "NAMED.example.:443", "192.168.1.5:80", "[fe80::1]:80", "xn--bcher-kva.example"):
        assert is_own_host([host], names), host
        assert not is_own_host([host]), host
    for host in (*hosts(FOREIGN, ADDRESS), "sub.named.example", "named.example.evil"):
        assert not is_own_host([host], names), host
    assert not is_own_host([]), "a request that names no host"
    assert not is_own_host(["localhost", "localhost"]), "or two"


def test_a_server_that_others_reach_answers_to_the_address_they_reached() -> None:
    for host, at in (("10.1.2.3:8501", "10.1.2.3"), ("10.1.2.3", "::ffff:10.1.2.3"), ("[fe80::7]", "fe80::7%eth0")):
        assert is_own_host([host], at=at), host
    assert not is_own_host(["10.1.2.4"], at="10.1.2.3")
    assert not is_own_host(["evil.example"], at="10.1.2.3")
    assert not is_own_host(["evil.example"], at="evil.example"), "only an address tells where a connection came in"


def test_a_setting_that_names_no_bare_host_is_refused_with_its_remedy() -> None:
    for text in ("http://named.example", "named.example:80", "[::1]:80", "*.example", "a b", "a@b", "named.example/x"):
        with pytest.raises(InputError, match=r"ALLOWED_HOSTS: .* list host names or addresses with commas"):
            env.load({"ALLOWED_HOSTS": text}, None)
    read = env.load({"ALLOWED_HOSTS": "a.example,, B.example"}, None).settings
    assert read.allowed_hosts == ("a.example", "b.example")
