"""Every program that a test compiles is checked between the compiler's passes."""

from __future__ import annotations

from sourcegrad.request import verify_everywhere

# Golden texts are loaded by path: their names are not those of modules.
collect_ignore_glob = ["golden/*.adjoint.py"]

verify_everywhere()
