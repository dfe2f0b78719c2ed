"""What a game says, and what can be asked of any game: the contract, variants, play, perft."""
