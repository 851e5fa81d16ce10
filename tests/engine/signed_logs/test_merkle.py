"""Merkle tree of an append-only log: proofs of inclusion and of consistency with an earlier tree."""

import hashlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.signed_logs import (
    build_consistency_proof,
    build_inclusion_proof,
    compute_root,
    hash_leaf,
    is_consistent,
    is_included,
)

MAX_SIZE = 64
LEAVES = [hash_leaf(bytes([number])) for number in range(MAX_SIZE)]

PUBLISHED_ROOTS = [
    (["", "00"], "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
    (["", "00", "10"], "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
    (
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"],
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ),
]
"""From the tests of Certificate Transparency: leaves, and the root of their tree."""


@pytest.mark.parametrize(("leaves", "root"), PUBLISHED_ROOTS)
def test_root_hash_matches_certificate_transparency_vectors(leaves: list[str], root: str) -> None:
    assert compute_root([hash_leaf(bytes.fromhex(each)) for each in leaves]).hex() == root


def test_empty_tree_has_the_hash_of_empty_input() -> None:
    assert compute_root([]) == hashlib.sha256().digest()


@pytest.mark.parametrize("size", range(1, MAX_SIZE + 1))
def test_inclusion_proof_holds_only_for_its_own_leaf(size: int) -> None:
    leaves, root = LEAVES[:size], compute_root(LEAVES[:size])
    for place, leaf in enumerate(leaves):
        proof = build_inclusion_proof(leaves, place)
        assert is_included(leaf, place, size, proof, root)
        assert len(proof) <= (size - 1).bit_length()
        assert not is_included(leaf, (place + 1) % size, size, proof, root) or size == 1
        assert not is_included(leaf, place + size, size, proof, root)
        assert not is_included(leaf, place - size, size, proof, root)
        assert not is_included(hash_leaf(b"another"), place, size, proof, root)
        assert not is_included(leaf, place, size, [*proof, leaf], root)


@pytest.mark.parametrize("size", range(1, MAX_SIZE + 1))
def test_consistency_proof_holds_for_every_earlier_tree(size: int) -> None:
    root = compute_root(LEAVES[:size])
    for older in range(1, size + 1):
        proof = build_consistency_proof(LEAVES[:size], older)
        before = compute_root(LEAVES[:older])
        assert is_consistent(older, size, (before, root), proof)
        another = compute_root([*LEAVES[: older - 1], hash_leaf(b"another")])
        assert not is_consistent(older, size, (another, root), proof)
        assert not is_consistent(older, size, (before, root), [*proof, root])


@pytest.mark.slow
@given(st.lists(st.binary(max_size=8), min_size=1, max_size=MAX_SIZE), st.data())
def test_changed_leaf_fails_every_proof(entries: list[bytes], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(entries) - 1))
    other = data.draw(st.binary(max_size=8).filter(lambda each: each != entries[place]))
    leaves = [hash_leaf(each) for each in entries]
    forged = [*leaves[:place], hash_leaf(other), *leaves[place + 1 :]]
    root, size = compute_root(forged), len(entries)
    assert root != compute_root(leaves)
    assert not is_included(leaves[place], place, size, build_inclusion_proof(forged, place), root)
    grown = [*forged, hash_leaf(b"")]
    proof = build_consistency_proof(grown, size)
    assert is_consistent(size, size + 1, (root, compute_root(grown)), proof)
    assert not is_consistent(size, size + 1, (compute_root(leaves), compute_root(grown)), proof)


@pytest.mark.slow
@given(st.data())
def test_altered_proof_does_not_verify(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, MAX_SIZE))
    place = data.draw(st.integers(0, size - 1))
    older = data.draw(st.integers(1, size - 1))
    root, before = compute_root(LEAVES[:size]), compute_root(LEAVES[:older])

    def is_in_it(proof: list[bytes]) -> bool:
        return is_included(LEAVES[place], place, size, proof, root)

    def is_valid(proof: list[bytes]) -> bool:
        return is_consistent(older, size, (before, root), proof)

    proofs: list[tuple[list[bytes], Callable[[list[bytes]], bool]]] = [
        (build_inclusion_proof(LEAVES[:size], place), is_in_it),
        (build_consistency_proof(LEAVES[:size], older), is_valid),
    ]
    for proof, holds in proofs:
        at = data.draw(st.integers(0, len(proof) - 1))
        assert holds(proof)
        assert not holds([*proof[:at], bytes(32), *proof[at + 1 :]])
        assert not holds(proof[:-1])
