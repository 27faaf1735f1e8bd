"""The one way to compile a kernel.

`@kernel` turns a function on arrays and scalars into machine code: cached on disk, GIL released, IEEE
arithmetic (no fastmath: the same bits everywhere), and division by zero gives inf/nan instead of raising.

Kernels neither make arrays nor give any back, so whoever calls them keeps all they see alive, and nothing is counted.
(Counting who holds an array, at every touch of a NamedTuple of arrays, took half of the time.)
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import sys
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
import numba.extending
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import bytecode, caching, cgutils, codegen, compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.datamodel import models
from numba.core.types import ExternalFunction
from numba.core.types.containers import BaseNamedTuple, BaseTuple
from numba.core.types.misc import unliteral
from numba.core.typing.templates import AttributeTemplate

from engine.kernel_cache import ENGINE, home_of, module_key, processor, stocked
from engine.locks import alone
from engine.record import Record

numba.config.CPU_NAME, numba.config.CPU_FEATURES = processor(), ""


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

registry: dict[str, Kernel] = {}
"""Every compiled kernel by qualified name, in order of definition (tests check their signatures)."""


class Kernel:
    """A function and its machine code, made when first needed. Two kinds of it: `inner` for other kernels, and `outer`
    for Python, which also unpacks Python objects. Importing a module of kernels costs next to nothing."""

    def __init__(self, function: Callable[..., Any], apart: bool = False, inline: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.apart = apart
        # What numba asks of a callee: whether its lines are to stand in the caller's.
        self.py_func, self.targetoptions = function, {"inline": "always" if inline else "never"}
        registry[self.name] = self

    def __call__(self, *args: Any) -> Any:
        return self.outer(*[handle_of(each) if isinstance(each, Record) else each for each in args])

    @functools.cached_property
    def outer(self) -> Any:
        outer = self._dispatcher("called", {}, _calling(self) if self.apart else self.function)
        _give_no_arrays(outer, self.name)
        return outer

    @functools.cached_property
    def inner(self) -> Any:
        inner = self._dispatcher("", {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}, self.function)
        _take_no_literals(inner)
        if self.apart:
            _stand_alone(inner, self.name)
        return inner

    def _dispatcher(self, folder: str, options: dict[str, Any], function: Callable[..., Any]) -> Any:
        home = stocked(self.function) / folder
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(home)
        try:
            made = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False, **options)(function)
        finally:
            numba.config.CACHE_DIR = previous
        _compile_once(made, home / f"{self.function.__qualname__}.lock")
        return made

    @property
    def _made(self) -> list[Any]:
        return [self.__dict__[side] for side in ("inner", "outer") if side in self.__dict__]

    @property
    def signatures(self) -> list[Any]:
        """What it has been compiled for, or loaded. (What Python calls of a standalone kernel only hands on.)"""
        sides = ("inner",) if self.apart else ("inner", "outer")
        made = [self.__dict__[side] for side in sides if side in self.__dict__]
        return [signature for each in made for signature in each.signatures]

    @property
    def compilations(self) -> int:
        """How often this process had to compile it because the cache did not have it."""
        return sum(sum(made.stats.cache_misses.values()) for made in self._made)


@numba.extending.typeof_impl.register(Kernel)
def _type_of_kernel(value: Kernel, context: Any) -> Any:
    """A kernel that is named inside another one is its inner machine code."""
    return types.Dispatcher(value.inner)


class Reference(types.Type):
    """A record as kernels see it: the address of its words (record.py)."""

    def __init__(self, record: type[Record], fields: tuple[tuple[str, Any], ...]) -> None:
        self.record, self.fields = record, dict(fields)
        self.offsets, self.words = {}, 0
        for name, kind in fields:
            self.offsets[name] = self.words
            self.words += kind.words if isinstance(kind, Reference) else _words_of(kind)
        digest = hashlib.sha256(repr(fields).encode()).hexdigest()[:12]
        super().__init__(f"&{record.__module__}.{record.__qualname__}.{digest}")


def _words_of(kind: Any) -> int:
    if isinstance(kind, types.UniTuple):
        return int(kind.count)
    return 3 + 2 * kind.ndim if isinstance(kind, types.Array) else 1


@functools.cache
def _handles(kind: Reference) -> Any:
    """What Python hands over of a record: the address of its words. A named tuple for every kind of record: numba knows
    such classes at once, and knows them apart by their names and fields alone."""
    Handle = type("Handle_" + hashlib.sha256(kind.name.encode()).hexdigest(), (namedtuple("Handle", "address"),), {})
    numba.extending.typeof_impl.register(Handle, lambda value, context: kind)
    return Handle


def handle_of(record: Record) -> Any:
    """Made when first asked for: records are frozen."""
    try:
        return object.__getattribute__(record, "_handle")
    except AttributeError:
        handle = _handles(_kind_of(record))(record._in_words().ctypes.data)
        object.__setattr__(record, "_handle", handle)
        return handle


_references: dict[Any, Reference] = {}
_array_kinds: dict[Any, Any] = {}


def _kind_of(value: Any) -> Any:
    """numba.typeof, which takes microseconds an array: a scratch has three hundred, and a run makes one."""
    if isinstance(value, Record):
        return _kind_of_record(value)
    if not isinstance(value, np.ndarray):
        return numba.typeof(value)
    key = value.dtype, value.ndim, value.flags.num
    if key not in _array_kinds:
        _array_kinds[key] = numba.typeof(value)
    return _array_kinds[key]


def _kind_of_record(record: Record) -> Reference:
    try:
        return cast(Reference, object.__getattribute__(record, "_kind"))
    except AttributeError:
        kinds = [_kind_of(each) for each in record]
        known = type(record), *map(id, kinds)  # each there once, and kept; their own hashes are slow
        if known not in _references:
            _references[known] = Reference(type(record), tuple(zip(record._fields, kinds, strict=True)))
        object.__setattr__(record, "_kind", _references[known])
        return _references[known]


@numba.extending.typeof_impl.register(Record)
def _type_of_record(value: Record, context: Any) -> Any:
    return _kind_of(value)


@numba.extending.register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Reference) -> None:
        super().__init__(manager, kind, ir.IntType(8).as_pointer())


@numba.extending.infer_getattr
class _FieldTypes(AttributeTemplate):
    key = Reference

    def generic_resolve(self, kind: Reference, name: str) -> Any:
        return kind.fields.get(name)


@numba.extending.lower_getattr_generic(Reference)
def _read_field(context: Any, builder: Any, kind: Reference, address: Any, name: str) -> Any:
    """A field from the words of a record. They never change: what was read once need not be read again, whatever has
    been written to arrays since."""
    field, first = kind.fields[name], kind.offsets[name]
    if isinstance(field, Reference):
        return builder.gep(address, [ir.IntType(64)(8 * first)])

    def word(k: int, of: Any) -> Any:
        place = builder.gep(address, [ir.IntType(64)(8 * (first + k))])
        read = builder.load(builder.bitcast(place, of.as_pointer()))
        read.set_metadata("invariant.load", builder.module.add_metadata([]))
        return read

    if isinstance(field, types.UniTuple):
        number = context.get_value_type(field.dtype)
        return cgutils.pack_array(builder, [word(k, number) for k in range(field.count)], number)
    if not isinstance(field, types.Array):
        return word(0, context.get_value_type(field))
    array = context.make_array(field)(context, builder)
    whole, n = ir.IntType(64), field.ndim
    array.meminfo = ir.Constant(array.meminfo.type, None)
    array.parent = ir.Constant(array.parent.type, None)
    array.nitems, array.itemsize = word(0, whole), word(1, whole)
    array.data = word(2, array.data.type)
    array.shape = cgutils.pack_array(builder, [word(3 + k, whole) for k in range(n)], whole)
    array.strides = cgutils.pack_array(builder, [word(3 + n + k, whole) for k in range(n)], whole)
    return array._getvalue()


@numba.extending.unbox(Reference)
def _address_of(kind: Reference, value: Any, c: Any) -> Any:
    number = c.pyapi.tuple_getitem(value, 0)  # of a Handle
    return numba.extending.NativeValue(c.pyapi.long_as_voidptr(number))


def kernel(function: F) -> F:
    """Compile `function` when it is called (see the module docstring for what is promised)."""
    return cast(F, Kernel(function))


def inline(function: F) -> F:
    """A kernel whose lines stand in those of its caller, for what is called from one place: it is never compiled by
    itself, unless Python calls it."""
    return cast(F, Kernel(function, inline=True))


def standalone(function: F) -> F:
    """A kernel that other kernels call but never swallow: it is optimised once, not again inside every caller.

    Numba links the code of everything a kernel calls into it and optimises the whole anew, so the cost of compiling
    grows with the depth of calls. For kernels that do much per call, a call is cheap and that work is wasted."""
    return cast(F, Kernel(function, apart=True))


def bound(pattern: Callable[..., Any], name: str, **others: Any) -> Any:
    """The kernel `pattern` with other kernels, or numbers, in the place of some that it knows by name. Bound when it is
    compiled: as `name` of the module that calls this, by itself, with nothing left to choose while it runs.

        backward_step(...)   reads as a list of stages, among them choose(...)
        meet_step = bound(backward_step, "meet_step", choose=choose_anew)
    """
    source = cast(Kernel, pattern)
    unknown = others.keys() - source.function.__globals__.keys()
    if unknown:
        raise NameError(f"{source.name} knows no {', '.join(sorted(unknown))}")
    code = source.function.__code__.replace(co_name=name, co_qualname=name)
    made = FunctionType(code, {**source.function.__globals__, **others}, name)
    made.__module__, made.__doc__ = sys._getframe(1).f_globals["__name__"], source.function.__doc__
    return Kernel(made, source.apart)


def address_of(callee: Callable[..., Any], *like: Any) -> int:
    """Where the machine code of a kernel begins, for arguments like these; made when it is not there yet. For tables of
    kernels of which a run needs some only (see `calls`)."""
    inner = cast(Kernel, callee).inner
    kinds = tuple(_widen(numba.typeof(each)) for each in like)
    inner.compile(kinds)
    made = inner.overloads[kinds]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def calls(returns: Any) -> Any:
    """What kernels call a kernel by that they know the address of: call(address, (argument, ...)), with arguments of
    the kinds that its address was asked for."""

    @numba.extending.intrinsic
    def call(typing: Any, address: Any, arguments: Any) -> Any:
        def made(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kinds = tuple(signature.args[1].types)
            kind = context.call_conv.get_function_type(returns, kinds)
            function = builder.inttoptr(values[0], kind.as_pointer())
            handed = cgutils.unpack_tuple(builder, values[1])
            return context.call_conv.call_function(builder, function, returns, kinds, handed)[1]

        return returns(types.int64, arguments), made

    return call


BOOL = types.boolean
NUMBER_AND_VECTOR = types.Tuple((types.float64, types.UniTuple(types.float64, 3)))


inner: Any = None  # of `_call_inner`, a kernel


def _call_inner(*args: Any) -> Any:
    return inner(*args)


def _calling(callee: Kernel) -> Callable[..., Any]:
    """What Python calls of a standalone kernel: a call of its machine code, which is not made twice."""
    name, home = callee.function.__qualname__, callee.function.__module__
    made = FunctionType(_call_inner.__code__.replace(co_name=name, co_qualname=name), {"inner": callee}, name)
    made.__module__ = home
    return made


_being_made: list[Path] = []  # by this process


def _compile_once(dispatcher: Any, path: Path) -> None:
    """Of several processes that need a kernel one compiles it, and the others find it in the cache. (Nobody waits in a
    circle: who compiles a kernel waits for those it calls, and none calls itself.)"""
    compile_ = dispatcher.compile

    def compile_alone(signature: Any) -> Any:
        with global_compiler_lock, contextlib.nullcontext() if path in _being_made else alone(path):
            _being_made.append(path)
            try:
                return compile_(signature)
            finally:
                _being_made.pop()

    dispatcher.compile = compile_alone


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


def _none_of_another_version(read: Any, nothing: Any) -> Any:
    """What a cache keeps names the records that kernels were made for. Another version of the source may have records
    in modules that this one has not: its machine code is not ours, and is made anew."""

    def reading(self: Any, *key: Any) -> Any:
        try:
            return read(self, *key)
        except (ImportError, AttributeError):
            return nothing()

    return reading


caching.IndexDataCacheFile._load_index = _none_of_another_version(caching.IndexDataCacheFile._load_index, dict)
caching.IndexDataCacheFile.load = _none_of_another_version(caching.IndexDataCacheFile.load, lambda: None)


def _name_by_content(function: Any) -> Any:
    """Numba's FunctionIdentity, but the names of kernels are the same in every process: cached code calls by name."""
    identity = _identity(function)
    if f"{identity.modname}.{identity.func_qualname}" in registry:
        code = function.__code__.co_code  # of two that share a name one calls the other (see _calling)
        text = f"{identity.modname}.{identity.func_qualname} {module_key(home_of(function))} {code!r}"
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
