"""The states of a game: enumerating, indexing and packing them."""
