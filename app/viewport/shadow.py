"""Shadows: a depth picture from the light, and from it a soft picture of what falls on the ground.

Both depend on the scene and not on where it is seen from, so turning the camera costs nothing here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from OpenGL import GL

from app.camera import Camera
from app.viewport.boxes import box_corners
from app.viewport.flat_bodies import FlatBodies
from app.viewport.gl_batch import GlDrawList
from app.viewport.gl_program import Program
from app.viewport.gl_target import Target

SIZES = (2048, 1024)  # texels of the depth picture, and of the picture of the ground
SMALL_SIZES = (1024, 512)  # for a renderer without a graphics card
MOVING_SIZES = (1024, 256)  # there, while bodies move
COARSE_SIZES = (512, 256)  # there, while many bodies move
MANY = 600  # bodies from which the shadow map of a moving scene is a coarse one
FAR_COVER = 1.5  # m of travel between cover and ground after which the blur grows no more
PENUMBRA = 0.12  # metres of blur per metre of travel: the key light is a few hand widths across
REACH = 6.0  # shadows are drawn this many camera distances round the target


def shadowed_box(low: np.ndarray, high: np.ndarray, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """The part of the scene that gets shadows. Cut off far from the camera (a floor of a kilometre would leave no
    resolution), in coarse steps so that small movements of the camera change nothing."""
    reach = 2.0 ** math.ceil(math.log2(REACH * camera.distance))
    step = 0.25 * reach
    middle = np.rint(np.array(camera.target) / step) * step
    low, high = np.maximum(low, middle - reach), np.minimum(high, middle + reach)
    if (low >= high).any():
        low, high = middle - reach, middle + reach
    return low, high


def light_matrix(low: np.ndarray, high: np.ndarray, to_light: np.ndarray) -> np.ndarray:
    """(4, 4) world -> 0 .. 1 in the light's picture and depth; holds the box and its shadow on the ground."""
    corners = box_corners(low, high)
    on_ground = corners - np.maximum(corners[:, 2:], 0.0) / to_light[2] * to_light
    back = to_light / np.linalg.norm(to_light)
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(back, right), -back])
    seen = np.concatenate([corners, on_ground]) @ turn.T
    least, most = seen.min(axis=0), seen.max(axis=0)
    room = np.maximum(0.08 * (most - least), 0.02)  # for the blur
    least, most = least - room, most + room
    most[:2] = least[:2] + (most - least)[:2].max()  # square texels
    matrix = np.eye(4)
    matrix[:3, :3] = turn / (most - least)[:, None]
    matrix[:3, 3] = -least / (most - least)
    return matrix


