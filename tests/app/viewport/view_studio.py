"""A view with what it needs, for tests that open one."""

from __future__ import annotations

from typing import Any


class Studio:
    """A view with what it needs."""

    def __init__(self, qtbot: Any) -> None:
        from app.document.document import Document
        from app.look.look import Look
        from app.session.selection import Selection
        from app.session.settings import Settings
        from app.viewport.view import View

        self.qtbot = qtbot
        self.document, self.look, self.settings = Document(), Look("dark"), Settings()
        self.selection = Selection(self.document)
        self.settings.set("look/reduce_motion", True)
        self.view = View(self.document, self.selection, self.settings, self.look)
        self.view.resize(480, 360)
        self.view._refinement.setInterval(5)  # rest at once
        qtbot.addWidget(self.view)

    def show(self) -> Studio:
        with self.qtbot.waitExposed(self.view):
            self.view.show()
        self.rest()
        return self

    def rest(self) -> None:
        """Until nothing is left to draw."""
        from PySide6.QtCore import QCoreApplication

        def settled() -> bool:
            QCoreApplication.processEvents()
            return not self.view._stale and not self.view._refinement.isActive()

        self.qtbot.waitUntil(settled, timeout=5000)

    def pixel(self, x: float, y: float) -> tuple[int, int, int]:
        color = self.view.grabFramebuffer().pixelColor(round(x), round(y))
        return color.red(), color.green(), color.blue()

    def place(self, point: tuple[float, float, float]) -> tuple[float, float]:
        """Pixel of a point of the world."""
        (pixel,), _ = self.view.camera.project([point], *self.view.extent)
        return float(pixel[0]), float(pixel[1])
