"""Ratios of generated code to hand-written adjoints: ``python -m benchmarks``."""
