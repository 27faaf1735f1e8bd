"""A GLSL program made of files in assets/shaders, and its uniforms."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import numpy as np
from OpenGL import GL

VERSION = "#version 330 core\n"


class ShaderError(RuntimeError):
    """The driver refused a shader; the text is its log."""


def source(*names: str, defines: Sequence[str] = ()) -> str:
    """Files joined into one shader."""
    folder = files("assets").joinpath("shaders")
    parts = [folder.joinpath(f"{name}.glsl").read_text(encoding="utf-8") for name in names]
    return VERSION + "".join(f"#define {name}\n" for name in defines) + "\n".join(parts)


class Program:
    """Needs a current context, from the making to `release`."""

    def __init__(self, vertex: Sequence[str], fragment: Sequence[str], defines: Sequence[str] = ()) -> None:
        self.name = int(GL.glCreateProgram())
        shaders = [
            _compiled(GL.GL_VERTEX_SHADER, source(*vertex, defines=defines)),
            _compiled(GL.GL_FRAGMENT_SHADER, source(*fragment, defines=defines)),
        ]
        for shader in shaders:
            GL.glAttachShader(self.name, shader)
        GL.glLinkProgram(self.name)
        for shader in shaders:
            GL.glDeleteShader(shader)
        if not GL.glGetProgramiv(self.name, GL.GL_LINK_STATUS):
            raise ShaderError(_text(GL.glGetProgramInfoLog(self.name)))
        self._places: dict[str, int] = {}

    def use(self, **values: object) -> None:
        """From now on, with uniforms by name: numbers, vectors of two to four, 4x4 matrices; whole numbers are texture
        units."""
        GL.glUseProgram(self.name)
        for name, value in values.items():
            place = self._place(name)
            if place < 0:
                continue  # a variant of the shader that does not need it
            if isinstance(value, int):
                GL.glUniform1i(place, value)
                continue
            array = np.asarray(value, np.float32)
            if array.shape == (4, 4):
                GL.glUniformMatrix4fv(place, 1, GL.GL_TRUE, np.ascontiguousarray(array))
            else:
                setter = (GL.glUniform1fv, GL.glUniform2fv, GL.glUniform3fv, GL.glUniform4fv)[max(array.size, 1) - 1]
                setter(place, 1, np.ascontiguousarray(array).reshape(-1))

    def release(self) -> None:
        GL.glDeleteProgram(self.name)

    def _place(self, name: str) -> int:
        if name not in self._places:
            self._places[name] = int(GL.glGetUniformLocation(self.name, name))
        return self._places[name]


def _compiled(kind: int, text: str) -> int:
    shader = int(GL.glCreateShader(kind))
    GL.glShaderSource(shader, text)
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        raise ShaderError(_text(GL.glGetShaderInfoLog(shader)))
    return shader


def _text(log: object) -> str:
    return log.decode(errors="replace") if isinstance(log, bytes) else str(log)
