"""Compiled primitives: the JIT and its cache, bits, hashing, matrix games."""
