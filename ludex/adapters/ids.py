"""The ids of the environments in Gymnasium's registry, such as `ludex/Trap-v1`."""

from ludex.adapters import import_extra
from ludex.games import GAMES

ANY = "game"  # any game, named by its option `game`


def register() -> None:
    """Register the environments of all games, once."""
    registration = import_extra("gymnasium.envs.registration", "gym")
    for name in (ANY, *GAMES):
        entry = f"ludex/{name.capitalize()}-v1"
        if entry not in registration.registry:
            registration.register(
                id=entry,
                entry_point="ludex.adapters.gym:SoloEnv",
                vector_entry_point="ludex.adapters.vector:BatchEnv",
                kwargs={} if name == ANY else {"game": name},
            )
