"""What tests of rules share."""

from collections.abc import Iterator

import pytest

from sourcegrad.rules import registry


@pytest.fixture
def kept_rules() -> Iterator[None]:
    """The registry as it was, after the rules that a test registers."""
    registry.load_extras()
    saved = dict(registry._rules)
    yield
    registry._rules.clear()
    registry._rules.update(saved)
