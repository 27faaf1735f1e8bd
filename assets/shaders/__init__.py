"""GLSL 3.30 of the view. Files are joined: instance.glsl comes first in every program that draws bodies."""
