"""Adapters for course files, run inside the processes of the programs.

The host loads each file here by its path, and none imports anything from Ludex. The class `Adapter`
is created from a module, the first request and the suffix of the path, if any. `move` returns a
label, or the raw answer if it is not one. Optional are `begin` for further matches, `end` for how a
match ended, and `training_done`, whether the agent wants no more training. A class `RulesAdapter`
is created in the same way; its `answer` returns what the rules in the file say about one case.
"""
