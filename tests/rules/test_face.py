"""The face of the package: what it offers, and that its examples are true."""

import doctest
import importlib
import pkgutil

import pytest

import rules


@pytest.mark.slow
def test_every_example_in_the_docstrings_is_true() -> None:
    names = ["rules", *(module.name for module in pkgutil.walk_packages(rules.__path__, "rules."))]
    outcomes = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(outcome.attempted for outcome in outcomes) > 0
    assert sum(outcome.failed for outcome in outcomes) == 0


def test_the_face_offers_what_it_says_and_nothing_by_accident() -> None:
    modules = {module.name for module in pkgutil.iter_modules(rules.__path__)}
    offered = {name for name in vars(rules) if not name.startswith("_")} - (modules - set(rules.__all__))
    assert offered == set(rules.__all__)
