"""The pages of a class: the ladder, matches and programs, behind a log-in."""

from ludex.web.classroom.app import make_class_app, serve_class

__all__ = ["make_class_app", "serve_class"]
