"""Renderer: one picture of a draw list, in passes. Needs a current GL 3.3 context from the making to `release`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from OpenGL import GL

from app.camera import Camera
from app.viewport.backdrop import Backdrop, is_behind
from app.viewport.changed_area import changed_area
from app.viewport.draw_list import BALL, Batch, only
from app.viewport.flat_bodies import viewer_of
from app.viewport.gl_batch import GlBatch, GlDrawList, GlMeshes
from app.viewport.gl_program import Program
from app.viewport.gl_target import Target
from app.viewport.hidden_context import is_software
from app.viewport.outline import Framebuffer, OutlinePass
from app.viewport.scene_cache import NO_ROWS
from app.viewport.screen_places import Area, joined
from app.viewport.shadow import COARSE_SIZES, MANY, MOVING_SIZES, ShadowPass, light_matrix, shadowed_box, used_part
from app.viewport.tones import Tones

SAMPLES = 4
EDGE_WIDTH = 1.0  # px
ROUND = (BALL, "dome", "tube", "cylinder")


@dataclass(frozen=True)
class Picture:
    """Everything one picture depends on. Pieces that did not change should be the same objects as before."""

    batches: list[Batch]
    bounds: tuple[np.ndarray, np.ndarray] | None  # m, box round all bodies; None: there are none
    camera: Camera
    width: int  # device px
    height: int
    spacing: tuple[float, float]  # m, grid
    ground: bool
    tones: Tones
    shadows: bool
    ghosts: list[Batch] = field(default_factory=list)
    """Drawn over the others, without shadows; the last number of an instance is its opacity."""
    selected: np.ndarray = field(default_factory=lambda: NO_ROWS)
    hovered: np.ndarray = field(default_factory=lambda: NO_ROWS)
    outline_area: Area | None = None  # device px; None: nothing is outlined
    smooth: bool = True
    moving: bool = False  # more pictures like this one are about to follow

    def same_but_outline(self, other: Picture) -> bool:
        same = self.batches is other.batches and self.ghosts is other.ghosts
        return same and self.same_setting(other)

    def same_setting(self, other: Picture) -> bool:
        """Do they differ at most in bodies, ghosts and outlines?"""
        return self.tones is other.tones and self._plain() == other._plain()

    @property
    def kind(self) -> tuple[bool, ...]:
        """Pictures of one kind take the same ways through the passes."""
        return (self.smooth, self.moving, self.shadows, self.ground, bool(self.ghosts), self.outline_area is not None)

    def _plain(self) -> tuple[object, ...]:
        return (self.camera, self.width, self.height, self.spacing, self.ground, self.shadows, self.smooth)


class Renderer:
    def __init__(self) -> None:
        self._empty = int(GL.glGenVertexArrays(1))
        self._meshes = GlMeshes()
        self._bodies, self._ghosts = GlDrawList(self._meshes), GlDrawList(self._meshes)
        self._programs: dict[tuple[str, ...], Program] = {}
        self._edges = Program(["instance", "edge.vert"], ["edge.frag"])
        self.software = is_software()
        self.seconds = 0.0  # the last picture took, known only where the processor draws it
        self._fallen = [Program(["fallen.vert"], ["fallen.frag"], defines=defines) for defines in ([], ["QUICK"])]
        self._quick_shadow = False  # of the last picture, on the ground
        self._quad, self._quad_buffer = _quad()
        self._shadow = ShadowPass(self.software, self._quad)
        self._outline: OutlinePass | None = None  # made when something is first selected
        self._backdrop = Backdrop(self._empty, self._quad)
        self._target: Target | None = None
        self._target_kind = (0, 0, 0)  # width, height, samples
        self._drawn: Picture | None = None
        self._shown_in = -1  # the framebuffer that has it
        self._kinds: set[tuple[bool, ...]] = set()  # of pictures drawn so far
        self._shadowed: tuple[list[Batch], np.ndarray] | None = None
        self._rough_outline = False
        self._outlined: tuple[object, ...] = ()
        self._outline_lists: tuple[list[Batch], list[Batch]] = ([], [])

    def draw(self, picture: Picture, framebuffer: int) -> Area:
        """Bring a framebuffer up to date, of which earlier pictures may be left; where it changed is the answer."""
        start, prepared = time.perf_counter(), (len(self._programs), self._meshes.uploads, len(self._kinds))
        matrix = picture.camera.matrix(picture.width, picture.height)
        pixels = 0.5 * picture.height * float(picture.camera.projection_matrix(1.0)[1, 1])
        GL.glDisable(GL.GL_BLEND)
        unfinished = self.coarse and not picture.moving
        fresh = self._drawn is None or unfinished or not picture.same_but_outline(self._drawn)
        area = self._changing(picture, framebuffer, fresh, unfinished)
        if fresh:
            self._draw_scene(picture, matrix, pixels, area)
        self._drawn, self._shown_in = picture, framebuffer
        assert self._target is not None
        self._target.copy_to(framebuffer, area)
        if picture.outline_area is not None:
            self._draw_outline(picture, picture.outline_area, matrix, pixels, framebuffer)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)
        if self.software:
            GL.glFinish()
            self._kinds.add(picture.kind)
            # Else it tells nothing about the next picture: programs are finished for a kind of picture when first used.
            if (len(self._programs), self._meshes.uploads, len(self._kinds)) == prepared:
                self.seconds = time.perf_counter() - start
        return area

    def forget(self) -> None:
        """What was drawn into a framebuffer is gone."""
        self._shown_in = -1

    def _changing(self, picture: Picture, framebuffer: int, fresh: bool, unfinished: bool) -> Area:
        """The part of the framebuffer that is about to be another one."""
        whole, before = (0, 0, picture.width, picture.height), self._drawn
        if not self.software or before is None or framebuffer != self._shown_in or unfinished:
            return whole
        if not fresh:
            return joined([before.outline_area, picture.outline_area], whole)
        if not self._backdrop_stays(picture) or not picture.same_setting(before):
            return whole
        return changed_area(before, picture, whole)

    def _draw_outline(self, picture: Picture, area: Area, matrix: np.ndarray, pixels: float, framebuffer: int) -> None:
        if self._outline is None:
            self._outline = OutlinePass(self._meshes)
        size = (picture.width, picture.height, SAMPLES if picture.smooth else 0)
        self._rough_outline = self.software and picture.moving and len(picture.selected) > MANY
        chosen = self._outline_parts(picture)
        self._outline.draw_mask(chosen, picture.camera, matrix, pixels, area, size, coarse=self._rough_outline)
        target = Framebuffer(framebuffer, picture.width, picture.height)
        self._outline.draw_line(target, area, picture.tones, self._empty)

    def _draw_scene(self, picture: Picture, matrix: np.ndarray, pixels: float, area: Area) -> None:
        self._bodies.put(picture.batches, matrix, pixels)
        if picture.shadows and picture.bounds is not None:
            self._draw_shadow(picture, picture.bounds)
            self._quick_shadow = self.software and picture.moving
            if self._quick_shadow and picture.ground:
                self._shadow.soften()
        target = self._bind(picture)
        kept = self._backdrop_stays(picture)
        if kept:
            self._backdrop.copy_to(target, area, picture.camera, matrix, picture.spacing, picture.tones)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glScissor(*area)
        GL.glDepthMask(True)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        if not kept:
            self._backdrop.draw_background(picture.tones)
        self._draw_bodies(picture, matrix)
        self._draw_edges(picture, matrix)
        self._draw_ground(picture, matrix, grid=not kept)
        self._draw_ghosts(picture, matrix, pixels)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        self._meshes.keep_only({batch.key for batch in picture.batches})

    def _backdrop_stays(self, picture: Picture) -> bool:
        """Is what lies behind the bodies the same as in the picture before, and worth keeping?"""
        before = self._drawn
        if not self.software or picture.smooth or before is None:
            return False
        lowest = float(picture.bounds[0][2]) if picture.bounds is not None else 0.0
        return before.camera == picture.camera and is_behind(picture.camera, lowest)

    def _draw_shadow(self, picture: Picture, bounds: tuple[np.ndarray, np.ndarray]) -> None:
        low, high = shadowed_box(*bounds, picture.camera)
        light_space = light_matrix(low, high, picture.tones.to_light)
        known = self._shadowed
        serves = picture.moving or not self._shadow.is_coarse
        if serves and known is not None and known[0] is picture.batches and np.array_equal(known[1], light_space):
            return
        sizes = None
        if self.software and picture.moving:
            sizes = COARSE_SIZES if sum(len(batch.rows) for batch in picture.batches) > MANY else MOVING_SIZES
        self._shadow.draw(self._bodies, light_space, used_part(light_space, low, high), self._empty, sizes)
        self._shadowed = (picture.batches, light_space)

    @property
    def coarse(self) -> bool:
        """Are shadows or outlines of the last picture coarser than those of a scene at rest?"""
        rough = self._shadow.is_coarse or self._quick_shadow
        shadow = self._drawn is not None and self._drawn.shadows and rough
        return shadow or self._rough_outline

    def _bind(self, picture: Picture) -> Target:
        """Draw into an own buffer, multisampled or not: that can be switched while running, the widget's own cannot;
        and when only the outline changes, what is in it serves again."""
        wanted = (picture.width, picture.height, SAMPLES if picture.smooth else 0)
        if self._target is None or self._target_kind != wanted:
            if self._target is not None:
                self._target.release()
            self._target, self._target_kind = Target.multisampled(*wanted), wanted
        self._target.bind()
        GL.glColorMask(True, True, True, True)
        return self._target

    def _draw_bodies(self, picture: Picture, matrix: np.ndarray) -> None:
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)  # room for the lines on the edges
        GL.glPolygonOffset(1.0, 1.0)
        self._shadow.bind_depth()
        self._draw_shaded(picture, self._bodies, matrix)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

    def _draw_shaded(self, picture: Picture, bodies: GlDrawList, matrix: np.ndarray, ghosts: bool = False) -> None:
        for batch in bodies:
            self._body_program(picture, batch, matrix, ghosts)
            (GL.glDisable if batch.meshes[0].two_sided else GL.glEnable)(GL.GL_CULL_FACE)
            batch.draw()
        GL.glDisable(GL.GL_CULL_FACE)

    def _draw_ghosts(self, picture: Picture, matrix: np.ndarray, pixels: float) -> None:
        """Hidden by bodies, hiding nothing; the farthest first, as they shine through each other."""
        self._ghosts.put(picture.ghosts, matrix, pixels, farthest_first=True)
        if picture.ghosts:
            GL.glEnable(GL.GL_BLEND)
            GL.glDepthMask(False)
            self._draw_shaded(picture, self._ghosts, matrix, ghosts=True)
            GL.glDepthMask(True)
            GL.glDisable(GL.GL_BLEND)

    def _body_program(self, picture: Picture, batch: GlBatch, matrix: np.ndarray, ghosts: bool) -> None:
        assert batch.batch is not None
        shadows = picture.shadows and not ghosts
        wanted = {
            "GHOST": ghosts,
            "SHADOWS": shadows,
            "SOFT": shadows and (picture.smooth or not self.software),
            "BALL": batch.batch.key == BALL,
            "BOX": batch.batch.key == "box",
            "ROUND": batch.batch.key in ROUND or batch.meshes[0].two_sided,
            "PIPS": batch.batch.pips,
            "HATCH": not ghosts and bool(batch.batch.instances[:, 15].any()),
            "TWO_SIDED": batch.meshes[0].two_sided,
        }
        variant = tuple(name for name, on in wanted.items() if on)
        if variant not in self._programs:
            self._programs[variant] = Program(["instance", "body.vert"], ["body.frag"], defines=variant)
        program, tones = self._programs[variant], picture.tones
        program.use(
            camera=matrix,
            light_space=self._shadow.light_space,
            to_light=tones.to_light,
            strength=tones.strength,
            eye=viewer_of(picture.camera),
            viewer=viewer_of(picture.camera),
            lines=(tones.inner_line, tones.silhouette),
            pixel_ratio=tones.pixel_ratio,
            shadow_map=0,
            shadow_texel=self._shadow.texel,
        )

    def _draw_edges(self, picture: Picture, matrix: np.ndarray) -> None:
        tones = picture.tones
        GL.glEnable(GL.GL_BLEND)
        # The widget's alpha stays 1: what lies under the window must not shine through.
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
        GL.glDepthMask(False)
        self._edges.use(
            camera=matrix,
            eye=viewer_of(picture.camera),
            picture=(float(picture.width), float(picture.height)),
            width=EDGE_WIDTH * tones.pixel_ratio,
            inner=tones.inner_line,
            silhouette=tones.silhouette,
        )
        for batch in self._bodies:
            if batch.batch is not None and batch.batch.key != "box":  # boxes have theirs in the shading
                batch.draw_edges()

    def _draw_ground(self, picture: Picture, matrix: np.ndarray, grid: bool) -> None:
        """After the bodies: they hide most of it."""
        if grid:
            self._backdrop.draw_grid(picture.camera, matrix, picture.spacing, picture.tones)
        GL.glBindVertexArray(self._quad)
        if picture.shadows and picture.ground and picture.bounds is not None:
            (self._shadow.bind_soft if self._quick_shadow else self._shadow.bind_ground)()
            fallen = self._fallen[self._quick_shadow]
            fallen.use(
                camera=matrix,
                from_light=self._shadow.from_light(),
                used=self._shadow.used,
                ground_shadow=0,
                opacity=picture.tones.shadow_opacity,
                softness=self._shadow.softness,
                texel=self._shadow.ground_texel,
            )
            GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        GL.glDepthMask(True)
        GL.glDisable(GL.GL_BLEND)

    def _outline_parts(self, picture: Picture) -> tuple[list[Batch], list[Batch]]:
        """Selected and hovered parts of the draw list; found again only when one of these changed."""
        known = (picture.batches, picture.selected, picture.hovered)
        if len(self._outlined) != 3 or any(a is not b for a, b in zip(known, self._outlined, strict=True)):
            self._outlined = known
            self._outline_lists = (only(picture.batches, picture.selected), only(picture.batches, picture.hovered))
        return self._outline_lists

    def release(self) -> None:
        if self._target is not None:
            self._target.release()
        if self._outline is not None:
            self._outline.release()
        for part in (self._bodies, self._ghosts, self._shadow, self._backdrop, self._meshes):
            part.release()
        for program in (self._edges, *self._fallen, *self._programs.values()):
            program.release()
        GL.glDeleteVertexArrays(2, [self._empty, self._quad])
        GL.glDeleteBuffers(1, [self._quad_buffer])


def _quad() -> tuple[int, int]:
    array, buffer = int(GL.glGenVertexArrays(1)), int(GL.glGenBuffers(1))
    corners = np.array([[-1.0, -1], [1, -1], [-1, 1], [1, 1]], np.float32)
    GL.glBindVertexArray(array)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
    GL.glBufferData(GL.GL_ARRAY_BUFFER, corners.nbytes, corners, GL.GL_STATIC_DRAW)
    GL.glEnableVertexAttribArray(0)
    GL.glVertexAttribPointer(0, 2, GL.GL_FLOAT, GL.GL_FALSE, 0, None)
    GL.glBindVertexArray(0)
    return array, buffer
