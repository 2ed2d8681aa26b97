"""Keep what is loaded for good out of the garbage collection.

Streamlit collects all garbage after every run of a page, also of a fragment, and holds
up what the run has yet to send.  Looking through all modules takes several times as
long as an answer; frozen, they are passed over.
"""

import gc
import sys

_frozen = 0


def freeze_modules() -> None:
    """Pass over all objects of today in garbage collections, if modules are new."""
    global _frozen
    if len(sys.modules) != _frozen:
        gc.collect()  # what is garbage now would stay for good
        gc.freeze()
        _frozen = len(sys.modules)
