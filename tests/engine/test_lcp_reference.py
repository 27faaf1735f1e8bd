"""Lemke against enumeration; the island solver against Lemke and against a conic solver."""

from __future__ import annotations

import itertools

import clarabel
import numpy as np
import pytest
from scipy import sparse

from engine.contact.island_solver import empty_solver_work, solve_island
from engine.contact.kick import ISLANDS, place_rows, scaled_velocities, speeds_before
from engine.contact.law import normal_bias
from engine.contact.rows import Rows, own_responses
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.step.scratch import make_scratch
from engine.step.stages import find_contacts, link
from tests.bench.scenes import material, turn
from tests.engine.lcp import NoSolution, lemke, polygonal_contact


def enumerated(M: np.ndarray, q: np.ndarray) -> list[np.ndarray]:
    """All isolated solutions, by trying every set of active unknowns."""
    n, found = len(q), []
    for active in itertools.chain.from_iterable(itertools.combinations(range(n), k) for k in range(n + 1)):
        index, z = list(active), np.zeros(n)
        if index:
            block = M[np.ix_(index, index)]
            if np.linalg.cond(block) > 1e10:
                continue
            z[index] = np.linalg.solve(block, -q[index])
        if z.min() >= -1e-10 and (M @ z + q).min() >= -1e-10:
            found.append(z)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_positive_definite_problems_have_the_one_answer(seed: int) -> None:
    """P-matrices: positive definite plus a skew part."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    root, skew = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    M, q = root @ root.T + 0.1 * np.eye(n) + skew - skew.T, rng.normal(size=n)
    answers = enumerated(M, q)
    assert len(answers) >= 1
    np.testing.assert_allclose(lemke(M, q), answers[0], rtol=0, atol=1e-9 * (1.0 + np.abs(answers[0]).max()))


@pytest.mark.parametrize("seed", range(60))
def test_strictly_copositive_problems_are_solved(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    n = int(rng.integers(2, 7))
    root = rng.normal(size=(n, 2))
    M, q = root @ root.T + rng.uniform(0.01, 2.0, size=(n, n)), rng.normal(size=n)
    z = lemke(M, q)
    w = M @ z + q
    assert z.min() >= 0.0 and w.min() > -1e-9 and abs(z @ w) < 1e-9 * (1.0 + z.max())
    assert any(np.allclose(z, other, atol=1e-7 * (1.0 + z.max())) for other in enumerated(M, q))


def test_ties_do_not_cycle() -> None:
    """Small integers make ratio tests tie everywhere."""
    rng = np.random.default_rng(7)
    for _ in range(200):
        n = int(rng.integers(2, 7))
        root = rng.integers(-1, 2, size=(n, n)).astype(float)
        M, q = root @ root.T + np.eye(n), rng.integers(-2, 2, size=n).astype(float)
        z = lemke(M, q)
        assert (M @ z + q).min() > -1e-9 and abs(z @ (M @ z + q)) < 1e-9


def test_a_problem_on_which_the_plain_ratio_test_cycles() -> None:
    """Kostreva's example: without the lexicographic rule the method returns to its first tableau."""
    M = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]])
    np.testing.assert_allclose(lemke(M, -np.ones(3)), 1.0 / 3.0, rtol=0, atol=1e-14)
    M = np.array([[1, 5, 2, 0, -4], [-5, 1, 0, 0, 2], [-2, 0, 1, -3, -4], [0, 0, 3, 1, -3], [4, -2, 4, 3, 1.0]])
    q = np.array([-1.0, -1.0, 0.0, 0.0, -1.0])
    np.testing.assert_allclose(lemke(M, q), enumerated(M, q)[0], rtol=0, atol=1e-12)


def test_a_problem_without_solution_is_told() -> None:
    with pytest.raises(NoSolution):
        lemke(np.zeros((2, 2)), np.array([1.0, -1.0]))


def sphere_pile() -> Scene:
    """Three balls in a triangle, a fourth falling on them: six contacts, all of them bound."""
    ring = [
        (0.1 / np.sin(np.pi / 3) * np.cos(a), 0.1 / np.sin(np.pi / 3) * np.sin(a), 0.1) for a in (0.0, 2.0944, 4.1888)
    ]
    balls = [Body(f"ball {i}", Sphere(0.1), place, material=material()) for i, place in enumerate(ring)]
    high = 0.1 + np.sqrt(0.04 - (0.1 / np.sin(np.pi / 3)) ** 2)
    top = Body("top", Sphere(0.1), (0, 0, high), velocity=(0.1, 0.05, -2.0), material=material())
    return Scene(bodies=[*balls, top])


def box_scene(velocity: tuple[float, float, float], spin: tuple[float, float, float], mu: float = 0.4) -> Scene:
    body = Body("box", Box((0.3, 0.2, 0.1)), (0, 0, 0.1), turn("z", 0.3), velocity=velocity, angular_velocity=spin,
                material=material(friction=mu))  # fmt: skip
    return Scene(bodies=[body])


def two_boxes(velocity: tuple[float, float, float]) -> Scene:
    lower = Body("lower", Box((0.3, 0.2, 0.1)), (0, 0, 0.1), material=material())
    upper = Body("upper", Box((0.2, 0.2, 0.1)), (0.05, 0.02, 0.3), velocity=velocity, material=material())
    return Scene(bodies=[lower, upper])


