"""A perfect matching of least cost, with the proof that there is no cheaper one.

Edmonds' primal-dual method: an unmatched vertex grows a tree of alternating paths over edges without slack.
The duals rise to free the way, odd cycles shrink to blossoms and open again, until the tree reaches another
unmatched vertex and the path between the two is turned over.

Costs are Python integers of any size, so an order of many criteria in one sum stays exact. The duals come
with the matching: ``prices`` of the vertices and ``rebates`` of the blossoms prove the optimum, also of a
larger graph of which only a part was given.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

NONE, OUTER, INNER = 0, 1, 2
"""The label of a vertex or blossom: not in the tree, an even way from its root, or an odd one."""

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Blossom:
    """An odd set of vertices in the proof, and the rebate of each pair inside."""

    vertices: tuple[int, ...]
    rebate: int


@dataclass(frozen=True, slots=True)
class Matching:
    """The mates of all vertices, and the duals.

    For every edge of the graph, twice its cost, less both prices, plus twice the rebates of the blossoms that
    hold both its ends, is at least 0; and 0 for matched edges.
    """

    mates: tuple[int, ...]
    prices: tuple[int, ...]
    blossoms: tuple[Blossom, ...]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The matched pairs in order, the lower vertex first."""
        return [(vertex, mate) for vertex, mate in enumerate(self.mates) if vertex < mate]


class NoPerfectMatchingError(Exception):
    """Raised if some vertices cannot all be matched: those of the tree that could not grow."""

    def __init__(self, stuck: tuple[int, ...]) -> None:
        super().__init__(f"{len(stuck)} vertices cannot all be matched")
        self.stuck = stuck


def find_min_cost_matching(count: int, edges: Iterable[tuple[int, int, int]]) -> Matching:
    """Return the perfect matching of least cost on vertices 0 to count − 1; edges are (vertex, vertex, cost).

    The same input gives the same matching on every machine. Raises: NoPerfectMatchingError.
    """
    solver = _Solver(count, edges)
    solver.start()
    for vertex in range(count):
        if solver.mate[vertex] < 0:
            solver.match(vertex)
    return solver.build_matching()


