"""The courses: their programs as their documents describe them, and what they hand out."""
