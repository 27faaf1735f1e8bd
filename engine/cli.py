"""The command `foregone`. Answers go to stdout, everything else to stderr.

Without a command, or with a file in its place, it opens the studio.
Exit codes: 0 success, 1 the run or the scene has a problem, 2 wrong usage, 3 no display for the studio, 130 stopped by
Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.errors import ForegoneError, SceneError
from engine.params import DEFAULT_DT
from engine.scene.entrance_words import BEFORES, ENTRANCE_KINDS, ORDERS, SIDES

FAILED, USAGE, INTERRUPTED = 1, 2, 130
EXAMPLE = "--example"  # opens the studio with a copy of an example
INSTALL_DESKTOP = "--install-desktop"
ARRIVALS = ("natural", "ahead", "together", "meeting", "dropped")
STANDARD = ("box", "brick", "capsule", "cylinder")  # bodies of statistics
DEMOS = ("die", "slide", "stack", "chain", "door", "ragdoll", "exit", "exit-die")
HYPHENED = tuple(order.replace(" ", "-") for order in ORDERS)  # as staggers are typed
SPREAD = 30.0  # degrees around a side that is given by one number
MANNERS = ("natural", "preview")
REMEDIES = ("constant", "blend", "angular-damping", "linear-damping", "attraction", "unit-links")
PLANES = ("top", "front", "side")
TOPICS = ("stability", "wedged", "contact", "consistency")
BENCHES = (
    *("certification", "boxes", "hints", "meeting", "particles", "landings", "joints", "arrivals"),
    *(
        "entrances",
        "batch",
        "exports",
        "exit",
        "inspectors",
        "verdicts",
        "closed-forms",
        "forgeries",
        "tunnelling",
        "wishes",
    ),
    "reach",
    *("walls", "patches", "determinism", "fast", "exact", "balls", "box", "start", "memory", "sampling"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] == EXAMPLE or not (arguments[0].startswith("-") or arguments[0] in COMMANDS):
        return _studio(arguments)
    if arguments == [INSTALL_DESKTOP]:
        from engine.commands.desktop import install_desktop

        return install_desktop()
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as stop:  # argparse has spoken already
        return stop.code if isinstance(stop.code, int) else USAGE
    return _guarded(options)


def program() -> int:
    """`main`, as a program. Ctrl-C ends it at once: taking the compiled engine apart would take half a second."""
    code = main()
    if code == INTERRUPTED:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


def version() -> str:
    try:
        return importlib.metadata.version("foregone")
    except importlib.metadata.PackageNotFoundError:
        return "0 (not installed)"


def _studio(arguments: list[str]) -> int:
    """The window. It stands above the engine, which therefore knows it by name only."""
    from engine.commands.output import complain

    if arguments and arguments[0] != EXAMPLE and not Path(arguments[0]).exists():
        complain(f"there is neither a command nor a file {arguments[0]!r}. `foregone --help` lists commands.")
        return USAGE
    try:
        start = importlib.import_module("app.shell.start")
        return int(start.main(arguments))
    except ModuleNotFoundError as error:
        complain(f"the studio needs {error.name}, which is not installed: install Foregone with its extra `studio`.")
        complain("`foregone demo die --out out/die` and the other commands work without it.")
        return FAILED


def _guarded(options: argparse.Namespace) -> int:
    """Errors on purpose become sentences, not tracebacks."""
    from engine.commands.output import answer, complain

    try:
        return int(COMMANDS[options.command](options))
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
    except (ForegoneError, OSError, ValueError, MemoryError) as error:
        message = str(error) or type(error).__name__
        problems = [str(problem) for problem in error.problems] if isinstance(error, SceneError) else []
        if problems:
            complain("the scene cannot be run:")
            for problem in problems:
                sys.stderr.write(f"  {problem}\n")
        else:
            complain(message)
        if options.as_json:
            answer({"error": message, "problems": problems})
        return FAILED


def _command(place: str) -> Callable[[argparse.Namespace], int]:
    """A function of engine/commands, "module:name", asked with all options by their names. Loaded only then: the
    engine behind it takes a while."""
    module, _, name = place.partition(":")

    def run(options: argparse.Namespace) -> int:
        given = {key: value for key, value in vars(options).items() if key != "command"}
        return int(getattr(importlib.import_module(f"engine.commands.{module}"), name)(**given))

    return run


def _bench(options: argparse.Namespace) -> int:
    """Measurements stand beside the tests, in a checkout; they are no part of what is installed."""
    checkout = Path(__file__).resolve().parents[1]
    if not (checkout / "tests" / "bench" / "command.py").is_file():
        raise ForegoneError("benchmarks are in the repository, not in the installed program: run this in a checkout")
    sys.path.insert(0, str(checkout))
    command = importlib.import_module("tests.bench.command")
    if options.profile:
        return int(command.stages(options.as_json, options.quick))
    folder = Path(options.results) if options.results else None
    chosen = options.names or BENCHES
    only = tuple(part for part in options.only.split(",") if part)
    return int(command.bench(chosen, options.as_json, options.quick, options.csv, options.compare, folder, only))


def _doctor(options: argparse.Namespace) -> int:
    from engine.commands.doctor import doctor

    return doctor(version(), options.as_json)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "run": _command("run:run"),
    "demo": _command("demo:demo"),
    "import": _command("layout:import_layout"),
    "inspect": _command("inspect:inspect_file"),
    "reach": _command("reach:reach"),
    "export": _command("export:export_file"),
    "bench": _bench,
    "statistics": _command("statistics:statistics"),
    "doctor": _doctor,
}


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}") from None
    if not (math.isfinite(value) and value > 0.0):
        raise argparse.ArgumentTypeError(f"must be a positive number, not {text}")
    return value


def _step(text: str) -> float:
    """A step in seconds; "1/480" is understood."""
    numerator, _, denominator = text.partition("/")
    value = _positive(numerator) / (_positive(denominator) if denominator else 1.0)
    if value > 0.1:
        raise argparse.ArgumentTypeError(f"a step must be at most 0.1 s, not {text}")
    return value


def _count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return value


def _not_negative(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}") from None
    if not (math.isfinite(value) and value >= 0.0):
        raise argparse.ArgumentTypeError(f"must be 0 or more, not {text}")
    return value


def _span(text: str) -> tuple[float, float]:
    """LOWEST:HIGHEST; one number is both."""
    low, colon, high = text.partition(":")
    found = _not_negative(low), _not_negative(high if colon else low)
    if found[0] > found[1]:
        raise argparse.ArgumentTypeError(f"must be LOWEST:HIGHEST, not {text}")
    return found


def _side(text: str) -> str | tuple[float, float]:
    """A word, or DEGREES[:SPREAD]."""
    if text in SIDES:
        return text
    degrees, colon, spread = text.partition(":")
    try:
        found = float(degrees), float(spread) if colon else SPREAD
    except ValueError:
        found = math.nan, math.nan
    if not math.isfinite(found[0]):
        raise argparse.ArgumentTypeError(f"must be {', '.join(SIDES)} or DEGREES[:SPREAD], not {text!r}")
    if not 0.0 <= found[1] <= 360.0:
        raise argparse.ArgumentTypeError(f"must have a spread from 0 to 360 degrees, not {spread}")
    return found


def _order(text: str) -> str:
    """Of a stagger; "left-to-right" is easier to type than words with spaces."""
    words = text.replace("-", " ")
    if words not in ORDERS:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(HYPHENED)}, not {text!r}")
    return words


def _bench_name(text: str) -> str:
    if text not in BENCHES:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(BENCHES)}, not {text!r}")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "foregone", description="Rigid-body animation from its ending. `foregone [FILE]` opens the studio."
    )
    parser.add_argument("--version", action="version", version=f"foregone {version()}")
    parser.add_argument(INSTALL_DESKTOP, action="store_true", default=argparse.SUPPRESS, help="add it to Linux menus")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    run = _run_parser(commands)

    demo = commands.add_parser("demo", help="generate, rank and picture an example")
    demo.add_argument("name", choices=DEMOS)
    demo.add_argument("--takes", type=_count, default=4, help="how many (4)")
    demo.add_argument("--seconds", type=_positive, default=None, help="length of a take")
    _common(demo)

    layout = _import_parser(commands)
    inspect = _inspect_parser(commands)
    reach = _reach_parser(commands)

    export = _export_parser(commands)

    bench = commands.add_parser("bench", help="measure quality and speed; takes minutes")
    bench.add_argument(
        "names", nargs="*", metavar="NAME", type=_bench_name, help=f"{', '.join(BENCHES)}; all without it"
    )
    bench.add_argument("--quick", action="store_true", help="a small version of each, in seconds")
    bench.add_argument("--only", metavar="PART[,PART]", default="", help="parts of one that has some: entrances")
    bench.add_argument("--csv", action="store_true", help="keep the results, with date, commit and machine")
    bench.add_argument("--compare", action="store_true", help="show costs beside those of the last run kept")
    bench.add_argument("--results", metavar="DIR", help="folder of the kept results (tests/bench/results)")
    bench.add_argument("--profile", action="store_true", help="where the time of a step goes, stage by stage")
    statistics = commands.add_parser("statistics", help="contact states of a body before rest, as a picture")
    statistics.add_argument("--shape", choices=STANDARD, default=STANDARD[0], help="whose drops (box)")
    statistics.add_argument("--runs", type=_count, default=200, help="how many drops, forward and backward (200)")
    statistics.add_argument("--dt", type=_step, default=DEFAULT_DT, help="step in s (1/480)")
    statistics.add_argument("--out", required=True, metavar="FILE", help="picture to write, a PNG")
    doctor = commands.add_parser("doctor", help="what this installation is and whether it can work")
    for command in (run, demo, layout, inspect, reach, export, bench, statistics, doctor):
        words = "print one JSON object on stdout and nothing else there"
        command.add_argument("--json", dest="as_json", action="store_true", help=words)
    return parser


def _run_parser(commands: Any) -> argparse.ArgumentParser:
    run = commands.add_parser("run", help="generate takes of a project file")
    run.add_argument("file", metavar="FILE")
    run.add_argument("--takes", type=_count, default=16, help="how many (16)")
    run.add_argument("--seconds", type=_positive, default=2.0, help="length of a take (2)")
    run.add_argument(
        "--arrivals",
        choices=ARRIVALS,
        default=ARRIVALS[0],
        help="let go near their places as it suits each (natural); or under way from the first frame: one by one, "
        "all at once, such that they collide on the way, or dropped in place",
    )
    run.add_argument("--manner", choices=MANNERS, default="natural", help="preview: quicker, arrivals look plainer")
    run.add_argument("--policy", action="append", choices=REMEDIES, default=[],
                     help="a remedy of Twigg and James 2008, to compare: bodies go back all at once, and contacts are "
                     "bent or pushed beyond what materials explain; may be repeated")  # fmt: skip
    _entrance_arguments(run)
    where = run.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=_count, default=1, metavar="J", help="takes made at once, by processes (1)")
    where.add_argument("--farm", metavar="ADDRESS", help="make them on a Dask cluster, e.g. tcp://10.0.0.5:8786")
    _common(run)
    return run


def _entrance_arguments(run: argparse.ArgumentParser) -> None:
    """How bodies come in, for all of whom the scene does not say it by name."""
    run.add_argument("--entrance", choices=ENTRANCE_KINDS, help="how bodies come in (as the scene says, else auto)")
    run.add_argument("--from", dest="side", type=_side, metavar="SIDE",
                     help=f"{', '.join(SIDES)}, or DEGREES[:SPREAD] from x toward y")  # fmt: skip
    run.add_argument("--height", type=_span, metavar="LO:HI", help="m over its place at which a body is let go")
    run.add_argument("--speed", type=_span, metavar="LO:HI", help="m/s at which it is let go")
    run.add_argument("--spin", type=_span, metavar="LO:HI", help="rad/s at which it is let go")
    run.add_argument("--before", choices=BEFORES, help="what it is until then")
    run.add_argument("--stagger", type=_order, metavar="ORDER", help=f"who comes when: {', '.join(HYPHENED)}")
    run.add_argument("--stagger-seconds", type=_not_negative, metavar="S", help="between two bodies (as it fits)")


def _inspect_parser(commands: Any) -> argparse.ArgumentParser:
    inspect = commands.add_parser("inspect", help="what there is to know about the bodies of a project")
    inspect.add_argument("file", metavar="FILE")
    inspect.add_argument("--body", dest="bodies", action="append", default=[], metavar="NAME",
                         help="only this one; may be repeated")  # fmt: skip
    inspect.add_argument("--topic", dest="topics", action="append", default=[], choices=TOPICS,
                         help="only this one; may be repeated (all of them)")  # fmt: skip
    inspect.add_argument("--push", type=float, nargs=3, default=(0.0, 0.0, 0.0), metavar=("X", "Y", "Z"),
                         help="N at the middle of each body that is asked about, besides gravity")  # fmt: skip
    inspect.add_argument("--loads", metavar="OUT", help="a picture (.png) or table (.csv) of the forces that the one "
                         "--body withstands at its middle, in every direction")  # fmt: skip
    inspect.add_argument("--take", metavar="ID", help="in a take of the project, or in a file take-*.npz")
    moment = inspect.add_mutually_exclusive_group()
    moment.add_argument("--frame", type=int, metavar="N", help="of the take, as the timeline counts (the last one)")
    moment.add_argument("--time", type=float, metavar="T", help="in s of the take (its end)")
    return inspect


def _reach_parser(commands: Any) -> argparse.ArgumentParser:
    reach = commands.add_parser(
        "reach", help="where random throws of a body come to rest, and whether its ending is there"
    )
    reach.add_argument("file", metavar="FILE")
    reach.add_argument("--body", metavar="NAME", help="which one is thrown (the only one that moves)")
    reach.add_argument("--throws", type=_count, default=10_000, help="how many (10000)")
    reach.add_argument("--seed", type=int, default=0, help="other throws (0)")
    reach.add_argument("--spread", type=_positive, metavar="M", help="around its place from where it is thrown")
    reach.add_argument("--jobs", type=_count, default=1, metavar="J", help="throws made at once (1)")
    reach.add_argument("--plane", choices=PLANES, default=PLANES[0], help="from where the map is seen (top)")
    moment = reach.add_mutually_exclusive_group()
    moment.add_argument("--before", type=_not_negative, default=0.0, metavar="S", help="s before rest; at most 2 (0)")
    moment.add_argument("--let-go", action="store_true", help="where throws begin")
    reach.add_argument("--nearest", type=_count, metavar="N", help="only the N throws that end nearest to the ending")
    reach.add_argument("--snap", metavar="PROJECT", help="to write, with the body at the nearest ending throws reach")
    reach.add_argument("--out", action="append", required=True, metavar="FILE",
                       help="map to write: PNG, JSON, or CSV with all throws; may be repeated")  # fmt: skip
    return reach


def _import_parser(commands: Any) -> argparse.ArgumentParser:
    from engine.export import settings

    layout = commands.add_parser("import", help="make a layout from USD, glTF or OBJ the ending of a project")
    layout.add_argument("file", metavar="FILE")
    layout.add_argument("--unit", choices=tuple(settings.UNITS), help="of the file, whatever it says (its own)")
    layout.add_argument("--up", choices=tuple(settings.UPS), help="axis of the file that points up (the file's own)")
    layout.add_argument(
        "--out", required=True, metavar="PROJECT", help="to write; in one that is there, bodies are found by name"
    )
    return layout


def _export_parser(commands: Any) -> argparse.ArgumentParser:
    from engine.export import settings

    export = commands.add_parser("export", help="write a take for another program")
    export.add_argument("file", metavar="FILE")
    export.add_argument("--take", metavar="ID", help="of the project, or a file take-*.npz (the shot)")
    export.add_argument("--to", choices=tuple(settings.FORMATS), help="format (by the suffix of --out)")
    export.add_argument("--target", choices=tuple(settings.TARGETS), help="whose habits to follow (the format's own)")
    export.add_argument("--out", required=True, metavar="PATH", help="file to write, or folder to write it in")
    export.add_argument("--fps", type=_positive, help="frames per second; 23.976 is 24000/1001 (the project's)")
    export.add_argument("--first", type=int, metavar="N", help="first frame to write, as the timeline counts")
    export.add_argument("--last", type=int, metavar="N", help="last one")
    export.add_argument("--start", type=int, metavar="N", help="number of the first frame, without handles")
    export.add_argument("--handles", type=int, metavar="N", help="frames before it")
    export.add_argument("--hold", type=int, metavar="N", help="frames that stay at the last pose")
    export.add_argument("--unit", choices=tuple(settings.UNITS))
    export.add_argument("--up", choices=tuple(settings.UPS))
    export.add_argument("--hand", choices=tuple(settings.HANDS))
    export.add_argument("--rotation", choices=tuple(settings.ROTATIONS))
    export.add_argument("--thin", type=_positive, metavar="MM", help="leave out keys that change nothing by this much")
    export.add_argument("--still-keys", action="store_true", default=None, help="keys for bodies that do not move, too")
    export.add_argument("--no-extras", action="store_false", dest="extras", default=None, help="no custom properties")
    export.add_argument("--no-subframes", action="store_false", dest="subframes", default=None, help="whole frames")
    export.add_argument("--instances", action="store_true", default=None, help="USD: one PointInstancer")
    export.add_argument("--width", type=_count, metavar="PX", help="of pictures (1280)")
    export.add_argument("--height", type=_count, metavar="PX", help="of pictures (720)")
    return export


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=int, default=0, help="of the first take; the others count on from it (0)")
    command.add_argument("--dt", type=_step, default=DEFAULT_DT, help="step in s, for example 1/1000 (1/480)")
    command.add_argument("--fps", type=_positive, default=24.0, help="frames per second of the CSV (24)")
    command.add_argument("--out", required=True, metavar="DIR", help="folder to write to")


if __name__ == "__main__":
    sys.exit(program())
