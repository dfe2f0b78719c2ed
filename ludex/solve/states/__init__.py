"""The states of a game: listing, numbering and packing them."""
