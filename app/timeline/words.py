"""What the timeline says about a film, in plain words."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.scene.film import Film
from engine.scene.spec import Body, Material, Scene

TUNED, PLASTIC, GHOSTED, ASSISTED, HELD = 1, 2, 3, 4, 5
BARE = {
    TUNED: "Tuned",
    PLASTIC: "Plastic: a dead landing",
    GHOSTED: "Ghosted: an ignored contact",
    HELD: "Held: by a hand",
}
"""What is said when it is not known of which bodies."""

SLOW = 0.05  # m/s: slower than this a body touches, it does not hit
SAME = 0.005  # of a coefficient: what two decimals show as equal

Name = Callable[[int], str]


def before_ending(seconds: float) -> str:
    """Where a moment lies: `seconds` before the ending (negative: after it)."""
    if abs(seconds) < 5e-4:
        return "at the ending"
    return f"{abs(seconds):.2f} s {'before' if seconds > 0 else 'after'} the ending"


def depth_words(metres: float) -> str:
    return f"{1000.0 * metres:.2g} mm" if metres < 0.01 else f"{100.0 * metres:.2g} cm"


class FilmWords:
    """Names are those of the scene as it is now; what is not in the film never moves."""

    def __init__(self, film: Film, scene: Scene) -> None:
        self._film, self._scene = film, scene
        self._ids = (*film.bodies, *(film.statics or ()))
        self._bodies: dict[str, Body] = {body.id: body for body in scene.bodies}
        only_ground = scene.ground and not any(body.static for body in scene.bodies)
        self._is_ground = film.statics is not None or only_ground  # what row -1 stands for

    def name(self, row: int) -> str:
        if row < 0:
            return "the ground" if self._is_ground else "what stands still"
        body = self._bodies.get(self._ids[row])
        return body.name if body is not None else "a deleted body"

    def _moves(self, row: int) -> bool:
        return 0 <= row < len(self._film.bodies)

    def event(self, event: int, row: int) -> str:
        """What happens to the body of a row: "hits Crate at 2.1 m/s"."""
        a, b = (int(each) for each in self._film.event_body[event])
        other, speed = self.name(b if a == row else a), float(self._film.event_speed[event])
        return f"hits {other} at {speed:.1f} m/s" if speed >= SLOW else f"touches {other}"

    def mark(self, mark: int) -> str:
        """Why a step is not exact."""
        film = self._film
        a, b = (int(each) for each in film.mark_body[mark])
        if not self._moves(a):
            a, b = b, a  # "Brick on the ground", not the other way
        bounce, friction, approach, extra = (float(each) for each in film.mark_value[mark])
        tier, known = int(film.mark_tier[mark]), self._moves(a)
        if tier == TUNED and known:
            return f"Tuned: {self._tuned(a, b, bounce, friction)}"
        if tier == PLASTIC and known:
            speed = f" at {approach:.1f} m/s" if approach >= SLOW else ""
            return f"Plastic: a dead landing. {self.name(a)} met {self.name(b)}{speed} and did not bounce"
        if tier == GHOSTED and known:
            if extra > 0.0:
                return f"Ghosted: an ignored contact. {self.name(a)} was {depth_words(extra)} inside {self.name(b)}"
            return f"Ghosted: an ignored contact of {self.name(a)} and {self.name(b)}"
        if tier == ASSISTED:
            push = f"an outside push of {extra:.2g} m/s" if extra > 0.0 else "an outside push"
            return f"Assisted: {push}" + (f" where {self.name(a)} met {self.name(b)}" if known else "")
        if tier == HELD and known:
            return f"Held: {self._in_a_hand(a, b, int(film.mark_step[mark]))}"
        return BARE.get(tier, "Not exact")

    def _in_a_hand(self, a: int, b: int, step: int) -> str:
        """ "a hand holds Card 1 where Card 2 touches it"; both when neither is let go yet."""
        film = self._film
        moment = film.step_first + step * film.step_dt
        waits = [film.release is not None and self._moves(row) and moment < film.release[row] for row in (a, b)]
        if waits[1] and not waits[0]:
            a, b = b, a
        if all(waits):
            return f"a hand holds {self.name(a)} and {self.name(b)} where they touch"
        return f"a hand holds {self.name(a)} where {self.name(b)} touches it"

    def _tuned(self, a: int, b: int, bounce: float, friction: float) -> str:
        pair = f"{self.name(a)} on {self.name(b)}"
        authored = self._authored(a, b)
        if authored is None:
            return f"{pair} used a bounce of {bounce:.2f} and a friction of {friction:.2f}"
        if abs(bounce - authored[0]) > SAME or abs(friction - authored[1]) <= SAME:
            return f"{pair} bounced with {bounce:.2f} instead of {authored[0]:.2f}"
        return f"{pair} slid with a friction of {friction:.2f} instead of {authored[1]:.2f}"

    def _authored(self, a: int, b: int) -> tuple[float, float] | None:
        """Bounce and friction of the pair's materials: the larger, and the geometric mean. None when it is not known
        which static body it was, or a body is gone."""
        one = self._material(a)
        other = self._material(b) if b >= 0 else (self._scene.ground_material or one) if self._is_ground else None
        if one is None or other is None:
            return None
        return max(one.restitution, other.restitution), math.sqrt(one.friction * other.friction)

    def _material(self, row: int) -> Material | None:
        body = self._bodies.get(self._ids[row])
        return body.material if body is not None else None
