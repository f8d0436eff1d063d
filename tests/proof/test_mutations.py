"""Mutations of real certificates, a modest number; `python -m tests.proof.mutations` tries more."""

from __future__ import annotations

import pytest

from tests.proof import mutations


@pytest.mark.parametrize("seed", range(4))
def test_each_is_true_or_refused(seed: int) -> None:
    found = mutations.attempt(250, seed)
    assert found["true"] > 5
    assert found["refused"] > 150


def test_certificates_put_together_again_are_true() -> None:
    """So that a refusal is for the mutation."""
    for data in mutations.certificates():
        assert mutations.outcome(mutations.taken_apart(data).joined()) == "true"
