"""Figures of matplotlib that a notebook shows."""

import io
from typing import Any

from matplotlib.figure import Figure

NO_METADATA: Any = dict.fromkeys(("Date", "Creator", "Format", "Type"))  # for reproducible bytes


class SvgFigure(Figure):
    """A figure that is displayed as SVG, without pyplot."""

    def svg(self) -> str:
        """Return the figure as an SVG element."""
        text = io.StringIO()
        self.savefig(text, format="svg", metadata=NO_METADATA)
        return "<svg" + text.getvalue().partition("<svg")[2]

    _repr_svg_ = svg
