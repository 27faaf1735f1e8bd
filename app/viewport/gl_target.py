"""Pictures drawn on the side: framebuffers with what is attached to them."""

from __future__ import annotations

from OpenGL import GL

SMOOTH = {"MIN_FILTER": GL.GL_LINEAR, "MAG_FILTER": GL.GL_LINEAR, "WRAP_S": GL.GL_CLAMP_TO_EDGE,
          "WRAP_T": GL.GL_CLAMP_TO_EDGE}  # fmt: skip


class Target:
    """A framebuffer with either textures or (for multisampling) render buffers."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.name = int(GL.glGenFramebuffers(1))
        self.color = self.depth = 0
        self._buffers: list[int] = []

    @classmethod
    def multisampled(
        cls, width: int, height: int, samples: int, color: int = GL.GL_RGBA8, depth: int = GL.GL_DEPTH_COMPONENT24
    ) -> Target:
        """Kinds of pixels as GL names them; without `depth` (0) there are only colours."""
        target = cls(width, height)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target.name)
        for place, kind in ((GL.GL_COLOR_ATTACHMENT0, color), (GL.GL_DEPTH_ATTACHMENT, depth))[: 2 if depth else 1]:
            buffer = int(GL.glGenRenderbuffers(1))
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, buffer)
            GL.glRenderbufferStorageMultisample(GL.GL_RENDERBUFFER, samples, kind, width, height)
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, place, GL.GL_RENDERBUFFER, buffer)
            target._buffers.append(buffer)
        return target

    @classmethod
    def depth_only(cls, size: int) -> Target:
        target = cls(size, size)
        comparing = {"COMPARE_MODE": GL.GL_COMPARE_REF_TO_TEXTURE, "COMPARE_FUNC": GL.GL_LEQUAL}
        target.depth = target._textured(
            GL.GL_DEPTH_ATTACHMENT, GL.GL_DEPTH_COMPONENT24, GL.GL_DEPTH_COMPONENT, GL.GL_UNSIGNED_INT, **comparing
        )
        GL.glDrawBuffer(GL.GL_NONE)
        GL.glReadBuffer(GL.GL_NONE)
        return target

    @classmethod
    def two_channels(cls, width: int, height: int, mipmaps: bool) -> Target:
        """A texture of two channels; with mipmaps of half floats, as bytes would spoil the ratio of small averages."""
        target = cls(width, height)
        inner, kind = (GL.GL_RG16F, GL.GL_HALF_FLOAT) if mipmaps else (GL.GL_RG8, GL.GL_UNSIGNED_BYTE)
        small = GL.GL_LINEAR_MIPMAP_LINEAR if mipmaps else GL.GL_LINEAR
        target.color = target._textured(GL.GL_COLOR_ATTACHMENT0, inner, GL.GL_RG, kind, MIN_FILTER=small)
        return target

    @classmethod
    def plain(cls, width: int, height: int) -> Target:
        """A texture of colours without depth: four bytes are what software renderers look up fastest."""
        target = cls(width, height)
        target.color = target._textured(GL.GL_COLOR_ATTACHMENT0, GL.GL_RGBA8, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
        return target

    def _textured(self, place: int, inner: int, outer: int, kind: int, **parameters: int) -> int:
        """An empty texture of its size, drawn into from now on; parameters by the GL name without its GL_TEXTURE_."""
        name = int(GL.glGenTextures(1))
        GL.glBindTexture(GL.GL_TEXTURE_2D, name)
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, inner, self.width, self.height, 0, outer, kind, None)
        for key, value in (SMOOTH | parameters).items():
            GL.glTexParameteri(GL.GL_TEXTURE_2D, getattr(GL, f"GL_TEXTURE_{key}"), value)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.name)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, place, GL.GL_TEXTURE_2D, name, 0)
        return name

    def bind(self) -> None:
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.name)
        GL.glViewport(0, 0, self.width, self.height)

    def copy_to(self, framebuffer: int, area: tuple[int, int, int, int]) -> None:
        """The colours of an area (x, y, width, height), samples averaged."""
        x, y, width, height = area
        corners = (x, y, x + width, y + height)
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.name)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
        GL.glBlitFramebuffer(*corners, *corners, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)

    def release(self) -> None:
        GL.glDeleteFramebuffers(1, [self.name])
        textures = [name for name in (self.color, self.depth) if name]
        if textures:
            GL.glDeleteTextures(textures)
        if self._buffers:
            GL.glDeleteRenderbuffers(len(self._buffers), self._buffers)
