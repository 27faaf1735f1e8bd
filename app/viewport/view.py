"""View: the window into the scene. Draws what the document shows, moves the camera, and hands the rest of the mouse
and the keys to the tool in use. It is the `Stage` of the tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent

from app.camera import Camera
from app.document.difference import Difference
from app.document.document import Document
from app.look.look import Look
from app.session.selection import Selection
from app.session.settings import Settings
from app.tools.stage import Surface
from app.tools.tool import Tool
from app.viewport.area_picking import rows_inside
from app.viewport.camera_flight import CameraFlight
from app.viewport.canvas import Canvas
from app.viewport.coloring import MODES
from app.viewport.ghosts import Ghost
from app.viewport.grid import grid_spacing
from app.viewport.navigation import ORBIT_STEP
from app.viewport.overlay import Overlay
from app.viewport.pointer_events import PointerEvents
from app.viewport.renderer import Picture
from app.viewport.scene_cache import SceneCache
from app.viewport.screen_places import outline_area
from app.viewport.sight import body_along, surface_along, zoom_point
from app.viewport.tones import Tones
from app.viewport.view_input import ViewInput
from app.viewport.view_marks import ViewMarks


class View(PointerEvents, Canvas):
    """Signals:
    camera_changed()      it is seen from elsewhere
    expects_changed()     what the tool in use expects may differ
    said(str)             a short message for the status bar
    color_by_changed()    bodies are coloured by something else
    menu_requested(QPoint)  right click on the picture, in global px
    settings_changed()    what the view shows of a take, or how it is drawn, was switched
    ending_needed()       something is about to be edited: show where it is
    again_requested()     generate the shown take for the scene as it is
    """

    camera_changed = Signal()
    expects_changed = Signal()
    said = Signal(str)
    color_by_changed = Signal()
    menu_requested = Signal(QPoint)
    settings_changed = Signal()
    ending_needed = Signal()
    again_requested = Signal()

    def __init__(self, document: Document, selection: Selection, settings: Settings, look: Look) -> None:
        super().__init__(settings)
        self.document, self.selection, self.look = document, selection, look
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("View of the scene")
        self.camera = Camera(orthographic=settings.get("view/orthographic"))
        self._cache = SceneCache(look)
        self._cache.set_scene(document.shown)
        mode = settings.get("view/color_by")
        self.color_by = mode if mode in MODES else "material"
        self._cache.set_mode(self.color_by)
        self._selected = self._hovered = np.zeros(0, np.int64)
        self._tones: Tones | None = None
        self.tool = Tool(self)
        self._flight = CameraFlight(self._show_camera, self)
        self._input: ViewInput = ViewInput(self)
        self.marks = ViewMarks(self, self._cache)
        self.overlay = Overlay(look, self)
        self._connect()
        self.overlay.show_camera(self.camera, self.height())
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
        self.overlay.setting_chosen.connect(self._on_setting_chosen)
        self.overlay.motion.again_requested.connect(self.again_requested)
        self.failed.connect(self.overlay.show_failure)
        self.failed.connect(self.said)

    # -- stage: what tools ask of it ---------------------------------------------------------------------------

    @property
    def extent(self) -> tuple[int, int]:
        return self.width(), self.height()

    def pick(self, x: float, y: float) -> str | None:
        return body_along(self._cache, self.camera.ray(x, y, *self.extent))

    def pick_inside(self, area: QRectF) -> list[str]:
        box, layout = area.normalized(), self._cache.layout
        rows = rows_inside(layout, self.camera, self.extent, (box.left(), box.top(), box.right(), box.bottom()))
        return [layout.bodies[row].id for row in rows]

    def surface_at(self, x: float, y: float, without: frozenset[str] = frozenset()) -> Surface | None:
        return surface_along(self._cache, self.camera.ray(x, y, *self.extent), self.document.shown.ground, without)

    def refresh(self) -> None:
        self.marks.show()
        self.expects_changed.emit()

    def say(self, message: str) -> None:
        self.said.emit(message)

    def show_ending(self) -> None:
        self.ending_needed.emit()

    # -- tool ----------------------------------------------------------------------------------------------------

    def set_tool(self, tool: Tool) -> None:
        if tool is self.tool:
            return
        self.tool.deactivate()
        self.tool = tool
        self.setCursor(tool.cursor)
        self.refresh()

    # -- camera --------------------------------------------------------------------------------------------------

    def set_camera(self, camera: Camera) -> None:
        """At once; ends a flight."""
        self._flight.stop()
        self._show_camera(camera)

    def fly_to(self, camera: Camera) -> None:
        """Within 220 ms, or at once where motion is to be reduced."""
        still = bool(self.settings.get("look/reduce_motion")) or not self.isVisible()
        self._flight.fly(self.camera, camera, still)

    def frame(self, ids: Iterable[str] | None = None) -> None:
        """See some bodies whole; without ids the selection, or everything when nothing is selected."""
        rows = self._cache.rows(self.selection.ids if ids is None else ids)
        bounds = self._cache.bounds(rows if len(rows) else None)
        if bounds is None:
            self.fly_to(Camera(orthographic=self.camera.orthographic))
        else:
            self.fly_to(self.camera.framing(*bounds, self.width() / max(self.height(), 1)))

    def look_from(self, axis: str) -> None:
        self.fly_to(self.camera.looking(axis))

    def set_orthographic(self, orthographic: bool) -> None:
        self.settings.set("view/orthographic", orthographic)
        self.set_camera(replace(self.camera, orthographic=orthographic))

    def zoom_point(self, x: float, y: float) -> np.ndarray:
        """What zooming at a pixel closes in on."""
        return zoom_point(self.surface_at(x, y), self.camera, self.camera.ray(x, y, *self.extent))

    def _show_camera(self, camera: Camera) -> None:
        if camera == self.camera:
            return
        self.camera = camera
        self.overlay.show_camera(camera, self.height())
        self.marks.show()
        self._redraw()
        self.camera_changed.emit()

    def _on_ball_dragged(self, dx: float, dy: float) -> None:
        self.set_camera(self.camera.orbited(dx * ORBIT_STEP, dy * ORBIT_STEP))

    # -- what is shown -------------------------------------------------------------------------------------------

    def set_color_by(self, mode: str) -> None:
        if mode not in MODES or mode == self.color_by:
            return
        self.color_by = mode
        self.settings.set("view/color_by", mode)
        self._cache.set_mode(mode)
        self._show_colors()
        self._redraw()
        self.color_by_changed.emit()

    def set_body_values(self, mode: str, values: Mapping[str, Any]) -> None:
        """What colours show: joules for "energy", tiers (name or number) for "certificate", whether a body is free for
        "free", seconds before the ending for "arrival" (without any: as asked for). Bodies without a value are grey."""
        self._cache.set_values(mode, values)
        if mode == self.color_by:
            self._show_colors()
            self._redraw()

    def set_poses(self, poses: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None) -> None:
        """Show bodies at other poses than their ending: id -> position (m), orientation (w, x, y, z)."""
        at = np.array([pose[0] for pose in (poses or {}).values()], float).reshape(-1, 3)
        turns = np.array([pose[1] for pose in (poses or {}).values()], float).reshape(-1, 4)
        self.set_pose_arrays(tuple(poses or ()), at, turns)

    def set_pose_arrays(
        self, ids: Sequence[str], positions: np.ndarray, orientations: np.ndarray, shown: np.ndarray | None = None
    ) -> None:
        """The same in arrays, (k, 3) m and (k, 4), as playback has them; with the same `ids` object every time it takes
        little time. Ids that are not in the scene do not count; bodies not marked in `shown` (k,) are not seen."""
        self._cache.set_poses(ids, positions, orientations, shown)
        self._follow_rows()
        self._redraw()

    def set_ghosts(self, ghosts: list[Ghost]) -> None:
        """Bodies to see through, over the others and without shadows."""
        if ghosts or self._cache.ghosts:
            self._cache.set_ghosts(ghosts)
            self._redraw()

    def apply_settings(self) -> None:
        """Shadows, smooth edges, ghosts or trails were switched."""
        self._redraw()
        self.settings_changed.emit()

    def _on_setting_chosen(self, name: str, value: object) -> None:
        self.settings.set(name, value)
        self.apply_settings()

    def _on_document_changed(self, change: Difference) -> None:
        self.overlay.show_empty(not self.document.shown.bodies)
        if change.bodies or change.settings:
            self._cache.set_scene(self.document.shown, change)
            self.marks.follow_scene()
            self._show_colors()
            self._follow_rows()
            self._redraw()
        else:
            self.marks.show()

    def _on_selection_changed(self) -> None:
        self._follow_rows()
        self._redraw(moving=False)

    def _follow_rows(self) -> None:
        self._selected = self._cache.rows(self.selection.ids)
        self._hovered = self._cache.rows([self.selection.hover] if self.selection.hover is not None else [])
        self.marks.show()

    def _on_look_changed(self) -> None:
        self._tones = None
        self._cache.recolor()
        self._show_colors()
        self.marks.show()
        self._redraw()

    def _show_colors(self) -> None:
        self.overlay.show_colors(self.color_by, self._cache.legend(self.color_by) if not self.failure else [])

    # -- drawing -------------------------------------------------------------------------------------------------

    def _picture(self) -> Picture:
        ratio = self.devicePixelRatioF()
        if self._tones is None or self._tones.pixel_ratio != ratio:
            self._tones = Tones(self.look, ratio)
        return Picture(
            batches=self._cache.batches,
            ghosts=self._cache.ghosts,
            bounds=self._cache.bounds(),
            selected=self._selected,
            hovered=self._hovered,
            outline_area=outline_area(self._cache, (self._selected, self._hovered), self.camera, self.extent, ratio),
            camera=self.camera,
            width=max(1, round(self.width() * ratio)),
            height=max(1, round(self.height() * ratio)),
            spacing=grid_spacing(self.camera.span() / max(self.height(), 1)),
            ground=self.document.shown.ground,
            tones=self._tones,
            shadows=bool(self.settings.get("view/shadows")),
            smooth=bool(self.settings.get("view/smooth_edges")) and self._refinement.fine,
            moving=self._refinement.isActive(),
        )

    # -- events --------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.marks.layer.resize(self.size())
        self.overlay.show_camera(self.camera, self.height())
        self.overlay.place()
        self.marks.show()
        self._redraw()

    def event(self, event: QEvent) -> bool:
        # While a gesture is under way letters and digits are typed into it, not shortcuts of the window.
        if event.type() == QEvent.Type.ShortcutOverride and self.tool.busy():
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Tab, too, belongs to a gesture under way (the next number); without one it walks on through the window.
        return False if self.tool.busy() else super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._input.key(event):
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._flight.stop()
        super().hideEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.selection.set_hover(None)
        super().leaveEvent(event)
