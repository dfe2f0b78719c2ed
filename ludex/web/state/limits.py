"""Limits on what one visitor, and all of them together, may use."""

PAGES = 500  # that are open at once in all browsers; a tab that was closed counts for a minute
CONNECTIONS = 2000  # of browsers and programs at once
LIVE_MATCHES = 2000  # matches that are kept in memory; the one that was idle longest goes first
IDLE = 24 * 3600.0  # seconds after which a match that nobody touches may go
PLIES = 2000  # after so many a match is a draw
BODY = 256 * 1024  # bytes of a request or an upload
TEXT = 2000  # letters of an agent, a position or a value
RECORDS = 200  # of an upload that are listed
THINKING = 10.0  # seconds of a decision, before its process is ended
COMPILING = 600.0  # seconds of compiling, which is not thinking, before its process is ended
BUDGET = {"seconds": 5.0, "table": 256.0, "nodes": 2e6, "sims": 1e6}  # of an agent, by option
HINT = 0.5  # seconds that an exact value may take for a hint
PROVING = 8.0  # seconds that an exact value may take while somebody waits
TRUTH = 20.0  # seconds for what is known of a game as a whole
DEPTH = 3  # decisions that a search looks ahead where there is no exact value
TREE = 5000  # nodes of a tree that is drawn
TRAININGS = 4  # that run at once
TRAINING_MATCHES = 10**8  # matches of a training
LEARNING = 3600.0  # seconds of a training, before it stops; it can go on
AGENTS = 12  # of a tournament
MATCHES = 2000  # of a tournament
TOURNAMENT_MATCH = 120.0  # seconds of a match in it, before its process is ended
TOURNAMENTS_KEPT = 40  # tournaments that are kept in memory
TOURNAMENTS = 2  # tournaments that run at once
WAITING = 300  # tasks in the queue, before new ones are refused
