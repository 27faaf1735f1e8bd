"""Materials to start from. Friction and restitution are of a body on its own kind (handbook figures, rounded)."""

from __future__ import annotations

from engine.scene.spec import Material

PRESETS: tuple[Material, ...] = (
    Material(name="Wood", density=650.0, friction=0.45, restitution=0.35),
    Material(name="Fired brick", density=1900.0, friction=0.6, restitution=0.25),
    Material(name="Stone", density=2600.0, friction=0.65, restitution=0.2),
    Material(name="Steel", density=7850.0, friction=0.4, restitution=0.6, rolling_friction=0.0002),
    Material(name="Aluminium", density=2700.0, friction=0.45, restitution=0.5, rolling_friction=0.0004),
    Material(name="Glass", density=2500.0, friction=0.35, restitution=0.65, rolling_friction=0.0003),
    Material(name="Rubber", density=1100.0, friction=0.9, restitution=0.8, rolling_friction=0.002),
    Material(name="Plastic", density=1200.0, friction=0.35, restitution=0.5, rolling_friction=0.0005),
    Material(name="Bone", density=1850.0, friction=0.4, restitution=0.5),
    Material(name="Ice", density=920.0, friction=0.05, restitution=0.3),
    Material(name="Cardboard", density=200.0, friction=0.5, restitution=0.15),
    Material(name="Clay", density=1750.0, friction=0.8, restitution=0.02, rolling_friction=0.004),
)
