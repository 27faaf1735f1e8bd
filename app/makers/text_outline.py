"""Letters of a text as plane regions in metres, as the font shapes them (kerning, ligatures, right-to-left)."""

from __future__ import annotations

import math
import unicodedata
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, Qt, QTextBoundaryFinder
from PySide6.QtGui import QFont, QFontMetricsF, QGlyphRun, QPainterPath, QPolygonF, QTextLayout

from app.makers.regions import Region, alternating, crossing, regions_of

PIXELS = 1000  # px of the em square while asking the font; only ratios matter
TOLERANCE = 0.006  # largest distance of a chord from its curve, as a fraction of the height of capitals


class Typeface(NamedTuple):
    family: str = "Inter"
    weight: int = 700  # 100 thin to 900 black


class Letter(NamedTuple):
    """One character as a reader sees it: base and accents, dot and stem are one."""

    text: str
    word: int  # number of the word it is in
    regions: tuple[Region, ...]  # m, x along the line, baseline at y = 0


class Line(NamedTuple):
    letters: tuple[Letter, ...]  # in the order of the text, without spaces
    words: tuple[str, ...]
    missing: tuple[str, ...]  # characters that no font here can draw


def outline(text: str, face: Typeface, height: float, spacing: float = 0.0) -> Line:
    """The letters of one line of text; capitals are `height` m tall, letters stand `spacing` m further apart."""
    text = " ".join(text.split())
    if not text or height <= 0.0:
        return Line((), (), ())
    font = _font(face)
    capital = QFontMetricsF(font).capHeight() or 0.7 * PIXELS
    starts = _clusters(text)
    loops, missing = _loops(text, font, starts, capital)
    letters: list[Letter] = []
    scale, word = height / capital, 0
    seen = sorted(loops, key=lambda start: min(float(loop[:, 0].min()) for loop in loops[start]))
    for start, stop in zip(starts, [*starts[1:], len(text)], strict=True):
        character = text[start:stop]
        if character.isspace():
            word += 1
        elif start in loops:
            shift = np.array([seen.index(start) * spacing, 0.0])
            found = tuple(
                Region(region.outer * scale + shift, tuple(hole * scale + shift for hole in region.holes))
                for region in regions_of(loops[start])
            )
            if found:
                letters.append(Letter(unicodedata.normalize("NFC", character), word, found))
    drawn = {letter.text for letter in letters}
    lost = [c for c in missing if unicodedata.normalize("NFC", c) not in drawn]
    return Line(tuple(letters), tuple(text.split(" ")), tuple(dict.fromkeys(lost)))


def _font(face: Typeface) -> QFont:
    font = QFont(face.family)
    font.setPixelSize(PIXELS)
    font.setWeight(QFont.Weight(face.weight))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _clusters(text: str) -> list[int]:
    """Where each character as seen by a reader begins."""
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
    units = [0]
    while (at := finder.toNextBoundary()) >= 0:
        units.append(at)
    index, unit = {0: 0}, 0  # Qt counts UTF-16 units, Python characters
    for number, character in enumerate(text, start=1):
        unit += 2 if ord(character) > 0xFFFF else 1
        index[unit] = number
    return [index[at] for at in units if at in index and index[at] < len(text)]


def _loops(text: str, font: QFont, starts: list[int], capital: float) -> tuple[dict[int, list[np.ndarray]], list[str]]:
    """Closed outlines (px, y up) by the start of the character they belong to, and characters without any."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setNumColumns(2 * len(text))
    layout.endLayout()
    flags = QTextLayout.GlyphRunRetrievalFlag
    wanted = flags.RetrieveGlyphIndexes | flags.RetrieveGlyphPositions | flags.RetrieveStringIndexes
    owner = _owners(text, starts)
    found: dict[int, list[np.ndarray]] = {}
    missing: list[str] = []
    for run in layout.glyphRuns(-1, -1, wanted):
        baseline = line.y() + line.ascent()
        for glyph, place, unit in _glyphs(run):
            start = owner[unit]
            path = run.rawFont().pathForGlyph(glyph) if glyph else QPainterPath()
            if path.isEmpty():
                if not text[start].isspace():
                    missing.append(text[start : _next(starts, start, len(text))])
                continue
            loops = _flattened(path, TOLERANCE * capital)
            offset = np.array([place.x(), baseline - place.y()])
            found.setdefault(start, []).extend(loop * (1.0, -1.0) + offset for loop in loops)
    return {start: uncrossed(loops) for start, loops in found.items()}, missing


def _glyphs(run: QGlyphRun) -> list[tuple[int, QPointF, int]]:
    return list(zip(run.glyphIndexes(), run.positions(), run.stringIndexes(), strict=True))


def _owners(text: str, starts: list[int]) -> dict[int, int]:
    """UTF-16 unit -> start of the character (as seen by a reader) that it belongs to."""
    owner, unit, begun = {}, 0, set(starts)
    current = 0
    for number, character in enumerate(text):
        current = number if number in begun else current
        for _ in range(2 if ord(character) > 0xFFFF else 1):
            owner[unit] = current
            unit += 1
    return owner


def _next(starts: list[int], start: int, end: int) -> int:
    return next((other for other in starts if other > start), end)


def _flattened(path: QPainterPath, tolerance: float) -> list[np.ndarray]:
    """The closed outlines of a path as polygons whose chords stay within `tolerance` px of the curves."""
    loops: list[list[np.ndarray]] = []
    index = 0
    while index < path.elementCount():
        element = path.elementAt(index)
        point = np.array([element.x, element.y])
        if element.isMoveTo():
            loops.append([point])
        elif element.isLineTo():
            loops[-1].append(point)
        else:  # a cubic: this control point, and the two elements after it
            second, end = (np.array([e.x, e.y]) for e in (path.elementAt(index + 1), path.elementAt(index + 2)))
            loops[-1] += _chords(loops[-1][-1], point, second, end, tolerance)
            index += 2
        index += 1
    return [np.array(loop) for loop in loops if len(loop) >= 3]


def _chords(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, tolerance: float) -> list[np.ndarray]:
    """Points along a cubic after its start. A chord over 1/n of it strays by at most max|B''| / (8 n^2)."""
    bend = 6.0 * max(np.hypot(*(a - 2 * b + c)), np.hypot(*(b - 2 * c + d)))
    count = max(1, math.ceil(math.sqrt(bend / (8.0 * tolerance))))
    t = (np.arange(1, count + 1) / count)[:, None]
    s = 1.0 - t
    points = s**3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t**3 * d
    points[-1] = d
    return list(points)


def uncrossed(loops: list[np.ndarray]) -> list[np.ndarray]:
    """Loops that cross (strokes laid over each other, as variable fonts have them) replaced by their common outline."""
    if not crossing(loops):
        return loops
    path = QPainterPath()
    for loop in loops:
        path.addPolygon(QPolygonF([QPointF(float(x), float(y)) for x, y in loop]))
        path.closeSubpath()
    path.setFillRule(Qt.FillRule.WindingFill)
    polygons = path.simplified().toSubpathPolygons()
    outlines = [np.array([[point.x(), point.y()] for point in polygon.toList()]) for polygon in polygons]
    return alternating([loop for loop in outlines if len(loop) >= 3])
