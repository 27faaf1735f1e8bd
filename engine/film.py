"""The film of a take (engine/scene/film.py): what is looked at, made from its tape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.certificate.audit import Report, certify
from engine.contact.tiers import ASSISTED, GHOSTED, RANK
from engine.rest import REST_OF_FILM_SAMPLE
from engine.scene.film import HIT_SPEED, SAME_MOMENT, Film
from engine.tape.path import Path
from engine.tape.take import Take

RATE = 120.0  # samples per second
MOST_POSES = 1_500_000  # samples times bodies; beyond it the rate is halved, down to LEAST_RATE
LEAST_RATE = 30.0

Columns = dict[str, Any]


def film_of(take: Take, report: Report | None = None, after: Take | None = None) -> Film:
    """The film of a backward take, and of the forward take that goes on from its authored frame."""
    film = _half(take, report if report is not None else certify(take))
    if after is not None:
        film = _joined(film, _half(after, certify(after)), float(take.times[-1]))
    return replace(film, energy=film.energy - film.energy.min())


def _half(take: Take, report: Report) -> Film:
    moving = np.array([i for i, body in enumerate(take.scene.bodies) if not body.static], np.int64)
    static = np.array([i for i, body in enumerate(take.scene.bodies) if body.static], np.int64)
    times = _sample_times(take, len(moving))
    path = Path(take)
    positions = np.empty((len(times), len(moving), 3))
    orientations = np.empty((len(times), len(moving), 4))
    for i, t in enumerate(times):
        x, q = path.at(float(t))
        positions[i], orientations[i] = x[moving], q[moving]
    seen = take.seen_from[moving]
    begin, rest = _moving_spans(times, positions, orientations, seen)
    ending = take.times[-1] if take.backward else take.times[0]
    film_row = np.full(len(take.model.names), -1, np.int64)
    film_row[take.model.row_of[np.concatenate([moving, static])]] = np.arange(len(moving) + len(static))
    judged = (report.touching & ~_only_in_hands(take)) | (report.tiers > 0)
    return Film(
        times=times,
        ending=float(ending),
        positions=positions.astype(np.float32),
        orientations=orientations.astype(np.float32),
        bodies=tuple(take.scene.bodies[i].id for i in moving),
        statics=tuple(take.scene.bodies[i].id for i in static),
        energy=np.interp(times, take.times, take.energy),
        step_first=float(take.times[0]),
        step_dt=float(take.tape.params.dt),
        step_tier=np.where(judged, report.tiers, -1)[:-1].astype(np.int8),
        begin=begin,
        rest=rest,
        **_releases(take, moving),
        **_events(take, film_row),
        **_marks(take, report, film_row),
    )


def _sample_times(take: Take, bodies: int) -> np.ndarray:
    """At a steady rate, counted from the authored frame, and both ends."""
    first, last = float(take.times[0]), float(take.times[-1])
    rate = RATE
    while rate > LEAST_RATE and (last - first) * rate * bodies > MOST_POSES:
        rate /= 2.0
    count = int(np.floor((last - first) * rate + 1e-9))
    offsets = np.arange(count + 1) / rate
    times = last - offsets[::-1] if take.backward else first + offsets
    if take.backward and times[0] > first + 1e-9:
        times = np.concatenate([[first], times])
    if not take.backward and times[-1] < last - 1e-9:
        times = np.concatenate([times, [last]])
    return times


def _releases(take: Take, moving: np.ndarray) -> Columns:
    """When bodies are shown and let go; nothing where all are under way from the first moment on."""
    if take.tape.released is None:
        return {}
    rows = take.model.row_of[moving]
    released = take.tape.released
    return {
        "seen": take.seen_from[moving],
        "release": take.times[0] + released.step[rows] * take.tape.params.dt,
        "how": tuple(released.how[row] or "flight" for row in rows),
    }


def _only_in_hands(take: Take) -> np.ndarray:
    """(k,) bool: states whose sleepers are all in hands: nothing touches there, although whoever sleeps rests on
    something. (Limits of joints push without contacts; a take with joints is left as the report has it.)"""
    tape = take.tape
    found = np.zeros(tape.steps + 1, bool)
    if tape.released is not None and not len(take.model.joints.kind):
        free = np.arange(tape.steps)[:, None] >= tape.released.step
        found[:-1] = ~(tape.asleep & free).any(axis=1) & (np.diff(tape.start) == 0)
    return found


def _moving_spans(times: np.ndarray, x: np.ndarray, q: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and last moment of motion of every body (nan, nan: none); what a hand does with it unseen is none."""
    way, turn = np.abs(np.diff(x, axis=0)).max(2), np.abs(np.diff(q, axis=0)).max(2)
    moves = (way > REST_OF_FILM_SAMPLE) | (turn > REST_OF_FILM_SAMPLE)
    moves &= times[1:, None] > seen + SAME_MOMENT
    begin, rest = np.full(x.shape[1], np.nan), np.full(x.shape[1], np.nan)
    some = moves.any(0)
    begin[some] = times[moves[:, some].argmax(0)]
    rest[some] = times[len(moves) - moves[::-1][:, some].argmax(0)]
    return begin, rest


