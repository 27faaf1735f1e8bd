"""The one way to compile a kernel.

`@kernel` turns a function on arrays and scalars into machine code: cached on disk, GIL released, IEEE
arithmetic (no fastmath: the same bits everywhere), and division by zero gives inf/nan instead of raising.

Numba's disk cache notices an edit of the file a kernel stands in, but not of the files it calls into, and
then runs stale code. So every module gets a cache folder of its own, named by a hash of its source and of
every engine module it imports, transitively: an edit recompiles exactly what depends on it.

Kernels neither make arrays nor give any back, so whoever calls them keeps all they see alive, and nothing is counted.
(Counting who holds an array, at every touch of a NamedTuple of arrays, took half of the time.)
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
import numba.extending
import platformdirs
from numba import types
from numba.core import bytecode, caching, codegen, compiler
from numba.core.types import ExternalFunction
from numba.core.types.containers import BaseNamedTuple, BaseTuple
from numba.core.types.misc import unliteral

ENGINE = Path(__file__).resolve().parent


class WhereverTheSourceLies(caching.UserProvidedCacheLocator):
    """A cache folder is named by content already: two checkouts of the same source share their machine code, so a fresh
    clone or a moved one need not compile. (Numba would add a hash of the path.)"""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return super().from_function(py_func, py_file) if Path(py_file).is_relative_to(ENGINE) else None

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        return "code"


caching.CacheImpl._locator_classes.insert(0, WhereverTheSourceLies)

cpu_clock = ExternalFunction("clock", types.int64())
"""The C library's clock(): CPU time of the process in its ticks (microseconds on Linux and macOS). For kernels only."""

F = TypeVar("F", bound=Callable[..., Any])

KEEP_UNUSED_DAYS = 30.0  # cache folders nobody opened for this long are removed

registry: dict[str, Kernel] = {}
"""Every compiled kernel by qualified name, in order of definition (tests check their signatures)."""


def cache_root() -> Path:
    """Folder of all kernel caches; FOREGONE_CACHE overrides the user's cache folder."""
    chosen = os.environ.get("FOREGONE_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("foregone")) / "kernels"


class Kernel:
    """A function and its machine code, made when first needed. Two kinds of it: `inner` for other kernels, and `outer`
    for Python, which also unpacks Python objects. Importing a module of kernels costs next to nothing."""

    def __init__(self, function: Callable[..., Any], apart: bool) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.apart = apart
        registry[self.name] = self

    def __call__(self, *args: Any) -> Any:
        return self.outer(*args)

    @functools.cached_property
    def outer(self) -> Any:
        outer = self._dispatcher("called", {})
        _give_no_arrays(outer, self.name)
        return outer

    @functools.cached_property
    def inner(self) -> Any:
        inner = self._dispatcher("", {"no_cpython_wrapper": True, "no_cfunc_wrapper": True})
        _take_no_literals(inner)
        if self.apart:
            _stand_alone(inner, self.name)
        return inner

    def _dispatcher(self, folder: str, options: dict[str, Any]) -> Any:
        key = module_key(Path(self.function.__code__.co_filename))
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_root() / f"{self.function.__module__}-{key}" / folder)
        try:
            return numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False, **options)(self.function)
        finally:
            numba.config.CACHE_DIR = previous

    @property
    def _made(self) -> list[Any]:
        return [self.__dict__[side] for side in ("inner", "outer") if side in self.__dict__]

    @property
    def signatures(self) -> list[Any]:
        """What it has been compiled for, or loaded."""
        return [signature for made in self._made for signature in made.signatures]

    @property
    def compilations(self) -> int:
        """How often this process had to compile it because the cache did not have it."""
        return sum(sum(made.stats.cache_misses.values()) for made in self._made)


@numba.extending.typeof_impl.register(Kernel)
def _type_of_kernel(value: Kernel, context: Any) -> Any:
    """A kernel that is named inside another one is its inner machine code."""
    return types.Dispatcher(value.inner)


def kernel(function: F) -> F:
    """Compile `function` when it is called (see the module docstring for what is promised)."""
    return cast(F, Kernel(function, apart=False))


def standalone(function: F) -> F:
    """A kernel that other kernels call but never swallow: it is optimised once, not again inside every caller.

    Numba links the code of everything a kernel calls into it and optimises the whole anew, so the cost of compiling
    grows with the depth of calls. For kernels that do much per call, a call is cheap and that work is wasted."""
    return cast(F, Kernel(function, apart=True))


def _give_no_arrays(dispatcher: Any, name: str) -> None:
    """Refuse to compile what gives an array to Python: without counts numba hands out the whole of it for a part."""
    compile_ = dispatcher.compile

    def compile_checked(signature: Any) -> Any:
        entry = compile_(signature)
        if any(_holds_arrays(result.signature.return_type) for result in dispatcher.overloads.values()):
            dispatcher._reset_overloads()  # or the next call would find it compiled
            raise TypeError(f"{name} returns an array: only other kernels may call it")
        return entry

    dispatcher.compile = compile_checked


def _holds_arrays(kind: Any) -> bool:
    return any(map(_holds_arrays, kind.types)) if isinstance(kind, BaseTuple) else isinstance(kind, types.Array)


def _stand_alone(dispatcher: Any, name: str) -> None:
    """Mark the code of a dispatcher, so that callers keep its name instead of swallowing it."""
    compile_ = dispatcher.compile

    def compile_apart(signature: Any) -> Any:
        entry = compile_(signature)
        for arguments, result in dispatcher.overloads.items():
            result.library.__dict__.setdefault("foregone_call", Callee(name, arguments))
        return entry

    dispatcher.compile = compile_apart


