"""Can what rests carry it? One question about cones for each impulse that an arriving body puts on a resting one.

The contacts of everything that helps to carry the struck bodies must find impulses in their friction cones that leave
them all at rest. Contacts that bear load from above keep what they bear while nothing happens. Cones are replaced by
pyramids inside them, so a yes is a yes; answers are the impulses themselves, exact to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.ahead.standing import Standing
from engine.arrivals.structure import Structure
from engine.factors import combine, nonnegative, triangular
from engine.functions import around
from engine.params import Params
from engine.shapes.crossed import crossed

FACETS = 12  # of the pyramid inside a friction cone
MISSED = 1e-9  # share of the load that may be left over before it is made up for
NEGATIVE = 1e-14  # share of the load: a weight this far below zero is rounding
FAR = 1e-6  # share of the load: what is off by more before it is refined stays off
MOST_RECIPES = 8  # that are tried, the latest first: looking for a new one takes as long as some of these
REFINEMENTS = 2
MOST_ROUNDS = (
    6  # of the search for an answer, per equation; where there are more ways than one it may go round for ever
)


@dataclass(frozen=True)
class Load:
    """What a body is given from outside in one kick."""

    body: int
    impulse: np.ndarray  # N s
    turn: np.ndarray  # N m s about its centre of mass


class Bears(NamedTuple):
    """What all contacts of the structure bear in one kick."""

    impulse: np.ndarray  # (C, 3) N s on body a
    torque: np.ndarray  # (C, 3) N m s


@dataclass(frozen=True)
class _Base:
    """The equations of a set of bodies: columns of generators of the contacts among them."""

    bodies: list[int]
    rows: np.ndarray  # (r,) contacts whose impulses are sought
    outer: np.ndarray  # (o,) contacts that keep theirs
    columns: np.ndarray  # (6 k, FACETS r)
    generators: np.ndarray  # (r, FACETS, 3)


@dataclass(frozen=True)
class _Recipe:
    """Columns that carried something once, factorised: they may carry the next thing too."""

    support: np.ndarray
    q: np.ndarray  # rows of an orthonormal basis
    r: np.ndarray

    @staticmethod
    def of(columns: np.ndarray, support: np.ndarray) -> _Recipe:
        return _Recipe(support, *triangular(columns[:, support]))

    def weights(self, columns: np.ndarray, right: np.ndarray, scale: float) -> np.ndarray | None:
        """Weights of all columns that give `right`, exact to rounding; None where these columns cannot."""
        mine = columns[:, self.support]
        some, more, left = np.zeros(len(self.support)), np.zeros(len(self.support)), right
        for _ in range(REFINEMENTS):
            combine(self.q, self.r, len(some), left, more)
            some = some + more
            if some.min(initial=0.0) < -FAR * scale:
                return None  # nothing that rounding could do
            left = right - times(mine, some)
            if norm(left) > FAR * scale:
                return None
        if some.min(initial=0.0) < -NEGATIVE * scale or norm(left) > MISSED * scale:
            return None
        weights = np.zeros(columns.shape[1])
        weights[self.support] = np.maximum(some, 0.0)
        return weights


class Carrying:
    """Answers for one structure; equations, and ways to say no, are kept."""

    def __init__(self, structure: Structure, params: Params) -> None:
        self.structure, self.params = structure, params
        model = structure.model
        self._weight = 1.0 / np.where(structure.moves, model.bodies.mass, 1.0)
        self._arm = 1.0 / np.maximum(model.bodies.size, 1e-9)
        self._bases: dict[tuple[bytes, bytes], _Base] = {}
        self._refusals: dict[tuple[bytes, bytes], list[np.ndarray]] = {}
        self._recipes: dict[tuple[bytes, bytes], list[_Recipe]] = {}
        self.asked = 0
        self.solved = 0

    def carry(self, resting: np.ndarray, held: np.ndarray, standing: Standing, loads: list[Load]) -> Bears | None:
        """What leaves every resting body at rest, None if there is nothing. The load of a body that comes to rest in
        this kick is the momentum it comes with. held: who of them rests whatever happens."""
        self.asked += 1
        structure = self.structure
        loads = [load for load in loads if not held[load.body]]
        wanted = structure.bearers({load.body for load in loads}, resting & ~held)
        key = (np.array(wanted, np.int32).tobytes(), np.packbits(resting).tobytes() + np.packbits(held).tobytes())
        if key not in self._bases:
            self._bases[key] = self._base(wanted, resting, held)
        base = self._bases[key]
        right = self._right(base, standing, loads)
        weights = self._weights(key, base, right)
        if weights is None:
            return None
        impulse = standing.impulse.copy()
        impulse[base.rows] = np.add.reduce(weights.reshape(-1, FACETS, 1) * base.generators, axis=1)
        torque = standing.torque.copy()
        torque[base.rows] = 0.0
        return Bears(impulse, torque)

    def _base(self, bodies: list[int], resting: np.ndarray, held: np.ndarray) -> _Base:
        structure = self.structure
        contacts, model = structure.contacts, structure.model
        here = np.zeros(len(resting), bool)
        here[bodies] = True
        a, b = contacts.a, contacts.b
        present = (resting | ~structure.moves)[a] & (resting | ~structure.moves)[b]
        inner = present & (here[a] | here[b])
        free = structure.moves & ~held
        across = inner & ((free[a] & ~here[a]) | (free[b] & ~here[b]))
        rows, outer = np.flatnonzero(inner & ~across), np.flatnonzero(across)
        generators = np.array([self._edges(int(c)) for c in rows]).reshape(-1, FACETS, 3)
        columns = np.zeros((6 * len(bodies), FACETS * len(rows)))
        place = {body: i for i, body in enumerate(bodies)}
        for r, c in enumerate(rows):
            span = slice(FACETS * r, FACETS * (r + 1))
            for body, sign in ((int(a[c]), 1.0), (int(b[c]), -1.0)):
                if body in place:
                    i = 6 * place[body]
                    arm = contacts.point[c] - model.start.x[body]
                    columns[i : i + 3, span] = sign * self._weight[body] * generators[r].T
                    columns[i + 3 : i + 6, span] = (
                        sign * self._weight[body] * self._arm[body] * crossed(arm[None], generators[r]).T
                    )
        return _Base(bodies, rows, outer, columns, generators)

    def _edges(self, c: int) -> np.ndarray:
        """(FACETS, 3) edges of the pyramid of contact c, of unit normal impulse, on body a."""
        n = self.structure.contacts.normal[c]
        t = crossed(n, np.array([1.0, 0.0, 0.0] if abs(n[0]) < 0.7 else [0.0, 1.0, 0.0]))
        t /= norm(t)
        cosines, sines = around(FACETS)
        sideways = cosines[:, None] * t + sines[:, None] * crossed(n, t)
        return n + self.structure.material.friction[c] * sideways

    def _right(self, base: _Base, standing: Standing, loads: list[Load]) -> np.ndarray:
        """What the contacts must give: the opposite of gravity, of the loads and of what presses from above."""
        structure = self.structure
        contacts, model = structure.contacts, structure.model
        right = np.zeros((len(base.bodies), 6))
        right[:, :3] = -self.params.dt * model.gravity
        if len(base.outer):
            p, t, at = standing.impulse[base.outer], standing.torque[base.outer], contacts.point[base.outer]
            for bodies, sign in ((contacts.a[base.outer], 1.0), (contacts.b[base.outer], -1.0)):
                own = np.isin(bodies, base.bodies)
                turn = crossed(at[own] - model.start.x[bodies[own]], p[own]) + t[own]
                self._add(right, base, bodies[own], -sign * p[own], -sign * turn)
        for load in loads:
            self._add(right, base, np.array([load.body]), -load.impulse[None], -load.turn[None])
        return right.ravel()

    def _add(self, right: np.ndarray, base: _Base, bodies: np.ndarray, impulse: np.ndarray, turn: np.ndarray) -> None:
        at = np.searchsorted(base.bodies, bodies)
        weight = self._weight[bodies][:, None]
        given = np.concatenate([weight * impulse, weight * self._arm[bodies][:, None] * turn], axis=1)
        for i, one in zip(at, given, strict=True):  # a body may be there several times
            right[i] += one

    def _weights(self, key: tuple[bytes, bytes], base: _Base, right: np.ndarray) -> np.ndarray | None:
        scale = 1.0 + norm(right)
        for refusal in self._refusals.get(key, ()):
            if float(times(refusal, right)) > MISSED * scale:
                return None
        known = self._recipes.setdefault(key, [])
        for i, recipe in enumerate(known):
            found = recipe.weights(base.columns, right, scale)
            if found is not None:
                known.insert(0, known.pop(i))
                return found
        self.solved += 1
        weights, missed, settled = nonnegative(base.columns, right, MOST_ROUNDS * base.columns.shape[0])
        if not settled:
            return None
        if missed > MISSED * scale:
            left = right - times(base.columns, weights)
            self._refusals.setdefault(key, []).append(left / norm(left))
            return None
        recipe = _Recipe.of(base.columns, np.flatnonzero(weights > 0.0))
        known.insert(0, recipe)
        del known[MOST_RECIPES:]
        return recipe.weights(base.columns, right, scale)
