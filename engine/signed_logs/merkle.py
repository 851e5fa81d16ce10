"""The Merkle tree of an append-only log: RFC 6962, section 2.1, with SHA-256.

A tree is given by the hashes of its leaves, in their order. Proofs are checked by RFC 9162, sections 2.1.3.2
and 2.1.4.2, by their hashes alone.
"""

import hashlib
from collections.abc import Iterable, Sequence


def hash_leaf(entry: bytes) -> bytes:
    """Return the hash of a leaf. Its first byte differs from that of a node, so that no leaf is taken for
    one."""
    return hashlib.sha256(b"\x00" + entry).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def compute_root(leaves: Sequence[bytes]) -> bytes:
    """Return the Merkle tree hash, MTH."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    left_count = _count_left_leaves(len(leaves))
    return hash_node(compute_root(leaves[:left_count]), compute_root(leaves[left_count:]))


def build_inclusion_proof(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """Return the audit path, PATH: the proof that the leaf at this place, from 0, is in the tree."""
    if len(leaves) <= 1:
        return []
    left_count = _count_left_leaves(len(leaves))
    if place < left_count:
        return [*build_inclusion_proof(leaves[:left_count], place), compute_root(leaves[left_count:])]
    return [*build_inclusion_proof(leaves[left_count:], place - left_count), compute_root(leaves[:left_count])]


def build_consistency_proof(leaves: Sequence[bytes], older: int) -> list[bytes]:
    """Return PROOF: that the tree of the first so many leaves, one at least, is the beginning of this one."""
    return _build_subproof(leaves, older, is_whole=True)


def is_included(leaf: bytes, place: int, size: int, proof: Iterable[bytes], root: bytes) -> bool:
    """Return whether the leaf at this place of a tree of that size leads to its root."""
    if not 0 <= place < size:
        return False
    node, last, found = place, size - 1, leaf
    for each in proof:
        if last == 0:
            return False
        if node % 2 or node == last:
            found = hash_node(each, found)
            while node % 2 == 0 and node:
                node, last = node // 2, last // 2
        else:
            found = hash_node(found, each)
        node, last = node // 2, last // 2
    return last == 0 and found == root


def is_consistent(older: int, newer: int, roots: tuple[bytes, bytes], proof: Sequence[bytes]) -> bool:
    """Return whether a tree of the size ``newer`` extends that of the size ``older``, by their two roots."""
    if not 0 < older <= newer:
        return False
    if older == newer:
        return roots[0] == roots[1] and not proof
    is_complete_tree = older & (older - 1) == 0
    hashes = iter((roots[0], *proof) if is_complete_tree else proof)
    node, last = older - 1, newer - 1
    while node % 2:
        node, last = node // 2, last // 2
    first = second = next(hashes, b"")
    for each in hashes:
        if last == 0:
            return False
        if node % 2 or node == last:
            first, second = hash_node(each, first), hash_node(each, second)
            while node % 2 == 0 and node:
                node, last = node // 2, last // 2
        else:
            second = hash_node(second, each)
        node, last = node // 2, last // 2
    return last == 0 and (first, second) == roots


def _build_subproof(leaves: Sequence[bytes], older: int, *, is_whole: bool) -> list[bytes]:
    if older == len(leaves):
        return [] if is_whole else [compute_root(leaves)]
    left_count = _count_left_leaves(len(leaves))
    if older <= left_count:
        return [*_build_subproof(leaves[:left_count], older, is_whole=is_whole), compute_root(leaves[left_count:])]
    return [
        *_build_subproof(leaves[left_count:], older - left_count, is_whole=False),
        compute_root(leaves[:left_count]),
    ]


def _count_left_leaves(size: int) -> int:
    """Return the largest power of two below the size: the number of leaves on the left."""
    return 1 << ((size - 1).bit_length() - 1)
