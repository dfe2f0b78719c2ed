"""Limits on the resources of one visitor, and of all together."""

PAGES = 500  # open at once in all browsers; a closed tab counts for a minute
CONNECTIONS = 2000  # at once, of browsers and programs
LIVE_MATCHES = 2000  # in memory; the one idle longest goes first
IDLE = 24 * 3600.0  # seconds after which an idle match may be dropped
PLIES = 2000  # after which a match is a draw
BODY = 256 * 1024  # bytes of a request or an upload
TEXT = 2000  # letters of an agent, a position or a value
RECORDS = 200  # in an upload
THINKING = 10.0  # seconds for a decision, before its process is killed
COMPILING = 600.0  # seconds for compilation, which is not thinking, before its process is killed
PREPARING = 120.0  # seconds of a warm-up besides its compilation
BUDGET = {"seconds": 5.0, "table": 256.0, "nodes": 2e6, "sims": 1e6}  # of an agent, by option
HINT = 0.5  # seconds for an exact value in a hint
PROVING = 8.0  # seconds for an exact value on a page
TRUTH = 20.0  # seconds for the value of a whole game
DEPTH = 3  # of searches that estimate values
TREE = 5000  # nodes of a drawn tree
TRAININGS = 4  # running at once
TRAINING_MATCHES = 10**8  # matches of a training
LEARNING = 3600.0  # seconds of a training before it stops; it can be resumed
AGENTS = 12  # of a tournament
MATCHES = 2000  # of a tournament
TOURNAMENT_MATCH = 120.0  # seconds for a match of a tournament, before its process is killed
TOURNAMENTS_KEPT = 40  # in memory
TOURNAMENTS = 2  # running at once
WAITING = 300  # tasks in the queue, beyond which new ones are refused
