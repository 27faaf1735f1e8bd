"""Meeting: bodies that collide with each other on their way in.

All bodies step backward together with the exact kernels of the engine (step.py). Every state is kept (past.py), so that
where a contact has no lawful explanation the search goes back to an earlier decision of the bodies involved, draws it
anew and goes on from there (search.py). Draws depend on who decides, when, and how often it was asked: what has nothing
to do with the changed decision happens again bit for bit.
"""
