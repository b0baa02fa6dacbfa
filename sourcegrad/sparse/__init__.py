"""Sparse Jacobians and Hessians: as few sweeps as a colouring of their pattern needs.

The result is a SciPy sparse array; SciPy is imported when one is made.
"""
