"""Grading: marks for students' agents by the tests of an assignment."""
