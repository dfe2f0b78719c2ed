"""The names of our environments in Gymnasium's registry, such as `ludex/Trap-v1`."""

from ludex.games import GAMES
from ludex.peers import needed

ANY = "game"  # any game, named by its option `game`


def register() -> None:
    """Enter our environments; those that are there stay."""
    registration = needed("gymnasium.envs.registration", "gym")
    for name in (ANY, *GAMES):
        entry = f"ludex/{name.capitalize()}-v1"
        if entry not in registration.registry:
            registration.register(
                id=entry,
                entry_point="ludex.peers.gym:SoloEnv",
                vector_entry_point="ludex.peers.vector:BatchEnv",
                kwargs={} if name == ANY else {"game": name},
            )
