"""A tree of a log that only grows: what is in it can be proved, and what was in it once."""

import hashlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.signed_logs import (
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    root_of,
)

MOST = 64
LEAVES = [leaf_hash(bytes([number])) for number in range(MOST)]

PUBLISHED = [
    (["", "00"], "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
    (["", "00", "10"], "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
    (
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"],
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ),
]
"""Of the tests of Certificate Transparency: leaves, and the root of their tree."""


@pytest.mark.parametrize(("leaves", "root"), PUBLISHED)
def test_the_root_is_that_of_certificate_transparency(leaves: list[str], root: str) -> None:
    assert root_of([leaf_hash(bytes.fromhex(each)) for each in leaves]).hex() == root


def test_the_tree_of_nothing_has_the_hash_of_nothing() -> None:
    assert root_of([]) == hashlib.sha256().digest()


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_each_leaf_of_a_tree_is_proved_to_be_where_it_is_and_nowhere_else(size: int) -> None:
    leaves, root = LEAVES[:size], root_of(LEAVES[:size])
    for place, leaf in enumerate(leaves):
        proof = inclusion_proof(leaves, place)
        assert is_included(leaf, place, size, proof, root)
        assert len(proof) <= (size - 1).bit_length()
        assert not is_included(leaf, (place + 1) % size, size, proof, root) or size == 1
        assert not is_included(leaf, place + size, size, proof, root)
        assert not is_included(leaf, place - size, size, proof, root)
        assert not is_included(leaf_hash(b"another"), place, size, proof, root)
        assert not is_included(leaf, place, size, [*proof, leaf], root)


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_each_beginning_of_a_tree_is_proved_to_be_its_beginning(size: int) -> None:
    root = root_of(LEAVES[:size])
    for older in range(1, size + 1):
        proof = consistency_proof(LEAVES[:size], older)
        before = root_of(LEAVES[:older])
        assert is_consistent(older, size, (before, root), proof)
        another = root_of([*LEAVES[: older - 1], leaf_hash(b"another")])
        assert not is_consistent(older, size, (another, root), proof)
        assert not is_consistent(older, size, (before, root), [*proof, root])


@pytest.mark.slow
@given(st.lists(st.binary(max_size=8), min_size=1, max_size=MOST), st.data())
def test_a_leaf_that_was_changed_is_found_by_every_proof(entries: list[bytes], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(entries) - 1))
    other = data.draw(st.binary(max_size=8).filter(lambda each: each != entries[place]))
    leaves = [leaf_hash(each) for each in entries]
    forged = [*leaves[:place], leaf_hash(other), *leaves[place + 1 :]]
    root, size = root_of(forged), len(entries)
    assert root != root_of(leaves)
    assert not is_included(leaves[place], place, size, inclusion_proof(forged, place), root)
    grown = [*forged, leaf_hash(b"")]
    proof = consistency_proof(grown, size)
    assert is_consistent(size, size + 1, (root, root_of(grown)), proof)
    assert not is_consistent(size, size + 1, (root_of(leaves), root_of(grown)), proof)


@given(st.data())
def test_no_proof_with_a_changed_hash_holds(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, MOST))
    place = data.draw(st.integers(0, size - 1))
    older = data.draw(st.integers(1, size - 1))
    root, before = root_of(LEAVES[:size]), root_of(LEAVES[:older])

    def is_in_it(proof: list[bytes]) -> bool:
        return is_included(LEAVES[place], place, size, proof, root)

    def goes_on(proof: list[bytes]) -> bool:
        return is_consistent(older, size, (before, root), proof)

    proofs: list[tuple[list[bytes], Callable[[list[bytes]], bool]]] = [
        (inclusion_proof(LEAVES[:size], place), is_in_it),
        (consistency_proof(LEAVES[:size], older), goes_on),
    ]
    for proof, holds in proofs:
        at = data.draw(st.integers(0, len(proof) - 1))
        assert holds(proof)
        assert not holds([*proof[:at], bytes(32), *proof[at + 1 :]])
        assert not holds(proof[:-1])
