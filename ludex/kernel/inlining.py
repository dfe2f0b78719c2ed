"""Let Numba emit machine code only for functions that Python can call.

Numba optimizes every function and emits machine code for it, although most of ours are helpers that
are inlined into others and never called otherwise. Here a function without a wrapper for Python
becomes machine code only as a part of others. It is still optimized alone: leaving that to those
that inline it makes some of them slower.
"""

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.targetconfig import ConfigStack

ENVIRONMENT = "_ZN08NumbaEnv"
"""The beginning of the names of variables through which code finds its Python objects."""


class Library(JITCodeLibrary):
    """What Numba keeps of a function: its code, and that of all functions that it calls."""

    is_emitted = True

    def _finalize_final_module(self) -> None:
        if not self.is_emitted:
            self._finalize_dynamic_globals()
            self._finalized = True
            return
        super()._finalize_final_module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                if environment := lookup_environment(variable.name):
                    self.codegen.set_env(variable.name, environment)

    def get_pointer_to_function(self, name: str) -> Any:
        """Return the address of a function, which now has to be emitted in any case."""
        if not self.is_emitted:
            self.is_emitted = True
            self._finalize_final_module()
        return super().get_pointer_to_function(name)


def get_executable(context: CPUContext, library: Any, fndesc: Any, env: Any) -> Any:
    """Return a function that Python can call, or one that only stands for a helper."""
    flags = ConfigStack.top_or_none()
    if not flags or not flags.no_cpython_wrapper:
        return get_emitted(context, library, fndesc, env)
    library.is_emitted = False
    library.finalize()
    # Library and environment live as long as this does.
    return _dynfunc.make_function(
        fndesc.lookup_module(), fndesc.qualname, "only inlined", 0, env, (library,)
    )


get_emitted = CPUContext.get_executable
CPUContext.get_executable = get_executable
JITCPUCodegen._library_class = Library
