"""The public names of Ludex, for editors and type checkers."""

from ludex.analysis.decisions import Analysis as Analysis
from ludex.batch.batch import Batch as Batch
from ludex.courses.skeleton import write_handout as write_handout
from ludex.grading.api import Grades as Grades
from ludex.grading.api import grade as grade
from ludex.io.table import Table as Table
from ludex.lab.api import Findings as Findings
from ludex.lab.api import available_experiments as available_experiments
from ludex.lab.api import experiment as experiment
from ludex.lab.api import past_experiment as past_experiment
from ludex.lab.api import past_experiments as past_experiments
from ludex.library.exploitability import Exploitability as Exploitability
from ludex.library.exploitability import exploitability as exploitability
from ludex.library.game import Game as Game
from ludex.library.game import available_games as available_games
from ludex.library.game import check as check
from ludex.library.game import load as load
from ludex.library.history import PastEvent as PastEvent
from ludex.library.history import Replay as Replay
from ludex.library.history import analyse as analyse
from ludex.library.history import find_record as find_record
from ludex.library.history import history as history
from ludex.library.history import past_event as past_event
from ludex.library.history import replay as replay
from ludex.library.inspection import Inspection as Inspection
from ludex.library.inspection import inspect as inspect
from ludex.library.ladder import Ladder as Ladder
from ludex.library.ladder import ladder as ladder
from ludex.library.player import Decision as Decision
from ludex.library.player import Player as Player
from ludex.library.player import available_agents as available_agents
from ludex.library.playouts import Playouts as Playouts
from ludex.library.results import Tournament as Tournament
from ludex.library.series import play as play
from ludex.library.series import tournament as tournament
from ludex.library.series_results import DeviceSeries as DeviceSeries
from ludex.library.series_results import Series as Series
from ludex.library.training import TrainingResult as TrainingResult
from ludex.library.training import train as train
from ludex.library.tree import SearchTree as SearchTree
from ludex.library.tree import tree as tree
from ludex.library.truth import Truth as Truth
from ludex.library.verification import verify as verify
from ludex.library.warming import Warmed as Warmed
from ludex.library.warming import warm as warm
from ludex.match.record import Record as Record
from ludex.match.session import Match as Match
from ludex.solve.verification.verification import Verification as Verification
from ludex.web.app import serve as serve

__version__: str
PLACES: dict[str, str]
