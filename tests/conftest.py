"""Every program that a test compiles is checked between the compiler's passes."""

from __future__ import annotations

from sourcegrad.request import verify_everywhere

verify_everywhere()
