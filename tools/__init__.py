"""Programs for those who make releases; they are not part of the package."""
