"""Farm: takes on the machines of a Dask cluster. The scheduler gives the takes of a worker that dies to others."""

from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from engine.errors import ForegoneError
from engine.work.errand import NotWanted
from engine.work.parcel import Parcel
from engine.work.pipes import Shelf
from engine.work.prepare import prepare
from engine.work.warm import code_key

PATIENCE = 10.0  # s for the scheduler to answer, and for a first worker to come


class Farm(Executor):
    """`with Farm("tcp://10.0.0.5:8786") as farm: sample(scene, executor=farm)`. Whoever runs the cluster can read and
    change what it is sent: connect to one of your own."""

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        try:
            import distributed
        except ModuleNotFoundError as error:
            raise ForegoneError(f"a farm needs {error.name}: install Foregone with its extra `farm`") from None
        try:
            where = distributed.comm.get_address_host_port(address)
            socket.create_connection(where, patience).close()  # quicker than the client in saying that nobody is there
            self._client = distributed.Client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ForegoneError(f"no Dask scheduler answers at {address}: {error}") from None
        try:
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            self._client.close()
            raise ForegoneError(f"the farm at {address} has no workers: start some with `dask worker`") from None
        self._parcels: Shelf[Any] = Shelf()  # Dask's futures, by key

    @property
    def count(self) -> int:
        """Threads of the workers that are there now."""
        return sum(self._client.nthreads().values())

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        sent = [self._parcel(each) if isinstance(each, Parcel) else each for each in args]
        there = self._client.submit(same_code, code_key(), function, sent, kwargs, pure=False)
        here: Future[Any] = Future()

        def hand_over(there: Any) -> None:
            if here.set_running_or_notify_cancel():
                _pass_on(here, there)

        def call_back(here: Future[Any]) -> None:
            if here.cancelled():
                there.cancel()

        there.add_done_callback(hand_over)
        here.add_done_callback(call_back)
        return here

    def _parcel(self, parcel: Parcel[Any]) -> Any:
        """Sent once to the cluster, whose workers hand it to each other. As a task, so that it survives them."""
        if parcel.key not in self._parcels:
            task = self._client.submit(Parcel.packed, parcel.data, key=f"parcel-{parcel.key}")
            self._parcels.put(parcel.key, task)
        return self._parcels[parcel.key]

    def lines(self) -> FarmLines:
        return FarmLines()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """What is unfinished is cancelled: the scheduler forgets whom it does not hear any more."""
        self._client.close()


def _pass_on(here: Future[Any], there: Any) -> None:
    """From Dask's future to ours."""
    from distributed import KilledWorker

    try:
        here.set_result(there.result())
    except KilledWorker as error:
        here.set_exception(ForegoneError(f"workers of the farm died over a take: {error}"))
    except BaseException as error:  # cancelled where nobody here asked for it: the cluster is going down
        lost = there.status in ("cancelled", "lost")
        here.set_exception(ForegoneError("the farm has lost a take") if lost else error)


def same_code(key: str, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Run by a worker, which must make the same takes as we would."""
    if code_key() != key:
        from distributed import get_worker

        raise ForegoneError(f"the worker at {get_worker().address} has another version of Foregone")
    prepare()
    return function(*args, **kwargs)


class FarmLines:
    """Takes far away are asked nothing; the cluster itself tells them when they are cancelled."""

    def line(self, i: int) -> FarmLine:
        return FarmLine()

    def share(self, i: int) -> float:
        return 0.0

    def close(self) -> None: ...


@dataclass(frozen=True)
class FarmLine:
    def tell(self, share: float) -> None:
        from distributed import get_worker

        worker = get_worker()
        task = worker.state.tasks.get(worker.get_current_task())
        if task is None or task.state != "executing":
            raise NotWanted
