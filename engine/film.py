"""Film: a take as it is looked at - poses at a steady rate, energy, certificate and events - in a few plain arrays that
can be read without the engine. The tape stays the record; a film is made from it and can be made again.

    times         (F,) s            first sample .. last; the authored frame is one of them
    ending        () s              time of the authored frame
    positions     (F, m, 3) float32 moving bodies only, as engine.Path shows them
    orientations  (F, m, 4) float32
    bodies        (m,) text         ids
    statics       (s,) text         ids of the bodies that never move
    energy        (F,) J            kinetic plus potential, over the lowest of the take
    step_first    () s, step_dt () s   steps of the certificate: i covers first + i dt .. + dt
    step_tier     (K,) int8         worst tier of a step; -1 without contacts
    event_time    (E,) s            contacts begin, or hit
    event_body    (E, 2) int32      rows of `bodies`; m + j: statics[j]; -1: the ground
    event_speed   (E,) m/s          approach
    mark_step     (M,) int32        the worst contact of every step that is not EXACT
    mark_tier     (M,) int8
    mark_body     (M, 2) int32      the same; both -1: not of one contact
    mark_value    (M, 4)            restitution, friction, approach m/s, and depth m (GHOSTED) or assist m/s (ASSISTED)
    lowered       (L,) int32        steps in which all of the friction would leave no answer; made by whoever asks for
                                    it, with `engine.analysis.consistency_inspect.lowered`
    begin, rest   (m,) s            when a body starts to move and when it comes to rest; nan: it never moves
"""

from __future__ import annotations

from typing import IO

import numpy as np

from engine.certificate.audit import Report, certify
from engine.contact.tiers import ASSISTED, GHOSTED
from engine.tape.path import Path
from engine.tape.take import Take

RATE = 120.0  # samples per second
MOST_POSES = 1_500_000  # samples times bodies; beyond it the rate is halved, down to LEAST_RATE
LEAST_RATE = 30.0
STILL = 2e-6  # m, and of a quaternion, from sample to sample
HIT_SPEED = 0.05  # m/s: slower contacts count when they begin, not when they go on

Arrays = dict[str, np.ndarray]


def film_of(take: Take, report: Report | None = None, after: Take | None = None) -> Arrays:
    """The film of a backward take, and of the forward take that goes on from its authored frame."""
    film = _half(take, report if report is not None else certify(take))
    if after is not None:
        film = _joined(film, _half(after, certify(after)), float(take.times[-1]))
    film["energy"] = film["energy"] - film["energy"].min()
    return film


def write_film(stream: IO[bytes], film: Arrays) -> None:
    np.savez_compressed(stream, **film)  # type: ignore[arg-type]


def bounces(film: Arrays) -> int:
    return int((film["event_speed"] > HIT_SPEED).sum())


def _half(take: Take, report: Report) -> Arrays:
    moving = np.array([i for i, body in enumerate(take.scene.bodies) if not body.static], np.int64)
    static = np.array([i for i, body in enumerate(take.scene.bodies) if body.static], np.int64)
    times = _sample_times(take, len(moving))
    path = Path(take)
    positions = np.empty((len(times), len(moving), 3))
    orientations = np.empty((len(times), len(moving), 4))
    for i, t in enumerate(times):
        x, q = path.at(float(t))
        positions[i], orientations[i] = x[moving], q[moving]
    begin, rest = _moving_spans(times, positions, orientations)
    ending = take.times[-1] if take.backward else take.times[0]
    film_row = np.full(len(take.model.names), -1, np.int64)
    film_row[take.model.row_of[np.concatenate([moving, static])]] = np.arange(len(moving) + len(static))
    judged = report.touching | (report.tiers > 0)
    return {
        "times": times,
        "ending": np.array(ending),
        "positions": positions.astype(np.float32),
        "orientations": orientations.astype(np.float32),
        "bodies": np.array([take.scene.bodies[i].id for i in moving], dtype=np.str_),
        "statics": np.array([take.scene.bodies[i].id for i in static], dtype=np.str_),
        "energy": np.interp(times, take.times, take.energy),
        "step_first": np.array(take.times[0]),
        "step_dt": np.array(take.tape.params.dt),
        "step_tier": np.where(judged, report.tiers, -1)[:-1].astype(np.int8),
        "begin": begin,
        "rest": rest,
        **_events(take, film_row),
        **_marks(take, report, film_row),
    }


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


def _moving_spans(times: np.ndarray, x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and last moment of motion of every body (nan, nan: none)."""
    moves = (np.abs(np.diff(x, axis=0)).max(2) > STILL) | (np.abs(np.diff(q, axis=0)).max(2) > STILL)
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


def _events(take: Take, film_row: np.ndarray) -> Arrays:
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


def _marks(take: Take, report: Report, film_row: np.ndarray) -> Arrays:
    """The worst contact of every step that is not EXACT; overlaps without a contact come from the report."""
    step, a, b = _rows(take)
    tape = take.tape
    tier = tape.contact_column("tier").astype(np.int64)
    order = np.lexsort((tape.contact_column("before"), -tier, step))
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
        if at not in found or found[at][0] <= GHOSTED:
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


def _joined(first: Arrays, second: Arrays, at: float) -> Arrays:
    """Both halves in one time: the second begins at the authored frame, whose sample both have."""
    shift = at - float(second["times"][0])
    whole = dict(first)
    whole["times"] = np.concatenate([first["times"], second["times"][1:] + shift])
    for name in ("positions", "orientations", "energy"):
        whole[name] = np.concatenate([first[name], second[name][1:]])
    steps = len(first["step_tier"])
    whole["step_tier"] = np.concatenate([first["step_tier"], second["step_tier"]])
    for name in ("event_body", "event_speed", "mark_tier", "mark_body", "mark_value"):
        whole[name] = np.concatenate([first[name], second[name]])
    whole["event_time"] = np.concatenate([first["event_time"], second["event_time"] + shift])
    whole["mark_step"] = np.concatenate([first["mark_step"], second["mark_step"] + steps]).astype(np.int32)
    whole["begin"] = np.fmin(first["begin"], second["begin"] + shift)
    whole["rest"] = np.fmax(first["rest"], second["rest"] + shift)
    return whole
