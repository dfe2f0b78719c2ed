"""Exact solutions on an NVIDIA card."""
