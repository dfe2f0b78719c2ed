"""The courses: their programs as the documents describe them, and their handouts."""
