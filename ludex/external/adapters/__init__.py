"""How the files of the courses are asked, inside their own processes.

Each file here is loaded by the host by its path and imports nothing of the house. Its class
`Adapter` is made from a module, the first request and the word behind the path, if any. `begin` is
told of further matches, `move` returns a label, or what was answered if that is none, and `end`
is told how a match has ended, if it is there, and so is `training_done`, which returns whether an
agent wants no more training. A class `Rules` is made in the same way, and its
`answer` returns what the rules in the file say about one case, as plain JSON.
"""
