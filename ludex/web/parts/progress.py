"""Progress: a bar, and durations in words."""


def bar(share: float) -> str:
    """Return a progress bar for a share from 0 to 1."""
    percent = 100.0 * min(max(share, 0.0), 1.0)
    return (
        f'<div class="lx-meter" role="progressbar" aria-label="Progress" aria-valuemin="0"'
        f' aria-valuemax="100" aria-valuenow="{percent:.0f}"><i style="width:{percent:.1f}%"></i>'
        "</div>"
    )


def duration(seconds: float) -> str:
    """Return a duration in a suitable unit."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
