"""What a run may be asked besides the scene."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal, get_args

from engine.scene.request import REMEDIES

PolicyName = Literal["constant", "blend", "budget"]  # in the order of plan.CONSTANT ...
ArrivalsName = Literal["natural", "ahead", "together", "meeting", "dropped"]  # the ways to arrive (strategies.py)
MannerName = Literal["preview", "natural"]
LandingName = Literal["caught", "predicted"]  # in the order of params.CAUGHT, PREDICTED

BUDGET_HEIGHTS = 4.0
"""Default energy budget of a body: m g times this many heights of its centre of mass over its lowest point."""


DAMPING = 1.0  # 1/s


@dataclass
class Options:
    """What a run may be asked besides the scene."""

    policy: PolicyName = "budget"
    arrivals: ArrivalsName = "natural"
    """Each body let go near its place, as suits it; or one way for all: one after another with look-"ahead", all
    "together", "meeting" on the way, or "dropped": those who stand alone fall into their places. Asked for by name and
    without any entrance in the scene, these are under way from the first frame."""
    particles: int = 1  # of a meeting: searches that go back side by side (arrivals/meeting/population.py)
    manner: MannerName = "natural"  # of a look-ahead: the first arrival that works, or the best of several
    launch: bool = True  # let undirected bodies leave rest
    angular_damping: float = 0.0  # 1/s, a remedy; an outside torque on every step (ASSISTED)
    linear_damping: bool = False  # a remedy, LINEAR_DAMPING; an outside force on every step (ASSISTED)
    budget_heights: float = BUDGET_HEIGHTS
    landing: LandingName = "caught"  # the landing law of runs together; drops always land as predicted
    unit_links: bool = False  # a remedy: nothing is lost between bodies held together by joints
    attraction: bool = False  # a remedy: what holds a body may also pull it (ASSISTED)
    disorder: float = 0.0  # m by which bodies of the ending may be off their places, by chance (disorder.py)

    def __post_init__(self) -> None:
        names = {"policy": PolicyName, "arrivals": ArrivalsName, "manner": MannerName, "landing": LandingName}
        for field, known in names.items():
            if getattr(self, field) not in get_args(known):
                raise ValueError(f"{field} must be one of {', '.join(get_args(known))}, not {getattr(self, field)!r}")
        if not (isinstance(self.particles, int) and self.particles >= 1):
            raise ValueError(f"particles must be a whole number from 1, not {self.particles!r}")

    @classmethod
    def remedied(cls, remedies: Collection[str], **more: Any) -> Options:
        """With these of the remedies; without any, as usual."""
        if not remedies:
            return cls(**more)
        unknown = sorted(set(remedies) - set(REMEDIES))
        if unknown:
            raise ValueError(f"remedies must be some of {', '.join(REMEDIES)}, not {', '.join(unknown)}")
        return cls(
            policy="blend" if "blend" in remedies else "constant",
            angular_damping=DAMPING if "angular-damping" in remedies else 0.0,
            linear_damping="linear-damping" in remedies,
            attraction="attraction" in remedies,
            unit_links="unit-links" in remedies,
            **more,
        )

    @property
    def searches(self) -> bool:
        """Whether arrivals are searched for. Remedies (papers/remedies.py) act on whole runs; so does a run that
        is to leave everybody at rest."""
        remedied = self.policy != "budget" or self.angular_damping != 0.0 or self.linear_damping or self.attraction
        return self.arrivals != "together" and self.launch and self.landing == "caught" and not remedied
