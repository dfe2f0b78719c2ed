"""Where browsers find a server, and what is said to whoever starts it."""

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from ludex.web.state.access import LOCAL, PARAMETER, Access, is_local

LABEL = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
HOST_NAME = re.compile(rf"(?=.{{1,253}}$){LABEL}(\.{LABEL})*", re.IGNORECASE | re.ASCII)
EVERYWHERE = ("0.0.0.0", "::", "")
LOCAL_LINK = "These links work on this computer only; ludex serve --host 0.0.0.0 lets others in."
NO_NETWORK = "These links work on this computer only, which is in no network now."


def check_host_name(name: str) -> None:
    """Raise a ValueError for what can be no host in an address of a browser."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        if not HOST_NAME.fullmatch(name):
            wanted = "expected a host name such as lab.example.org"
            raise ValueError(f"--name {name!r}: {wanted}") from None


def hosts_for_others(host: str, names: tuple[str, ...]) -> list[str]:
    """Return the names and addresses at which others find a server that listens at a host."""
    reached = own_addresses() if host in EVERYWHERE else [] if is_local(host) else [host]
    return list(dict.fromkeys([*names, *reached]))


def addresses(host: str, port: int, key: str, others: list[str]) -> list[str]:
    """Return the addresses at which browsers find a server, this machine's first."""
    own = [LOCAL[1]] if host in EVERYWHERE else [host] if is_local(host) else []
    query = f"?{PARAMETER}={key}" if key else ""
    return [f"http://{bracketed(one)}:{port}/{query}" for one in [*own, *others]]


def bracketed(host: str) -> str:
    """Return a host as addresses have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def link_for_others(request: HTTPConnection | None, path: str, access: Access) -> tuple[str, str]:
    """Return a link to a page that others can open, and a warning if they cannot.

    It has the host that the browser used, unless only this machine knows that one.
    """
    if request is None:
        return path, ""
    base = urlsplit(str(request.base_url))
    link = f"{base.scheme}://{base.netloc}{path}"
    if not is_local(base.hostname or ""):
        return link, ""
    if access.local or not access.hosts:
        return link, LOCAL_LINK if access.local else NO_NETWORK
    port = f":{base.port}" if base.port else ""
    return f"{base.scheme}://{bracketed(access.hosts[0])}{port}{path}", ""


def own_addresses() -> list[str]:
    """Return the addresses at which other machines find this one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            known = socket.gethostbyname_ex(socket.gethostname())[2]
            probe.connect(("192.0.2.1", 9))  # nothing is sent; nobody has this address
            known.append(probe.getsockname()[0])
        except OSError:
            known = []
    return sorted({one for one in known if not is_local(one)})


def welcome(host: str, reached: list[str], key: str) -> str:
    """Return where a server is, and who can come in if others can."""
    if is_local(host):
        return f"Ludex is at {' and '.join(reached)} (Ctrl-C stops it)"
    who = "everyone with the key in these addresses" if key else "EVERYONE who reaches this machine"
    return "\n  ".join(
        [
            f"Ludex is open to {who}. They can play, analyse, train and run tournaments and"
            " experiments on this machine, and see the finished matches of its store; their own"
            " programs run in a sandbox. Traffic is not encrypted. Ctrl-C stops it.",
            *reached,
        ]
    )