SCENES = {
    "box at rest": lambda: box_scene((0, 0, 0), (0, 0, 0)),
    "box slides": lambda: box_scene((1.0, 0.4, 0), (0, 0, 0)),
    "box lands": lambda: box_scene((0.5, 0.2, -1.5), (0, 0, 0)),
    "box lands on an edge": lambda: box_scene((0.2, 0.1, -1.0), (0.5, 3.0, 0)),
    "two boxes at rest": lambda: two_boxes((0, 0, 0)),
    "a box lands on a box": lambda: two_boxes((0.1, 0.0, -1.0)),
    "a ball falls on three": sphere_pile,
}


class Island:
    """The contact problem of a scene's start, dense and as rows."""

    def __init__(self, scene: Scene, friction: bool = True) -> None:
        model, params = compile_scene(scene), make_params(1 / 240, scene.gravity)
        start = model.start
        s = make_scratch(model)
        assert find_contacts(s, params, start, start) == 0
        speeds_before(s, params, start, start)
        assert link(s, s.asleep) == 0
        assert s.counts[ISLANDS] == 1
        place_rows(s, 0, 3, start)
        self.rows: Rows = Rows(*(column[: s.found] for column in s.rows))
        self.rows.count[0] = s.found
        self.n = int(s.islands.body_start[1])
        y = np.zeros((self.n, 6))
        scaled_velocities(s, params, 0, 1.0, start, start, y)
        self.G = np.zeros((s.found, 3, 6 * self.n))
        for c in range(s.found):
            a, b = int(self.rows.body_a[c]), int(self.rows.body_b[c])
            self.G[c, :, 6 * a : 6 * a + 6] += self.rows.ga[c, :3]
            if b >= 0:
                self.G[c, :, 6 * b : 6 * b + 6] += self.rows.gb[c, :3]
        self.rows.rhs[:, :3] = self.G @ y.ravel()
        for i in range(s.found):
            c = s.islands.order[i]
            bounce = normal_bias(s.kick.before[c], s.kick.restitution[c], params.bounce_speed, 0.0, 0.0)
            self.rows.rhs[i, 0] += bounce
        if not friction:
            self.rows.mu[:] = 0.0
        own_responses(self.rows, 3, params.painleve_share)

    def velocities(self, z: np.ndarray) -> np.ndarray:
        """Velocities (C, 3) of the contacts under impulses (C, 3)."""
        return self.G @ np.einsum("ckm,ck->m", self.G, z) + self.rows.rhs[:, :3]

    def solved(self) -> np.ndarray:
        self.rows.z[:] = 0.0
        residual, _ = solve_island(self.rows, 3, self.n, 3.0, 1e-13, 0.0, empty_solver_work(self.n, len(self.G)))
        assert residual < 1e-12
        return self.rows.z[:, :3].copy()

    def lemke(self, facets: int) -> np.ndarray:
        if not self.rows.mu.any():
            normals = self.G[:, 0]
            z = np.zeros((len(self.G), 3))
            z[:, 0] = lemke(normals @ normals.T, self.rows.rhs[:, 0].copy())
            return z
        problem = polygonal_contact(self.G, self.rows.rhs[:, :3], self.rows.mu, facets)
        return problem.impulses(lemke(problem.M, problem.q))

    def conic(self) -> np.ndarray:
        """Velocities (C, 3) by Coulomb's law as a fixed point of convex cone problems: De Saxce adds mu |w_t| to the
        normal velocity, and the least change of velocities that brings all contacts into their dual cones follows."""
        count, m = len(self.G), self.G.shape[2]
        mu, slide = self.rows.mu, np.zeros(count)
        scale = np.column_stack([np.ones(count), mu, mu])  # w_n >= mu |w_t|
        A = sparse.csc_matrix(-(scale.ravel()[:, None] * self.G.reshape(3 * count, m)))
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
        for _ in range(100):
            w = self.rows.rhs[:, :3].copy()
            w[:, 0] += mu * slide
            cones = [clarabel.SecondOrderConeT(3) for _ in range(count)]
            identity = sparse.csc_matrix(sparse.eye(m))
            answer = clarabel.DefaultSolver(identity, np.zeros(m), A, (scale * w).ravel(), cones, settings).solve()
            assert str(answer.status) == "Solved"
            velocities = self.G @ np.array(answer.x) + self.rows.rhs[:, :3]
            found = np.linalg.norm(velocities[:, 1:], axis=1)
            if np.abs(found - slide).max() < 3e-9:
                return velocities
            slide = found
        raise AssertionError("the fixed point was not reached")


@pytest.mark.parametrize("name", SCENES)
def test_without_friction_the_solver_agrees_with_lemke(name: str) -> None:
    island = Island(SCENES[name](), friction=False)
    np.testing.assert_allclose(
        island.velocities(island.solved()), island.velocities(island.lemke(0)), rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("name", SCENES)
def test_with_friction_the_solver_agrees_with_lemke_within_the_facets(name: str) -> None:
    """A polygon with 64 corners is off by 1/800 in size and 3 degrees in direction: this bounds the error."""
    island = Island(SCENES[name]())
    exact = island.solved()
    error = np.abs(island.velocities(exact) - island.velocities(island.lemke(64))).max()
    friction = np.linalg.norm(np.einsum("ckm,ck->ckm", island.G[:, 1:], exact[:, 1:]).sum((0, 1)))
    largest = np.linalg.norm(island.G, axis=2).max() * friction
    assert error <= 0.05 * largest + 1e-9


@pytest.mark.parametrize("name", SCENES)
def test_the_solver_agrees_with_a_conic_solver(name: str) -> None:
    island = Island(SCENES[name]())
    np.testing.assert_allclose(island.velocities(island.solved()), island.conic(), rtol=0, atol=1e-7)
