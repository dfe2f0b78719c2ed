"""Networks that learn by self-play: the learner `net`, its search, and the agent."""
