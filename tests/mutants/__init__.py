"""Mutation testing of the compiler: break one rule, and a test must see a wrong number.

`python -m tests.mutants` prints which generator of the fuzzer sees which break.
"""
