"""Where browsers find a server, and what is said to whoever starts it."""

import socket

from ludex.web.state.access import LOCAL, PARAMETER, is_local

EVERYWHERE = ("0.0.0.0", "::", "")


def addresses(host: str, port: int, key: str = "") -> list[str]:
    """Return the addresses at which browsers find a server, this machine's first."""
    hosts = [LOCAL[1], *own_addresses()] if host in EVERYWHERE else [host]
    shown = [f"[{one}]" if ":" in one else one for one in hosts]
    return [f"http://{one}:{port}/" + (f"?{PARAMETER}={key}" if key else "") for one in shown]


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
        return f"Ludex is at {reached[0]} (Ctrl-C stops it)"
    who = "everyone with the key in these addresses" if key else "EVERYONE who reaches this machine"
    return "\n  ".join(
        [
            f"Ludex is open to {who}. They can play, analyse, train and run tournaments and"
            " experiments on this machine, and see the finished matches of its store; their own"
            " programs run in a sandbox. Traffic is not encrypted. Ctrl-C stops it.",
            *reached,
        ]
    )
