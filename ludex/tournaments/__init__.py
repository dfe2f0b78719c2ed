"""Many matches between agents: who meets whom, played anywhere, kept, and added up."""
