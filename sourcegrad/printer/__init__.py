"""From trees of Python to text."""
