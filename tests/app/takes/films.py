"""Made-up takes: a row of boxes, each take throws them in from elsewhere. No engine needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from app.document.document import Document
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Scene
from engine.scene.take_files import FILM

SECONDS, RATE = 4.0, 30.0


def film_arrays(scene: Scene, seed: int, seconds: float = SECONDS, energy: float = 100.0) -> dict[str, np.ndarray]:
    """Bodies fly in on parabolas, one after the other, and end where the scene has them."""
    random = np.random.default_rng(seed)
    bodies = [body for body in scene.bodies if not body.static]
    times = np.arange(round(seconds * RATE) + 1) / RATE
    before = seconds - times
    ends = np.array([body.position for body in bodies], float)
    turns = np.array([body.orientation for body in bodies], float)
    rest = random.uniform(0.2, 0.5, len(bodies)) * seconds
    speed = random.normal(0.0, 0.6, (len(bodies), 3))
    left = np.clip(before[:, None] - rest, 0.0, None)  # s until each body rests
    positions = ends[None] + left[:, :, None] * speed[None]
    positions[:, :, 2] += 1.2 * left * (0.9 - 0.2 * left).clip(0.0, None)
    spin = random.normal(0.0, 1.5, (len(bodies), 3))
    orientations = np.concatenate([np.ones((*left.shape, 1)), 0.5 * left[:, :, None] * spin[None]], axis=2)
    orientations /= np.linalg.norm(orientations, axis=2, keepdims=True)
    orientations = np.where(left[:, :, None] > 0.0, orientations, turns[None])
    steps = round(seconds * 240)
    drops = np.sort(random.uniform(0.0, seconds, 9))
    falls = random.dirichlet(np.ones(9)) * energy
    curve = energy - (falls[None] * (times[:, None] >= drops[None])).sum(axis=1)
    return {
        "times": times,
        "ending": np.array(seconds),
        "positions": positions.astype(np.float32),
        "orientations": orientations.astype(np.float32),
        "bodies": np.array([body.id for body in bodies], dtype=np.str_),
        "energy": curve,
        "step_first": np.array(0.0),
        "step_dt": np.array(1.0 / 240.0),
        "step_tier": np.full(steps, -1, np.int8),
        "event_time": seconds - rest,
        "event_body": np.stack([np.arange(len(bodies)), np.full(len(bodies), -1)], axis=1).astype(np.int32),
        "event_speed": np.full(len(bodies), 1.0),
        "mark_step": np.array([10, 20], np.int32),
        "mark_tier": np.array([1, 4], np.int8),
        "mark_body": np.array([[0, -1], [0, min(1, len(bodies) - 1)]], np.int32),
        "mark_value": np.zeros((2, 4)),
        "begin": np.zeros(len(bodies)),
        "rest": seconds - rest,
    }


def write_film(folder: Path, key: str, arrays: dict[str, np.ndarray]) -> None:
    path = folder / FILM.format(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)


def boxes(count: int = 6) -> list[Body]:
    return [Body(f"Box {k}", Box((0.1, 0.1, 0.1)), (0.3 * k - 0.75, 0.0, 0.1)) for k in range(count)]


def take_card(number: int, energy: float, **fields: object) -> TakeCard:
    worst = number % 5
    tiers = [0.0] * 5
    tiers[worst] = 0.04 * worst if worst else 1.0
    tiers[0] = 1.0 - sum(tiers[1:])
    card = TakeCard(
        f"t{number}", f"Take {number:02d}", seed=number, seconds=SECONDS, energy=energy, tiers=tuple(tiers),
        bounces=20 + number, hints=(2, 2),
    )  # fmt: skip
    return replace(card, **fields)


def with_takes(document: Document, energies: list[float], bodies: list[Body] | None = None) -> list[str]:
    """A document with takes of these energies, named in the order given; returns their ids."""
    scene = Scene(bodies=boxes() if bodies is None else bodies)
    document.new(scene)
    own = fingerprint(document.scene)
    cards = [take_card(number, energy, scene=own) for number, energy in enumerate(energies, start=1)]
    for card in cards:
        write_film(document.takes.folder, card.id, film_arrays(document.scene, card.seed, card.seconds, card.energy))
    document.edit("Takes", replace(document.scene, takes=cards, next_id=1000))
    return [card.id for card in cards]