class _Solver:
    def __init__(self, count: int, edges: Iterable[tuple[int, int, int]]) -> None:
        self.count = count
        self.neighbours: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for a, b, cost in edges:
            self.neighbours[a].append((b, 2 * cost))
            self.neighbours[b].append((a, 2 * cost))
        self.mate = [-1] * count
        self.price = [0] * count
        # By number: vertices come first, blossoms after them.
        self.top = list(range(count))  # of a vertex: the outermost blossom around it
        self.parent: list[int] = [-1] * count
        self.base: list[int] = list(range(count))
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.links: list[list[Edge]] = [[] for _ in range(count)]
        self.rebate: list[int] = [0] * count
        # The tree.
        self.label: list[int] = [NONE] * count
        self.entry: list[Edge | None] = [None] * count
        self.since: list[int] = [0] * count
        self.risen = 0
        self.tree: list[int] = []
        self.events: list[tuple[int, int, int, int]] = []

    # Start: prices without a tree

    def start(self) -> None:
        """Raise every price as far as its edges allow, and match along tight edges."""
        for vertex, edges in enumerate(self.neighbours):
            if not edges:
                raise NoPerfectMatchingError((vertex,))
            self.price[vertex] = min(cost for _, cost in edges) // 2
        price, mate = self.price, self.mate
        for vertex, edges in enumerate(self.neighbours):
            if mate[vertex] >= 0:
                continue
            slack, other = min((cost - price[other], mate[other] >= 0, other) for other, cost in edges)[::2]
            slack -= price[vertex]
            price[vertex] += slack
            if mate[other] < 0:
                mate[vertex], mate[other] = other, vertex

    # One tree

    def match(self, root: int) -> None:
        """Grow a tree from this unmatched vertex until a path to another one turns over.

        Costs count double: so the two prices of an edge without slack are both even or both odd, and so are
        all of one tree. Slack between two outer vertices can be halved.
        """
        self.risen = 0
        self.events = []
        self.tree = []
        self._join(self.top[root], OUTER, None)
        while self.events:
            risen, a, b, cost = heappop(self.events)
            if b < 0:
                if self._is_spent(a, risen):
                    self.risen = risen
                    self._open(a)
                continue
            top_a, top_b = self.top[a], self.top[b]
            if top_a == top_b or self.label[top_b] == INNER:
                continue
            self.risen = risen
            if self._get_price(a) + self._get_price(b) < cost:
                continue  # b was an inner node meanwhile: a later event holds
            if self.label[top_b] == OUTER:
                self._shrink(a, b)
            elif self.mate[self.base[top_b]] < 0:
                self._turn_over(a, b)
                return
            else:
                self._grow(a, b)
        raise NoPerfectMatchingError(tuple(sorted(v for b in self._iterate_outer() for v in self._list_vertices(b))))

    def _iterate_outer(self) -> Iterator[int]:
        return (b for b in set(self.tree) if self.label[b] == OUTER and self.parent[b] < 0)

    def _is_spent(self, blossom: int, risen: int) -> bool:
        """Return whether this event still holds: an inner blossom whose rebate has run out."""
        return (
            self.parent[blossom] < 0
            and self.label[blossom] == INNER
            and self.since[blossom] + self.rebate[blossom] == risen
        )

    def _join(self, node: int, label: int, entry: Edge | None) -> None:
        self.label[node], self.entry[node], self.since[node] = label, entry, self.risen
        self.tree.append(node)
        if label == OUTER:
            for vertex in self._list_vertices(node):
                self._scan(vertex)
        elif node >= self.count:
            heappush(self.events, (self.risen + self.rebate[node], node, -1, 0))

    def _get_price(self, vertex: int) -> int:
        top = self.top[vertex]
        label = self.label[top]
        if label == NONE:
            return self.price[vertex]
        risen = self.risen - self.since[top]
        return self.price[vertex] + (risen if label == OUTER else -risen)

    def _scan(self, vertex: int) -> None:
        """Note when each edge of an outer vertex will be without slack."""
        top = self.top[vertex]
        price = self._get_price(vertex)
        for other, cost in self.neighbours[vertex]:
            other_top = self.top[other]
            label = self.label[other_top]
            if other_top == top or label == INNER:
                continue
            slack = cost - price - self._get_price(other)
            heappush(self.events, (self.risen + (slack // 2 if label == OUTER else slack), vertex, other, cost))

    def _grow(self, a: int, b: int) -> None:
        inner = self.top[b]
        self._join(inner, INNER, (a, b))
        base = self.base[inner]
        mate = self.mate[base]
        self._join(self.top[mate], OUTER, (base, mate))

    def _list_path_to_root(self, node: int) -> list[tuple[int, Edge]]:
        """Return the nodes from here to the root, each with the edge from its parent."""
        path = []
        while (entry := self.entry[node]) is not None:
            path.append((node, entry))
            node = self.top[entry[0]]
        return path

    def _shrink(self, a: int, b: int) -> None:
        """Shrink the cycle of two outer nodes through their common ancestor to one outer blossom."""
        left, right = self._list_path_to_root(self.top[a]), self._list_path_to_root(self.top[b])
        while left and right and left[-1][0] == right[-1][0]:
            left.pop()
            right.pop()
        last = (left or right)[-1][1][0]
        ancestor = self.top[last]
        nodes = [ancestor, *(node for node, _ in reversed(left)), *(node for node, _ in right)]
        links = [*(edge for _, edge in reversed(left)), (a, b), *(edge[::-1] for _, edge in right)]
        self._settle(nodes)
        blossom = self._create_blossom()
        self.base[blossom] = self.base[ancestor]
        self.children[blossom], self.links[blossom] = nodes, links
        fresh = [v for node in nodes if self.label[node] == INNER for v in self._list_vertices(node)]
        entry = self.entry[ancestor]
        for node in nodes:
            self.parent[node] = blossom
        for vertex in self._list_vertices(blossom):
            self.top[vertex] = blossom
        self.label[blossom], self.entry[blossom], self.since[blossom] = OUTER, entry, self.risen
        self.tree.append(blossom)
        for vertex in fresh:
            self._scan(vertex)

    def _open(self, blossom: int) -> None:
        """Open an inner blossom without rebate: its cycle is a part of the tree again, on the even way
        round."""
        self._settle([blossom])
        entry = self.entry[blossom]
        assert entry is not None
        nodes, links = self._dissolve(blossom)
        place = nodes.index(self.top[entry[1]])
        self._join(nodes[place], INNER, entry)
        for step, (node, edge) in enumerate(self._get_even_path(place, nodes, links)):
            self._join(node, INNER if step % 2 else OUTER, edge)
        for node in nodes:
            if self.label[node] == NONE:
                self._scan_back(node)

    def _get_even_path(self, place: int, nodes: list[int], links: list[Edge]) -> list[tuple[int, Edge]]:
        """Return the even way from the node at this place round to the base at place 0."""
        size = len(nodes)
        if place % 2:
            return [(nodes[k % size], links[k - 1]) for k in range(place + 1, size + 1)]
        return [(nodes[k], links[k][::-1]) for k in range(place - 1, -1, -1)]

    def _scan_back(self, node: int) -> None:
        """Note when edges of outer vertices will reach a node that fell out of the tree."""
        for vertex in self._list_vertices(node):
            price = self.price[vertex]
            for other, cost in self.neighbours[vertex]:
                if self.label[self.top[other]] == OUTER:
                    slack = cost - price - self._get_price(other)
                    heappush(self.events, (self.risen + slack, other, vertex, cost))

    def _dissolve(self, blossom: int) -> tuple[list[int], list[Edge]]:
        nodes, links = self.children[blossom], self.links[blossom]
        self.label[blossom] = NONE
        self.entry[blossom] = None
        self.children[blossom], self.links[blossom] = [], []
        for node in nodes:
            self.parent[node] = -1
            self.label[node], self.entry[node] = NONE, None
            for vertex in self._list_vertices(node):
                self.top[vertex] = node
        return nodes, links

    def _create_blossom(self) -> int:
        for column, value in (
            (self.parent, -1),
            (self.base, -1),
            (self.rebate, 0),
            (self.label, NONE),
            (self.since, 0),
        ):
            column.append(value)
        self.children.append([])
        self.links.append([])
        self.entry.append(None)
        return len(self.parent) - 1

    def _settle(self, nodes: Iterable[int]) -> None:
        """Apply the rise of the tree to the prices and rebates of these nodes."""
        for node in nodes:
            label = self.label[node]
            if label == NONE:
                continue
            risen = self.risen - self.since[node]
            change = risen if label == OUTER else -risen
            if change:
                for vertex in self._list_vertices(node):
                    self.price[vertex] += change
                if node >= self.count:
                    self.rebate[node] += change
            self.since[node] = self.risen

    def _list_vertices(self, node: int) -> list[int]:
        if node < self.count:
            return [node]
        found: list[int] = []
        stack = [node]
        while stack:
            node = stack.pop()
            if node < self.count:
                found.append(node)
            else:
                stack += reversed(self.children[node])
        return found

    # Turning a path over

    def _turn_over(self, a: int, b: int) -> None:
        """Turn over the path from the root to an unmatched vertex at b: all nodes on it change partners."""
        tree = [node for node in dict.fromkeys(self.tree) if self.parent[node] < 0 and self.label[node] != NONE]
        self._settle(tree)
        self._pair(b, a)
        node = self.top[a]
        self._rebase(self.top[b], b)
        while True:
            entry = self.entry[node]
            self._rebase(node, a)
            if entry is None:
                break
            inner = self.top[entry[0]]
            up = self.entry[inner]
            assert up is not None
            a, b = up
            self._rebase(inner, b)
            self._pair(a, b)
            node = self.top[a]
        for node in tree:
            self.label[node], self.entry[node] = NONE, None

    def _pair(self, a: int, b: int) -> None:
        self.mate[a], self.mate[b] = b, a

    def _rebase(self, node: int, vertex: int) -> None:
        """Turn a blossom so that this vertex is the one matched to the outside."""
        if node < self.count:
            return
        child = vertex
        while self.parent[child] != node:
            child = self.parent[child]
        nodes, links = self.children[node], self.links[node]
        self._rebase(child, vertex)
        place = nodes.index(child)
        steps = self._get_even_path(place, nodes, links)
        for index in range(1, len(steps), 2):
            inner, (x, y) = steps[index - 1][0], steps[index][1]
            self._rebase(inner, x)
            self._rebase(steps[index][0], y)
            self._pair(x, y)
        self.children[node] = nodes[place:] + nodes[:place]
        self.links[node] = links[place:] + links[:place]
        self.base[node] = vertex

    def build_matching(self) -> Matching:
        alive = [b for b in range(self.count, len(self.parent)) if self.children[b] and self.rebate[b]]
        return Matching(
            mates=tuple(self.mate),
            prices=tuple(self.price),
            blossoms=tuple(Blossom(tuple(sorted(self._list_vertices(b))), self.rebate[b]) for b in alive),
        )
