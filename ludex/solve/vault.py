from ludex.vault import *  # noqa: F403
from ludex.vault import shutil  # noqa: F401
