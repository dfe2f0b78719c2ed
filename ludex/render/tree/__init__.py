"""Search trees as pictures, drawn as in textbooks."""