def _rows(take: Take) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Step and bodies (model rows) of every recorded contact."""
    tape, part_body = take.tape, take.model.geometry.part_body
    step = np.repeat(np.arange(tape.steps), np.diff(tape.start))
    return step, part_body[tape.contact_column("part_a")], part_body[tape.contact_column("part_b")]


def _events(take: Take, film_row: np.ndarray) -> Columns:
    """One row per pair and step in which a contact begins or hits."""
    step, a, b = _rows(take)
    n = len(take.model.names)
    key = (step * n + np.minimum(a, b)) * n + np.maximum(a, b)
    approach = -np.minimum(take.tape.contact_column("before").astype(float), 0.0)
    keys, place = np.unique(key, return_inverse=True)
    fastest = np.zeros(len(keys))
    np.maximum.at(fastest, place, approach)
    begins = ~np.isin(keys - n * n, keys, assume_unique=True)
    asleep_before = _slept_through(take, keys, n)
    chosen = (begins & ~asleep_before) | (fastest > HIT_SPEED)
    keys, fastest = keys[chosen], fastest[chosen]
    pair = np.stack([film_row[keys // n % n], film_row[keys % n]], axis=1)
    return {
        "event_time": take.times[keys // (n * n)],
        "event_body": pair.astype(np.int32),
        "event_speed": fastest,
    }


def _slept_through(take: Take, keys: np.ndarray, n: int) -> np.ndarray:
    """Contacts of sleepers are not written again every step: one that goes on after sleep does not begin."""
    asleep = take.tape.asleep
    step = keys // (n * n)
    before = np.maximum(step - 1, 0)
    return (step == 0) | asleep[before, keys // n % n] | asleep[before, keys % n]


def _marks(take: Take, report: Report, film_row: np.ndarray) -> Columns:
    """The worst contact of every step that is not EXACT; overlaps without a contact come from the report."""
    step, a, b = _rows(take)
    tape = take.tape
    tier = tape.contact_column("tier").astype(np.int64)
    order = np.lexsort((tape.contact_column("before"), -np.array(RANK)[tier], step))
    order = order[tier[order] > 0]
    _, first = np.unique(step[order], return_index=True)
    rows = order[first]
    used = [tape.contact_column(name)[rows] for name in ("restitution", "friction", "before")]
    values = np.stack([used[0], used[1], np.maximum(-used[2], 0.0), np.zeros(len(rows))], axis=1)
    pairs = np.stack([film_row[a[rows]], film_row[b[rows]]], axis=1)
    found = {
        int(step[r]): (int(tier[r]), *pair, *value)
        for r, pair, value in zip(rows, pairs.tolist(), values.tolist(), strict=True)
    }
    names = {name: i for i, name in enumerate(take.model.names)}
    for at, one, other, depth in report.ghosts:
        if at not in found or RANK[found[at][0]] <= RANK[GHOSTED]:
            found[at] = (GHOSTED, int(film_row[names[one]]), int(film_row[names[other]]), 0.0, 0.0, 0.0, depth)
    for at in np.flatnonzero(report.tiers == ASSISTED).tolist():
        worst = found.get(at, (ASSISTED, -1, -1, 0.0, 0.0, 0.0))
        found[at] = (ASSISTED, *worst[1:6], float(report.assists[at]))
    steps = sorted(found)
    table = [found[at] for at in steps]
    return {
        "mark_step": np.array(steps, np.int32),
        "mark_tier": np.array([row[0] for row in table], np.int8),
        "mark_body": np.array([row[1:3] for row in table], np.int32).reshape(-1, 2),
        "mark_value": np.array([row[3:] for row in table], float).reshape(-1, 4),
    }


def _joined(first: Film, second: Film, at: float) -> Film:
    """Both halves in one time: the second begins at the authored frame, whose sample both have."""
    shift, steps = at - second.first, len(first.step_tier)
    samples = ("positions", "orientations", "energy")
    rows = ("step_tier", "event_body", "event_speed", "mark_tier", "mark_body", "mark_value")
    joined: Columns = {name: _end_to_end(first, second, name, 1) for name in samples}
    joined |= {name: _end_to_end(first, second, name) for name in rows}
    return replace(
        first,
        times=np.concatenate([first.times, second.times[1:] + shift]),
        event_time=np.concatenate([first.event_time, second.event_time + shift]),
        mark_step=np.concatenate([first.mark_step, second.mark_step + steps]).astype(np.int32),
        begin=np.fmin(first.begin, second.begin + shift),
        rest=np.fmax(first.rest, second.rest + shift),
        **joined,
    )


def _end_to_end(first: Film, second: Film, name: str, skipped: int = 0) -> np.ndarray:
    return np.concatenate([getattr(first, name), getattr(second, name)[skipped:]])
