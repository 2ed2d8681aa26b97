"""What is loaded for good does not slow the collection of garbage."""

import gc
import weakref

from siviz.ui import loaded_modules


class Loop:
    """Garbage that only a collection can find."""

    def __init__(self):
        self.itself = self


def test_modules_are_passed_over_and_garbage_of_before_is_not_kept(monkeypatch):
    monkeypatch.setattr(loaded_modules, "_frozen", 0)
    garbage = Loop()
    left = weakref.ref(garbage)
    del garbage
    try:
        loaded_modules.freeze_modules()
        assert gc.get_freeze_count() > 10_000
        assert left() is None
        assert len(gc.get_objects()) < gc.get_freeze_count() / 10
    finally:
        gc.unfreeze()


def test_nothing_is_frozen_again_while_no_module_is_new(monkeypatch):
    monkeypatch.setattr(loaded_modules, "_frozen", 0)
    try:
        loaded_modules.freeze_modules()
        gc.unfreeze()
        loaded_modules.freeze_modules()
        assert gc.get_freeze_count() == 0
    finally:
        gc.unfreeze()
