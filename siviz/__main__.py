"""``python -m siviz`` is the same as the command ``siviz``."""

from siviz.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
