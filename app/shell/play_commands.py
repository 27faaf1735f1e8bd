"""Looking at a take: play, stop, step, loop, rate."""

from __future__ import annotations

from collections.abc import Callable

from app.document.take_edits import ask_for
from app.session.playback import RATES, rate_words
from app.shell.action import Action, Run
from app.shell.studio import Studio

PLAYBACK = "Takes/Playback"  # menu


def to_start(studio: Studio) -> None:
    studio.playback.stop()
    studio.playback.go(studio.playback.range[0])


def step(frames: int) -> Run:
    def run(studio: Studio) -> None:
        studio.playback.stop()
        studio.playback.go_to_frame(studio.playback.frame + frames)

    return run


def loop(studio: Studio) -> None:
    studio.playback.loop = not studio.playback.loop
    studio.playback.changed.emit()


def set_rate(fps: float) -> Run:
    return lambda studio: studio.document.edit(rate_words(fps), ask_for(studio.document.scene, fps=fps))


def rate_is(fps: float) -> Callable[[Studio], bool]:
    return lambda studio: abs(studio.playback.fps - fps) < 1e-9


def _needs_take(studio: Studio) -> str:
    if studio.playback.film is not None:
        return ""
    return studio.playback.trouble or "Generate a take first."


ACTIONS = (
    Action("play.toggle", "Play", "Takes", "Play the take, or stop.", lambda studio: studio.playback.toggle(1),
           ("Space",), icon="play", why_not=_needs_take, checked=lambda studio: studio.playback.direction > 0,
           line=True),
    Action("play.backward", "Play backward", "Takes", "Play the take from its ending to its start, or stop.",
           lambda studio: studio.playback.toggle(-1), ("Shift+Space",), icon="play.reverse", why_not=_needs_take,
           checked=lambda studio: studio.playback.direction < 0),
    Action("play.start", "Go to the start", PLAYBACK, "Show the first frame of the range.", to_start, ("Home",),
           icon="frame.first", why_not=_needs_take),
    Action("play.ending", "Go to the ending", PLAYBACK, "Show the pose you placed.",
           lambda studio: studio.playback.go_to_ending(), ("End",),
           icon="frame.last", why_not=_needs_take),
    Action("play.back", "One frame back", PLAYBACK, "Show the frame before.", step(-1), (",",), icon="frame.previous",
           why_not=_needs_take),
    Action("play.on", "One frame on", PLAYBACK, "Show the next frame.", step(1), (".",), icon="frame.next",
           why_not=_needs_take),
    Action("play.loop", "Loop", PLAYBACK, "Begin again when the end of the range is reached.", loop, icon="loop",
           checked=lambda studio: studio.playback.loop),
    *(
        Action(f"play.fps_{round(1000 * fps)}", rate_words(fps), f"{PLAYBACK}/Frame rate",
               f"Count {rate_words(fps).removesuffix(' fps')} frames per second.", set_rate(fps),
               checked=rate_is(fps))
        for fps in RATES
    ),
)  # fmt: skip
