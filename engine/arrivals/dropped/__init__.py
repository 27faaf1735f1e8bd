"""Natural landings: forward drops, kept in libraries and moved onto the poses an artist places.

Dynamics on a level plane do not change when everything is moved along it, turned about the vertical or mirrored, nor
when a symmetric body is relabelled. So a drop that came to rest anywhere, on the right face, comes to rest on the
authored pose once it is moved there, impulses and all, and the certificate finds the same law obeyed.
"""