def used_part(light_space: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """How much of the light's picture, from its corner, holds bodies and the blur round their shadows. A body and its
    shadow are at the same place in it."""
    seen = box_corners(low, high) @ light_space[:2, :3].T + light_space[:2, 3]
    width, height = np.minimum(seen.min(axis=0) + seen.max(axis=0), 1.0)  # as much room on either side
    return float(width), float(height)


@dataclass
class _Map:
    """The depth picture and the picture of the ground, at one resolution."""

    size: int
    ground_size: int
    depth: Target
    ground: Target
    soft: Target | None = None  # shadow on the ground, ready to look up; made when first needed
    is_soft: bool = False  # is that of the newest shadows?

    @classmethod
    def of(cls, sizes: tuple[int, int]) -> _Map:
        size, ground_size = sizes
        ground = Target.two_channels(ground_size, ground_size, mipmaps=True)
        return cls(size, ground_size, Target.depth_only(size), ground)

    def release(self) -> None:
        for target in (self.depth, self.ground, self.soft):
            if target is not None:
                target.release()


TO_CLIP = np.array([[2.0, 0, 0, -1], [0, 2, 0, -1], [0, 0, 2, -1], [0, 0, 0, 1]])


class ShadowPass:
    def __init__(self, small: bool, quad: int) -> None:
        self._quad = quad
        self._casters = FlatBodies("depth.frag")
        self._fall = Program(["screen.vert"], ["ground_shadow.frag"])
        self._soften = Program(["fallen.vert"], ["fallen.frag"], defines=["BAKE"])
        self._fine_sizes = SMALL_SIZES if small else SIZES
        self._maps = {self._fine_sizes: _Map.of(self._fine_sizes)}  # others are made when first needed
        self._map = self._maps[self._fine_sizes]  # the one in use
        self._plain = int(GL.glGenSamplers(1))  # reads depths where the texture itself compares them
        GL.glSamplerParameteri(self._plain, GL.GL_TEXTURE_COMPARE_MODE, GL.GL_NONE)
        GL.glSamplerParameteri(self._plain, GL.GL_TEXTURE_MIN_FILTER, GL.GL_NEAREST)
        GL.glSamplerParameteri(self._plain, GL.GL_TEXTURE_MAG_FILTER, GL.GL_NEAREST)
        self.light_space, self.used = np.eye(4), (1.0, 1.0)
        self.softness = 1.0  # texels of the ground picture

    @property
    def is_coarse(self) -> bool:
        return self._map is not self._maps[self._fine_sizes]

    def draw(
        self,
        bodies: GlDrawList,
        light_space: np.ndarray,
        used: tuple[float, float],
        empty_array: int,
        sizes: tuple[int, int] | None = None,
    ) -> None:
        """`sizes`: of coarser pictures than those of a scene at rest."""
        self.light_space, self.used = light_space, used
        wanted = sizes or self._fine_sizes
        if wanted not in self._maps:
            self._maps[wanted] = _Map.of(wanted)
        self._map = self._maps[wanted]
        self._map.depth.bind()
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(True)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        # Back sides cast: lit sides then never shade themselves, and the blur on the ground counts from the underside.
        GL.glCullFace(GL.GL_FRONT)
        self._casters.draw(bodies, TO_CLIP @ light_space, (*light_space[2, :3], 0.0), coarse=True)
        GL.glCullFace(GL.GL_BACK)
        self._fall_on_ground(empty_array)

    def _fall_on_ground(self, empty_array: int) -> None:
        inverse = np.linalg.inv(self.light_space)
        # Depth of z = 0 as a plane over (u, v): the z row of the inverse is zero there.
        a, b, c, d = inverse[2]
        ground = (-a / c, -b / c, -d / c)
        metre = float(np.linalg.norm(self.light_space[2, :3]))  # of travel, in depth
        texel = 1.0 / (self._map.ground_size * float(np.linalg.norm(self.light_space[0, :3])))
        self.softness = PENUMBRA * FAR_COVER / texel
        self._map.ground.bind()
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._fall.use(depths=0, ground=ground, reach=FAR_COVER * metre)
        self.bind_depth()
        GL.glBindSampler(0, self._plain)
        GL.glBindVertexArray(empty_array)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glBindSampler(0, 0)
        self.bind_ground()
        GL.glGenerateMipmap(GL.GL_TEXTURE_2D)
        self._map.is_soft = False

    def soften(self) -> None:
        """Find the shadow on the ground for every texel at once, so that pixels need only look it up (`bind_soft`):
        much less work for a processor, and a little coarser."""
        if self._map.is_soft:
            return
        if self._map.soft is None:
            self._map.soft = Target.plain(self._map.ground_size, self._map.ground_size)
        self._map.soft.bind()
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        self.bind_ground()
        GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_NEAREST)
        self._soften.use(ground_shadow=0, softness=self.softness, used=self.used)
        GL.glBindVertexArray(self._quad)
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_LINEAR)
        self._map.is_soft = True

    @property
    def texel(self) -> float:
        return 1.0 / self._map.size

    @property
    def ground_texel(self) -> float:
        return 1.0 / self._map.ground_size

    def from_light(self) -> np.ndarray:
        """(4, 4) light's picture (u, v, 0) -> the point of the ground seen there."""
        inverse = np.linalg.inv(self.light_space)
        rise = inverse[2] / inverse[2, 2]  # depth at which z is 0, as -(rise . (u, v, 0, 1))
        matrix = inverse.copy()
        for column in (0, 1, 3):
            matrix[:, column] -= rise[column] * inverse[:, 2]
        return matrix

    def bind_depth(self) -> None:
        _bind(self._map.depth.depth)

    def bind_ground(self) -> None:
        _bind(self._map.ground.color)

    def bind_soft(self) -> None:
        assert self._map.soft is not None
        _bind(self._map.soft.color)

    def release(self) -> None:
        GL.glDeleteSamplers(1, [self._plain])
        for program in (self._casters, self._fall, self._soften):
            program.release()
        for picture in self._maps.values():
            picture.release()


def _bind(texture: int) -> None:
    GL.glActiveTexture(GL.GL_TEXTURE0)
    GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
