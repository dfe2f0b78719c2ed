"""`ludex completion`: print a script that completes commands in a shell."""

import click
from click.shell_completion import get_completion_class

from ludex.cli.words import COMPLETE

SHELLS = ("bash", "zsh", "fish")
# After KEY= comes a value, and no space.
NO_SPACE = "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n    return 0\n"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script that completes commands in a shell.

    Commands, options, games, agents and the keys of --rule are completed. Load the script in the
    start-up file of the shell.

    \b
    ludex completion bash > ~/.local/share/bash-completion/completions/ludex
    ludex completion zsh > ~/.zfunc/_ludex
    ludex completion fish > ~/.config/fish/completions/ludex.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(click.get_current_context().find_root().command, {}, "ludex", COMPLETE).source()
    click.echo(script.replace("    return 0\n", NO_SPACE, 1) if shell == "bash" else script)
