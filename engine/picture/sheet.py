"""The contact sheet: eight moments of a take, drawn without a display."""

from __future__ import annotations

import io
from os import PathLike

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.certificate.audit import Report, certify
from engine.contact.tiers import RANK, TIER_NAMES
from engine.picture import palette
from engine.picture.camera import Viewpoint, camera_for
from engine.picture.marks import draw_mark
from engine.picture.render import Backdrop, Prop, on_view, only, props_of
from engine.release_energy import release_energy
from engine.rest import REST_OF_TRAIL
from engine.tape.path import Path
from engine.tape.store import replace_file
from engine.tape.take import Take

COLUMNS, ROWS = 4, 2
TILE = (440, 330)  # px
MARGIN, GAP, HEAD = 28, 12, 84  # px
CORNER = 8
ROOM = 1.8  # the ending is shown with this much room about it
MOST_TRAILS = 12  # moving bodies; more trails than that hide the bodies
BEST_FIRST = sorted(range(len(TIER_NAMES)), key=RANK.__getitem__)
GRID_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)


def write_sheet(
    path: str | PathLike[str],
    take: Take,
    report: Report | None = None,
    tile: tuple[int, int] = TILE,
    moments: np.ndarray | None = None,
) -> None:
    """Write the contact sheet of a take as PNG; raises ProjectError."""
    stream = io.BytesIO()
    contact_sheet(take, report, tile, moments).save(stream, "PNG", optimize=True)
    replace_file(path, stream.getvalue())


