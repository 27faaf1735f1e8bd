"""View: the window into the scene. Draws what the document shows, moves the camera, and hands the rest of the mouse
and the keys to the tool in use. It is the `Stage` of the tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent, QSurfaceFormat, QWheelEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from app.camera import Camera
from app.document.difference import Difference
from app.document.document import Document
from app.look.look import Look
from app.session.selection import Selection
from app.session.settings import Settings
from app.tools.stage import Surface
from app.tools.tool import Marks, Tool
from app.viewport.area_picking import rows_inside
from app.viewport.camera_flight import CameraFlight
from app.viewport.coloring import MODES, Entry
from app.viewport.gl_program import ShaderError
from app.viewport.grid import grid_spacing
from app.viewport.marks_layer import MarksLayer
from app.viewport.navigation import ORBIT_STEP
from app.viewport.outline import Area
from app.viewport.overlay import Overlay
from app.viewport.picking import cast
from app.viewport.renderer import Picture, Renderer
from app.viewport.scene_cache import Pose, SceneCache
from app.viewport.tones import Tones, tones
from app.viewport.view_input import ViewInput

NEEDED = (3, 3)
NO_GL = "This machine has no OpenGL 3.3, which the picture needs. Update the graphics driver, then start again."
OUTLINE_ROOM = 8  # px round what is outlined
GLYPH_ABOVE = 16  # px between a body and the glyph of its problem
FARTHEST_ZOOM = 4.0  # camera distances: zooming toward something farther would leap


def needed_format() -> QSurfaceFormat:
    wanted = QSurfaceFormat()
    wanted.setVersion(*NEEDED)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(0)  # bodies are drawn in a buffer of our own
    wanted.setStencilBufferSize(0)
    return wanted


class View(QOpenGLWidget):
    """Signals:
    camera_changed()      it is seen from elsewhere
    expects_changed()     what the tool in use expects may differ
    said(str)             a short message for the status bar
    color_by_changed()    bodies are coloured by something else
    menu_requested(QPoint)  right click on the picture, in global px
    """

    camera_changed = Signal()
    expects_changed = Signal()
    said = Signal(str)
    color_by_changed = Signal()
    menu_requested = Signal(QPoint)

    def __init__(
        self, document: Document, selection: Selection, settings: Settings, look: Look, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document, self.selection, self.settings, self.look = document, selection, settings, look
        self.setFormat(needed_format())
        self.setUpdateBehavior(QOpenGLWidget.UpdateBehavior.PartialUpdate)  # keeps the picture while pills repaint
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("View of the scene")
        self.draws = 0  # pictures drawn so far
        self.failure = ""  # why there is no picture
        self._camera = Camera(orthographic=settings.get("view/orthographic"))
        self._cache = SceneCache(look)
        self._cache.set_scene(document.shown)
        mode = settings.get("view/color_by")
        self._color_by = mode if mode in MODES else "material"
        self._cache.set_mode(self._color_by)
        self._problems: dict[str, str] = {}
        self._extra_marks: dict[str, Marks] = {}
        self._selected = self._hovered = np.zeros(0, np.int64)
        self._tones: Tones | None = None
        self._renderer: Renderer | None = None
        self._stale = True
        self._tool = Tool(self)
        self._flight = CameraFlight(self._show_camera, self)
        self._input = ViewInput(self)
        self._marks_layer = MarksLayer(look, self)
        self.overlay = Overlay(look, self)
        self._connect()
        self.overlay.show_camera(self._camera, self.height())
        self._show_colors()
        self.overlay.show_empty(not document.shown.bodies)

    def _connect(self) -> None:
        self.document.changed.connect(self._on_document_changed)
        self.selection.changed.connect(self._on_selection_changed)
        self.selection.hovered.connect(self._on_selection_changed)
        self.look.changed.connect(self._on_look_changed)
        self.overlay.view_chosen.connect(self.look_from)
        self.overlay.orthographic_chosen.connect(self.set_orthographic)
        self.overlay.color_chosen.connect(self.set_color_by)
        self.overlay.orbited.connect(self._on_ball_dragged)

    # -- stage: what tools ask of it ---------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        return self._camera

    @property
    def extent(self) -> tuple[int, int]:
        return self.width(), self.height()

    def pick(self, x: float, y: float) -> str | None:
        hit = cast(self._cache.layout, self._camera.ray(x, y, *self.extent))
        return self._cache.layout.bodies[hit.row].id if hit is not None else None

    def pick_inside(self, area: QRectF) -> list[str]:
        box = area.normalized()
        layout = self._cache.layout
        rows = rows_inside(layout, self._camera, self.extent, (box.left(), box.top(), box.right(), box.bottom()))
        return [layout.bodies[row].id for row in rows]

    def surface_at(self, x: float, y: float, without: frozenset[str] = frozenset()) -> Surface | None:
        layout, ray = self._cache.layout, self._camera.ray(x, y, *self.extent)
        skipped = None
        if without:
            skipped = np.zeros(len(layout.bodies), bool)
            skipped[self._cache.rows(without)] = True
        hit = cast(layout, ray, skipped)
        found = None
        if hit is not None:
            point = ray.origin + hit.distance * ray.direction
            found = Surface(point, hit.normal, layout.bodies[hit.row].id)
        up = np.array([0.0, 0.0, 1.0])
        ground = ray.meet_plane(np.zeros(3), up) if self.document.shown.ground else None
        if ground is not None and (hit is None or float((ground - ray.origin) @ ray.direction) < hit.distance):
            found = Surface(ground, -up if ray.direction[2] > 0.0 else up, None)
        return found

    def refresh(self) -> None:
        self._show_marks()
        self.expects_changed.emit()

    def say(self, message: str) -> None:
        self.said.emit(message)

    # -- tool ----------------------------------------------------------------------------------------------------

    @property
    def tool(self) -> Tool:
        return self._tool

    def set_tool(self, tool: Tool) -> None:
        if tool is self._tool:
            return
        self._tool.deactivate()
        self._tool = tool
        self.setCursor(tool.cursor)
        tool.activate()
        self.refresh()

    # -- camera --------------------------------------------------------------------------------------------------

    def set_camera(self, camera: Camera) -> None:
        """At once; ends a flight."""
        self._flight.stop()
        self._show_camera(camera)

    def fly_to(self, camera: Camera) -> None:
        """Within 220 ms, or at once where motion is to be reduced."""
        still = bool(self.settings.get("look/reduce_motion")) or not self.isVisible()
        self._flight.fly(self._camera, camera, still)

    def frame(self, ids: Iterable[str] | None = None) -> None:
        """See some bodies whole; without ids the selection, or everything when nothing is selected."""
        rows = self._cache.rows(self.selection.ids if ids is None else ids)
        bounds = self._cache.bounds(rows if len(rows) else None)
        if bounds is None:
            self.fly_to(Camera(orthographic=self._camera.orthographic))
        else:
            self.fly_to(self._camera.framing(*bounds, self.width() / max(self.height(), 1)))

    def look_from(self, axis: str) -> None:
        self.fly_to(self._camera.looking(axis))

    def set_orthographic(self, orthographic: bool) -> None:
        self.settings.set("view/orthographic", orthographic)
        self.set_camera(replace(self._camera, orthographic=orthographic))

    def zoom_point(self, x: float, y: float) -> np.ndarray:
        """What zooming at a pixel closes in on: what is seen there, or a point as far as the target."""
        surface, reach = self.surface_at(x, y), FARTHEST_ZOOM * self._camera.distance
        if surface is not None and np.linalg.norm(surface.point - self._camera.eye) < reach:
            return surface.point
        ray = self._camera.ray(x, y, *self.extent)
        level = ray.meet_plane(np.array(self._camera.target), self._camera.axes()[2])
        return level if level is not None else np.array(self._camera.target)

    def _show_camera(self, camera: Camera) -> None:
        if camera == self._camera:
            return
        self._camera = camera
        self.overlay.show_camera(camera, self.height())
        self._show_marks()
        self._redraw()
        self.camera_changed.emit()

    def _on_ball_dragged(self, dx: float, dy: float) -> None:
        self.set_camera(self._camera.orbited(dx * ORBIT_STEP, dy * ORBIT_STEP))

    # -- what is shown -------------------------------------------------------------------------------------------

    @property
    def color_by(self) -> str:
        return self._color_by

    def set_color_by(self, mode: str) -> None:
        if mode not in MODES or mode == self._color_by:
            return
        self._color_by = mode
        self.settings.set("view/color_by", mode)
        self._cache.set_mode(mode)
        self._show_colors()
        self._redraw()
        self.color_by_changed.emit()

    def set_body_values(self, mode: str, values: Mapping[str, Any]) -> None:
        """What colours show: joules for "energy", tiers (name or number) for "certificate", whether a body is free for
        "free". Bodies without a value are grey."""
        self._cache.set_values(mode, values)
        if mode == self._color_by:
            self._show_colors()
            self._redraw()

    def legend(self, mode: str) -> list[Entry]:
        """(colour, words) of what a mode shows now."""
        return self._cache.legend(mode)

    def set_problem_bodies(self, problems: Mapping[str, str]) -> None:
        """Mark bodies with a glyph: id -> "overlap", "floating", ..."""
        self._problems = dict(problems)
        self._show_marks()

    def set_extra_marks(self, owner: str, marks: Marks | None) -> None:
        """Lines and labels that stay whatever the tool (a panel's forces, a take's trail); None takes them away."""
        if marks is None:
            self._extra_marks.pop(owner, None)
        else:
            self._extra_marks[owner] = marks
        self._show_marks()

    def set_poses(self, poses: Mapping[str, Pose] | None) -> None:
        """Show bodies at other poses than their ending, as playback does: id -> position, orientation."""
        self._cache.set_poses(poses or {})
        self._follow_rows()
        self._redraw()

    def apply_settings(self) -> None:
        """Shadows or smooth edges were switched."""
        self._redraw()

    def _on_document_changed(self, change: Difference) -> None:
        self.overlay.show_empty(not self.document.shown.bodies)
        if change.bodies or change.settings:
            self._cache.set_scene(self.document.shown)
            self._show_colors()
            self._follow_rows()
            self._redraw()
        else:
            self._show_marks()

    def _on_selection_changed(self) -> None:
        self._follow_rows()
        self._redraw()

    def _follow_rows(self) -> None:
        self._selected = self._cache.rows(self.selection.ids)
        self._hovered = self._cache.rows([self.selection.hover] if self.selection.hover is not None else [])
        self._show_marks()

    def _on_look_changed(self) -> None:
        self._tones = None
        self._cache.recolor()
        self._show_colors()
        self._show_marks()
        self._redraw()

    def _show_colors(self) -> None:
        self.overlay.show_colors(self._color_by, self.legend(self._color_by) if not self.failure else [])

    def _show_marks(self) -> None:
        marks = [*self._extra_marks.values(), self._tool.marks()]
        self._marks_layer.show_marks(marks, self._glyphs(), self._camera)

    def _glyphs(self) -> list[tuple[float, float, str]]:
        """One above the picture of each body with a problem."""
        found = []
        for key, problem in self._problems.items():
            rows = self._cache.rows([key])
            if len(rows):
                pixels, ahead = self._camera.project(self._cache.corners(rows), *self.extent)
                if ahead.all():
                    top = float(pixels[:, 1].min()) - GLYPH_ABOVE
                    found.append((float(pixels[:, 0].mean()), max(top, GLYPH_ABOVE), problem))
        return found

    # -- drawing -------------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        self._stale = True
        self.update()

    def initializeGL(self) -> None:
        context = self.context()
        version = context.format().version()
        if version < NEEDED:
            self._fail(NO_GL)
            return
        context.aboutToBeDestroyed.connect(self._release)
        try:
            self._renderer = Renderer()
        except ShaderError as error:
            self._fail(f"{NO_GL} The driver says: {str(error).strip()[:200]}")
        self._stale = True

    def resizeGL(self, width: int, height: int) -> None:
        self._stale = True

    def paintGL(self) -> None:
        if self._renderer is None or not self._stale:
            return  # what is in the buffer is still right: only a pill over it repaints
        self._stale = False
        self.draws += 1
        self._renderer.draw(self._picture(), self.defaultFramebufferObject())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.failure and not self.isValid():
            self._fail(NO_GL)

    def _picture(self) -> Picture:
        ratio = self.devicePixelRatioF()
        if self._tones is None or self._tones.pixel_ratio != ratio:
            self._tones = tones(self.look, ratio)
        return Picture(
            batches=self._cache.batches,
            bounds=self._cache.bounds(),
            selected=self._selected,
            hovered=self._hovered,
            outline_area=self._outline_area(ratio),
            camera=self._camera,
            width=max(1, round(self.width() * ratio)),
            height=max(1, round(self.height() * ratio)),
            spacing=grid_spacing(self._camera.span() / max(self.height(), 1)),
            ground=self.document.shown.ground,
            tones=self._tones,
            shadows=bool(self.settings.get("view/shadows")),
            smooth=bool(self.settings.get("view/smooth_edges")),
        )

    def _outline_area(self, ratio: float) -> Area | None:
        """Where the outlined bodies are in the picture, in device px from the lower left."""
        rows = np.concatenate([self._selected, self._hovered])
        if not len(rows):
            return None
        width, height = self.extent
        pixels, ahead = self._camera.project(self._cache.corners(rows), width, height)
        low, high = np.zeros(2), np.array([width, height], float)
        if ahead.all():
            low = np.clip(pixels.min(axis=0) - OUTLINE_ROOM, 0.0, high)
            high = np.clip(pixels.max(axis=0) + OUTLINE_ROOM, 0.0, high)
        if (high <= low).any():
            return None
        x, y = int(low[0] * ratio), int((height - high[1]) * ratio)
        return x, y, int(np.ceil((high[0] - low[0]) * ratio)), int(np.ceil((high[1] - low[1]) * ratio))

    def _fail(self, why: str) -> None:
        self.failure = why
        self._renderer = None
        self.overlay.show_failure(why)
        self.said.emit(why)

    def _release(self) -> None:
        """The context goes (the view closes, or moves to another window): give back what lives in it."""
        if self._renderer is not None:
            self.makeCurrent()
            self._renderer.release()
            self._renderer = None
            self.doneCurrent()

    # -- events --------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._marks_layer.resize(self.size())
        self.overlay.show_camera(self._camera, self.height())
        self.overlay.place()
        self._show_marks()
        self._redraw()

    def event(self, event: QEvent) -> bool:
        # While a gesture is under way letters and digits are typed into it, not shortcuts of the window.
        if event.type() == QEvent.Type.ShortcutOverride and self._tool.busy():
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._input.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._input.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._input.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._input.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._input.wheel(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._input.key(event):
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.selection.set_hover(None)
        super().leaveEvent(event)
