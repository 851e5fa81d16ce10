"""The Merkle tree of an append-only log: RFC 6962, section 2.1, with SHA-256.

A tree is given by the hashes of its leaves, in their order. Proofs are checked by RFC 9162, sections 2.1.3.2
and 2.1.4.2, by their hashes alone.
"""

import hashlib
from collections.abc import Iterable, Sequence


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf. Its first byte differs from that of a node, so that no leaf is taken for
    one."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the Merkle tree hash, MTH."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    left = _left_of(len(leaves))
    return node_hash(root_of(leaves[:left]), root_of(leaves[left:]))


def inclusion_proof(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """Return the audit path, PATH: the proof that the leaf at this place, from 0, is in the tree."""
    if len(leaves) <= 1:
        return []
    left = _left_of(len(leaves))
    if place < left:
        return [*inclusion_proof(leaves[:left], place), root_of(leaves[left:])]
    return [*inclusion_proof(leaves[left:], place - left), root_of(leaves[:left])]


def consistency_proof(leaves: Sequence[bytes], older: int) -> list[bytes]:
    """Return PROOF: that the tree of the first so many leaves, one at least, is the beginning of this one."""
    return _subproof(leaves, older, is_whole=True)


def is_included(leaf: bytes, place: int, size: int, proof: Iterable[bytes], root: bytes) -> bool:
    """Return whether the leaf at this place of a tree of that size leads to its root."""
    if not 0 <= place < size:
        return False
    node, last, found = place, size - 1, leaf
    for each in proof:
        if last == 0:
            return False
        if node % 2 or node == last:
            found = node_hash(each, found)
            while node % 2 == 0 and node:
                node, last = node // 2, last // 2
        else:
            found = node_hash(found, each)
        node, last = node // 2, last // 2
    return last == 0 and found == root


def is_consistent(older: int, newer: int, roots: tuple[bytes, bytes], proof: Sequence[bytes]) -> bool:
    """Return whether a tree of the size ``newer`` extends that of the size ``older``, by their two roots."""
    if not 0 < older <= newer:
        return False
    if older == newer:
        return roots[0] == roots[1] and not proof
    is_a_tree_of_its_own = older & (older - 1) == 0
    hashes = iter((roots[0], *proof) if is_a_tree_of_its_own else proof)
    node, last = older - 1, newer - 1
    while node % 2:
        node, last = node // 2, last // 2
    first = second = next(hashes, b"")
    for each in hashes:
        if last == 0:
            return False
        if node % 2 or node == last:
            first, second = node_hash(each, first), node_hash(each, second)
            while node % 2 == 0 and node:
                node, last = node // 2, last // 2
        else:
            second = node_hash(second, each)
        node, last = node // 2, last // 2
    return last == 0 and (first, second) == roots


def _subproof(leaves: Sequence[bytes], older: int, *, is_whole: bool) -> list[bytes]:
    if older == len(leaves):
        return [] if is_whole else [root_of(leaves)]
    left = _left_of(len(leaves))
    if older <= left:
        return [*_subproof(leaves[:left], older, is_whole=is_whole), root_of(leaves[left:])]
    return [*_subproof(leaves[left:], older - left, is_whole=False), root_of(leaves[:left])]


def _left_of(size: int) -> int:
    """Return the largest power of two below the size: the number of leaves on the left."""
    return 1 << ((size - 1).bit_length() - 1)