def contact_sheet(
    take: Take, report: Report | None = None, tile: tuple[int, int] = TILE, moments: np.ndarray | None = None
) -> Image.Image:
    """`moments`: eight times (s on take.times) to show, the last one the ending; None: spread over the take."""
    report = report or certify(take)
    width, height = tile
    sheet = Image.new(
        "RGB",
        (2 * MARGIN + COLUMNS * width + (COLUMNS - 1) * GAP, HEAD + MARGIN + ROWS * height + (ROWS - 1) * GAP),
        palette.APP,
    )
    _head(sheet, take, report)
    times = np.linspace(take.times[0], take.times[-1], COLUMNS * ROWS) if moments is None else moments
    path, props = Path(take), props_of(take.scene)
    for number, t in enumerate(times):
        previous = times[number - 1] if number else t
        camera = _camera(path, props, float(previous), width, height)
        picture = _frame(path, props, camera, float(previous), float(t))
        _label(picture, take, report, float(previous), float(t), number == len(times) - 1)
        mask = Image.new("L", (4 * width, 4 * height), 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * width - 1, 4 * height - 1), 4 * CORNER, fill=255)
        at = (MARGIN + (number % COLUMNS) * (width + GAP), HEAD + (number // COLUMNS) * (height + GAP))
        sheet.paste(picture, at, mask.resize((width, height), Image.Resampling.LANCZOS))
    return sheet


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def reach_of(prop: Prop) -> float:
    """Radius (m) of a ball about the body's origin that holds it; 0 when it has no end."""
    reach = [float(np.linalg.norm(solid.center)) + solid.bound for solid in prop.solids]
    return max(reach) if reach and np.isfinite(reach).all() else 0.0


def _camera(path: Path, props: list[Prop], since: float, width: int, height: int) -> Viewpoint:
    """Holds every moving body from `since` to the end, as far as it is to be seen, so that pictures close in on the
    ending as it comes near."""
    fine = np.linspace(since, float(path.take.times[-1]), 61)
    positions, _ = path.at(fine)
    radii = np.array([reach_of(prop) for prop in props])
    moving = [i for i, prop in enumerate(props) if not prop.body.static and radii[i] > 0.0] or list(range(len(props)))
    if not moving:
        return camera_for(np.zeros((1, 3)), np.ones(1), width, height)
    ending = positions[-1, moving]
    middle = 0.5 * (ending.min(axis=0) + ending.max(axis=0))
    room = ROOM * float((np.linalg.norm(ending - middle, axis=1) + radii[moving]).max())
    seen = path.take.shown_at(fine)[:, moving]
    centers, around = positions[:, moving][seen], np.broadcast_to(radii[moving], seen.shape)[seen]
    return camera_for(np.vstack([centers, middle]), np.append(around, room), width, height)


def grid_for(camera: Viewpoint) -> float:
    """Spacing of the ground's lines: about nine of them across the picture."""
    away = camera.eye[2] / max(-camera.axes[2, 2], 0.1)
    wanted = away * camera.width / camera.scale / 9.0
    return min(GRID_STEPS, key=lambda step: abs(np.log(step / wanted)))


def _frame(path: Path, props: list[Prop], camera: Viewpoint, previous: float, t: float) -> Image.Image:
    positions, orientations = path.at(t)
    stage = Backdrop(camera, path.take.scene.ground, grid_for(camera))
    shown = path.take.shown_at(t) & on_view(props)
    pixels, depth = stage.draw(only(props, shown), positions[shown], orientations[shown])
    picture = Image.fromarray((255.0 * pixels + 0.5).astype(np.uint8))
    moving = [i for i, prop in enumerate(props) if not prop.body.static and not prop.body.hidden]
    if previous < t and len(moving) <= MOST_TRAILS:
        times = np.linspace(previous, t, 49)
        track, seen = path.at(times)[0], path.take.shown_at(times)
        picture = _with_trails(picture, camera, depth, [track[seen[:, i], i] for i in moving if seen[:, i].any()])
    return picture


def _with_trails(picture: Image.Image, camera: Viewpoint, depth: np.ndarray, tracks: list[np.ndarray]) -> Image.Image:
    """Draw where bodies came from since the frame before, hidden where a body is in front."""
    fine = 3  # drawn larger, for smooth lines
    layer = Image.new("RGBA", (fine * picture.width, fine * picture.height), (*palette.rgb(palette.TRAIL), 0))
    draw = ImageDraw.Draw(layer)
    for track in tracks:
        if np.ptp(track, axis=0).max() < REST_OF_TRAIL:
            continue
        seen = camera.project(track)
        for k in range(len(seen) - 1):
            right, down, away = 0.5 * (seen[k] + seen[k + 1])
            inside = 0 <= right < picture.width and 0 <= down < picture.height
            if inside and depth[int(down), int(right)] < away:
                continue
            opacity = int(255 * (0.15 + 0.8 * (k + 1) / len(seen)))
            ends = [tuple(fine * seen[k, :2]), tuple(fine * seen[k + 1, :2])]
            draw.line(ends, fill=(*palette.rgb(palette.TRAIL), opacity), width=6)
    small = layer.resize(picture.size, Image.Resampling.BOX)
    return Image.alpha_composite(picture.convert("RGBA"), small).convert("RGB")


def _label(picture: Image.Image, take: Take, report: Report, previous: float, t: float, ending: bool) -> None:
    draw = ImageDraw.Draw(picture)
    left = float(take.times[-1]) - t
    if ending:
        word = "Ending" if take.backward else "End"
        wide = draw.textlength(word, font=_font(14))
        _pill(picture, (12, 11, 28 + int(wide), 34))
        draw.text((20, 22), word, fill=palette.APP, font=_font(14), anchor="lm")
    else:
        draw.text((14, 22), f"{left:.2f} s before", fill=palette.TEXT, font=_font(14), anchor="lm")
    steps = (take.times > previous - 1e-9) & (take.times <= t + 1e-9) & report.touching
    present = [tier for tier in BEST_FIRST if (report.tiers[steps] == tier).any()]
    for place, tier in enumerate(reversed(present)):
        draw_mark(picture, tier, (picture.width - 20 - 18 * place, 22), 11)


def _pill(picture: Image.Image, box: tuple[int, int, int, int]) -> None:
    """A light rounded field with smooth corners."""
    size = (box[2] - box[0], box[3] - box[1])
    mask = Image.new("L", (4 * size[0], 4 * size[1]), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * size[0] - 1, 4 * size[1] - 1), 24, fill=255)
    picture.paste(Image.new("RGB", size, palette.TEXT), box[:2], mask.resize(size, Image.Resampling.BOX))


def _head(sheet: Image.Image, take: Take, report: Report) -> None:
    draw, width = ImageDraw.Draw(sheet), sheet.width
    title = take.scene.name or "Take"
    draw.text((MARGIN, 30), title, fill=palette.TEXT, font=_font(22), anchor="lm")
    facts = f"seed {take.seed}   {len(take.scene.bodies)} bodies   {take.times[-1] - take.times[0]:.2f} s"
    if len(take.scene.bodies) == 1:
        facts = facts.replace("1 bodies", "1 body")
    (released, ending), when = release_energy(take), "at the start" if take.tape.released is None else "let go"
    facts += f"   {released:.3g} J {when}, {ending:.3g} J at the end"
    draw.text((MARGIN, 58), facts, fill=palette.TEXT_3, font=_font(14), anchor="lm")
    right = float(width - MARGIN)
    for tier in reversed(BEST_FIRST):
        share = report.fraction(tier)
        text = f"{TIER_NAMES[tier].capitalize()} {100.0 * share:.1f} %"
        colour = palette.TEXT_2 if share > 0.0 else "#63666e"
        draw.text((right, 58), text, fill=colour, font=_font(14), anchor="rm")
        right -= draw.textlength(text, font=_font(14)) + 13
        draw_mark(sheet, tier, (right, 58), 10, faint=share == 0.0)
        right -= 22
    moving = f"{100.0 * report.exact_in_motion:.1f} % exact in motion"
    caption = f"{moving}; {report.contact_steps} steps with contact, of which"
    draw.text((width - MARGIN, 32), caption, fill=palette.TEXT_3, font=_font(13), anchor="rm")