@dataclass(frozen=True)
class Callee:
    """A standalone kernel for given argument types. Callers keep this: it must be loaded before they are."""

    name: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        """Load it from the cache, or compile it when it is not there."""
        importlib.import_module(self.name.rpartition(".")[0])
        inner = registry[self.name].inner
        if self.arguments in inner.overloads:
            return
        found = inner._cache.load_overload(self.arguments, inner.targetctx)
        if found is None:
            inner.compile(self.arguments)
            return
        found.library.__dict__["foregone_call"] = self
        inner.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        inner.add_overload(found)


def _link_unless_apart(self: Any, library: Any) -> None:
    """Numba's add_linking_library, but of a standalone kernel only the name is kept, to be found when it is called."""
    library._ensure_finalized()
    callee = library.__dict__.get("foregone_call")
    if callee is None:
        self._linking_libraries.append(library)
    else:
        self._reload_init.add(callee)
        self.__dict__.setdefault("foregone_needs", []).append(library)  # keeps the machine code alive


codegen.CPUCodeLibrary.add_linking_library = _link_unless_apart


def _load_machine_code(cls: Any, generator: Any, state: tuple[str, str, tuple[bytes, bytes]]) -> Any:
    """Numba's _unserialize, but the bitcode, which only callers that swallow a kernel need, is read when one comes:
    a third of a warm start."""
    name, _, (machine_code, bitcode) = state
    library = generator.create_library(name)
    library.enable_object_caching()
    library._set_compiled_object(machine_code)
    library.foregone_bitcode = bitcode
    library._finalize_final_module()
    return library


def _with_its_callees(cls: Any, *state: Any) -> Any:
    """Numba's CompileResult._rebuild, but the library remembers what must be loaded before it: whoever swallows it
    needs the same, and would call address zero without."""
    result = _rebuilt(*state)
    result.library._reload_init.update(result.reload_init)
    return result


def _bitcode_when_linked(self: Any) -> Any:
    if self._shared_module is None and "foregone_bitcode" in self.__dict__:
        self._shared_module = llvmlite.binding.parse_bitcode(self.foregone_bitcode)
    return _module_for_linking(self)


def _address(self: Any, name: str) -> int:
    """Address of a symbol of this library, 0 when it has none of this name."""
    if "foregone_bitcode" in self.__dict__:
        return self._codegen._engine.get_function_address(name)
    return _known_address(self, name)


_rebuilt = compiler.CompileResult._rebuild
compiler.CompileResult._rebuild = classmethod(_with_its_callees)
_module_for_linking = codegen.CPUCodeLibrary._get_module_for_linking
_known_address = codegen.JITCodeLibrary.get_pointer_to_function
codegen.CPUCodeLibrary._unserialize = classmethod(_load_machine_code)
codegen.CPUCodeLibrary._get_module_for_linking = _bitcode_when_linked
codegen.JITCodeLibrary.get_pointer_to_function = _address


def _name_by_content(function: Any) -> Any:
    """Numba's FunctionIdentity, but the names of kernels are the same in every process: cached code calls by name."""
    identity = _identity(function)
    if identity.modname.split(".")[0] == "engine":
        text = f"{identity.modname}.{identity.func_qualname} {module_key(Path(identity.filename))}"
        identity.unique_id = int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
    return identity


_identity = bytecode.FunctionIdentity.from_function
bytecode.FunctionIdentity.from_function = _name_by_content


def _take_no_literals(compiled: Any) -> None:
    """Let calls from other kernels pass constants as plain numbers: numba would compile a copy for every literal."""
    template = compiled.get_call_template

    def widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return template(tuple(_widen(kind) for kind in args), {name: _widen(kind) for name, kind in kws.items()})

    compiled.get_call_template = widened


def _widen(kind: Any) -> Any:
    if isinstance(kind, BaseTuple) and not isinstance(kind, BaseNamedTuple):
        return BaseTuple.from_types([_widen(member) for member in kind.types])
    return unliteral(kind)


@functools.cache
def module_key(path: Path) -> str:
    """Hash of a module's source, of the engine modules it imports (transitively) and of the compiler."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for member in sorted(_closure(path)):
        digest.update(str(member.relative_to(ENGINE.parent)).encode())
        digest.update(member.read_bytes())
    return digest.hexdigest()[:16]


def _closure(path: Path) -> set[Path]:
    seen: set[Path] = set()
    pending = [path]
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            pending.extend(_imported(current))
    return seen


IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(engine[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)"  # from engine.x import a, b
    rb"|import[ \t]+(engine[\w., \t]*))",  # import engine.x
    re.M,
)


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Engine source files that the module at `path` imports by name (read by pattern: parsing takes too long)."""
    found = []
    for module, names, plain in IMPORT.findall(path.read_bytes()):
        wanted = [name.strip() for name in plain.decode().split(",")] if plain else [module.decode()]
        if module:
            wanted += [f"{module.decode()}.{name}" for name in re.findall(r"\w+", re.sub("#.*", "", names.decode()))]
        for name in wanted:
            base = ENGINE.parent.joinpath(*name.split("."))
            found += [f for f in (base.with_suffix(".py"), base / "__init__.py") if f.is_file()]
    return tuple(found)


def prune_cache() -> int:
    """Remove kernel caches that no run has opened for KEEP_UNUSED_DAYS; returns how many went."""
    root, removed = cache_root(), 0
    if not root.is_dir():
        return 0
    oldest = time.time() - KEEP_UNUSED_DAYS * 86400.0
    for folder in root.iterdir():
        if folder.is_dir() and max((_last_used(file) for file in folder.rglob("*")), default=0.0) < oldest:
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed


def _last_used(file: Path) -> float:
    """Time of the latest access that the file system kept (some keep none but the writing)."""
    times = file.stat()
    return max(times.st_atime, times.st_mtime)
