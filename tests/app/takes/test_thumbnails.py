"""Thumbnails: what they show, when they are made, and that a project brings them along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from projects import open_project, save_project
from PySide6.QtGui import QImage

from app.camera import Camera
from app.look.look import Look
from app.session.one_by_one import OneByOne
from app.session.settings import Settings
from app.viewport.thumbnails import HEIGHT, WIDTH, Thumbnails
from engine.scene.film import Film
from engine.scene.take_files import FILM, THUMB


def bytes_of(image: QImage) -> bytes:
    plain = image.convertToFormat(QImage.Format.Format_RGB32)  # its bits live as long as it does
    return bytes(plain.constBits())


def test_one_job_per_turn_newest_value_in_its_place(qtbot) -> None:
    done: list = []
    queue = OneByOne(lambda key, value: done.append((key, value)))
    for key, value in (("a", 1), ("b", 2), ("a", 3)):
        queue.ask(key, value)
    assert done == [] and list(queue.waiting) == ["a", "b"]
    qtbot.waitUntil(lambda: len(done) == 2)
    assert done == [("a", 3), ("b", 2)]


def test_jobs_wait_while_something_urgent_goes_on(qtbot) -> None:
    done: list = []
    queue = OneByOne(lambda key, value: done.append(key))
    queue.pause = 80
    queue.ask("a", 0)
    for _ in range(10):
        queue.postpone()
        qtbot.wait(10)
    assert done == []
    qtbot.waitUntil(lambda: done == ["a"], timeout=1000)


def test_a_picture_is_made_once_and_again_when_it_differs(desk, qtbot) -> None:
    thumbnails = desk.thumbnails
    assert thumbnails.request("t1", 2.0) is None
    with qtbot.waitSignal(thumbnails.ready, timeout=5000) as ready:
        pass
    assert ready.args == ["t1"]
    image = thumbnails.request("t1", 2.0)
    assert (image.width(), image.height()) == (WIDTH, HEIGHT) and not thumbnails.queue.waiting
    assert thumbnails.request("t1", 1.0) is image and list(thumbnails.queue.waiting) == ["t1"]  # the old one until then
    with qtbot.waitSignal(thumbnails.ready, timeout=5000):
        pass
    assert bytes_of(thumbnails.request("t1", 1.0)) != bytes_of(image)


def test_who_is_unseen_then_is_not_in_the_picture(desk) -> None:
    thumbnails, film = desk.thumbnails, desk.document.takes.film("t1")
    camera = Camera(distance=20.0)
    seen = np.full(len(film.bodies), film.first)
    seen[0] = film.ending - 1.0

    def drawn(film: Film, before: float) -> bytes:
        image = thumbnails._drawn(film, before, (WIDTH, HEIGHT), camera=camera)
        assert image is not None
        return bytes_of(image)

    late = replace(film, seen=seen)
    rows = thumbnails._cache.rows
    assert drawn(late, 1.5) != drawn(film, 1.5) and drawn(late, 0.5) == drawn(film, 0.5)
    thumbnails._pose(late, 1.5)
    assert len(rows(film.bodies)) == len(rows(film.bodies, unseen=True)) - 1
    assert thumbnails._framing([late], 1.5, (WIDTH, HEIGHT)) is not None


def test_it_is_seen_from_the_side_of_the_view(desk, qtbot) -> None:
    from PySide6.QtCore import QCoreApplication

    film = desk.document.takes.film("t1")
    first = desk.thumbnails._drawn(film, 2.0, (WIDTH, HEIGHT))
    desk.camera = Camera((0.0, 0.0, 0.3), 3.0, azimuth=1.0)
    with qtbot.waitSignal(desk.thumbnails.outdated):
        desk.thumbnails.outdate()
    QCoreApplication.processEvents()
    assert bytes_of(desk.thumbnails._drawn(film, 2.0, (WIDTH, HEIGHT))) != bytes_of(first)


def test_it_shows_the_poses_of_the_film(desk) -> None:
    """A body of the film stands where the picture has its colour."""
    scene = desk.document.scene
    red = [replace(body, color="#ff0000") for body in scene.bodies[:1]]
    desk.document.new(replace(scene, bodies=red, takes=[]))
    from films import film_arrays, take_card, write_film

    arrays = film_arrays(desk.document.scene, 3)
    write_film(desk.document.takes.folder, "t1", arrays)
    desk.document.edit("Take", replace(desk.document.scene, takes=[take_card(1, 50.0)]))
    film = desk.document.takes.film("t1")
    desk.camera = Camera((50.0, 0.0, 0.0), 2.0)  # looks elsewhere: only its direction counts
    before, size = film.ending - 1.0, (WIDTH, HEIGHT)
    place = film.at(1.0)[0][0]
    assert np.linalg.norm(place - desk.document.scene.bodies[0].position) > 0.5
    camera = desk.thumbnails._framing([film], before, size)
    x, y = camera.project(place, *size)[0][0]
    assert 0 < x < WIDTH and 0 < y < HEIGHT
    color = desk.thumbnails._drawn(film, before, size).pixelColor(round(x), round(y))
    assert color.red() > 2 * max(color.green(), color.blue())


def test_every_moving_body_and_its_ending_is_in_the_picture(desk) -> None:
    desk.camera, size = Camera((9.0, 9.0, 0.0), 0.5, azimuth=0.7), (WIDTH, HEIGHT)
    ends = np.array([body.position for body in desk.document.scene.bodies])
    film = desk.document.takes.film("t2")
    calm = desk.thumbnails._framing([film], 0.0, size).distance
    for before in (0.0, 1.0, 3.5):
        camera = desk.thumbnails._framing([film], before, size)
        pixels = camera.project(np.concatenate([ends, film.at(film.ending - before)[0]]), *size)[0]
        assert (pixels > 0).all() and (pixels < size).all()
        assert camera.distance >= calm - 1e-9 and camera.azimuth == 0.7


def test_a_project_brings_its_pictures_along(desk, qtbot, tmp_path) -> None:
    thumbnails = desk.thumbnails
    for key in desk.keys:
        thumbnails.request(key, None)
    qtbot.waitUntil(lambda: not thumbnails.queue.waiting, timeout=5000)
    assert all(desk.document.takes.fresh(key, THUMB) for key in desk.keys)
    kept = bytes_of(thumbnails.request("t1", None))
    save_project(desk.document, tmp_path / "p.foregone")
    open_project(desk.document, tmp_path / "p.foregone")
    again = thumbnails.request("t1", None)
    assert again is not None and bytes_of(again) == kept
    thumbnails.queue.clear()


def test_a_take_without_motion_has_no_picture(desk, qtbot) -> None:
    assert desk.document.takes.fresh("t1", FILM) is not None
    desk.document.takes.fresh("t1", FILM).write_bytes(b"damaged")
    assert desk.thumbnails.request("t1", 1.0) is None
    assert desk.thumbnails.request("nothing", 1.0) is None
    qtbot.waitUntil(lambda: not desk.thumbnails.queue.waiting)
    assert desk.thumbnails.request("t1", 1.0) is None
    qtbot.waitUntil(lambda: not desk.thumbnails.queue.waiting)


def test_films_of_all_cards_in_sight_stay_open(desk) -> None:
    films = [desk.document.takes.film(key) for key in desk.keys]
    assert [desk.document.takes.film(key) for key in desk.keys] == films
    assert all(isinstance(film.positions, np.ndarray) and film.size > 0 for film in films)


def test_released_pictures_begin_anew(desk) -> None:
    film = desk.document.takes.film("t1")
    first = desk.thumbnails._drawn(film, 2.0, (60, 40))
    desk.thumbnails.release()
    assert bytes_of(desk.thumbnails._drawn(film, 2.0, (60, 40))) == bytes_of(first)


def test_themes_differ(desk, tmp_path) -> None:
    film = desk.document.takes.film("t1")
    light = Thumbnails(desk.document, Settings(tmp_path / "s.ini"), Look("light"), lambda: desk.camera)
    dark, pale = desk.thumbnails._drawn(film, 2.0, (60, 40)), light._drawn(film, 2.0, (60, 40))
    light.release()
    assert pale.pixelColor(1, 1).lightness() > dark.pixelColor(1, 1).lightness() + 60
