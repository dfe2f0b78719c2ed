"""Series and tournaments: pairings, running them anywhere, storing and summing up."""
