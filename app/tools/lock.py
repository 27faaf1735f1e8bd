"""What a gesture is locked to: an axis, a plane, or nothing. A value; no Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

AXES = "XYZ"


@dataclass(frozen=True)
class Lock:
    axis: int | None = None  # 0, 1, 2; None: free
    plane: bool = False  # to the plane across the axis instead of the axis
    local: bool = False  # axes of the active body instead of the world's

    def pressed(self, axis: int, plane: bool, local: bool = False) -> Lock:
        """The key of an axis: locks to it (`local`: to the body's own first), again to the other kind of axis, and
        the third time to nothing."""
        if self.axis != axis or self.plane != plane:
            return Lock(axis, plane, local)
        if self.local == local:
            return replace(self, local=not local)
        return Lock()

    @property
    def free(self) -> tuple[bool, bool, bool]:
        """Along which axes a thing may still move."""
        if self.axis is None:
            return (True, True, True)
        x, y, z = ((k == self.axis) != self.plane for k in range(3))
        return (x, y, z)

    @property
    def moving(self) -> list[int]:
        """The axes of `free`."""
        return [k for k, loose in enumerate(self.free) if loose]

    @property
    def words(self) -> str:
        """ " along Z", " in XY", " along local Z"; nothing when free."""
        if self.axis is None:
            return ""
        names = "".join(AXES[k] for k in self.moving)
        return f" {'in' if self.plane else 'along'} {'local ' if self.local else ''}{names}"
