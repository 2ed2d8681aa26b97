"""Make fairness.json: how often each measure ranks a 2 x 2 above a k x k pair of noise.

Run ``python -m tests.reference.make_fairness`` to write the file anew.
"""

import json
from itertools import product
from pathlib import Path

from tests.test_fairness import KEYS, SIZES, STATES, wins_of_two_states


def main() -> None:
    rows = []
    for margin, size, states in product(("uniform", "zipf"), SIZES, STATES):
        deviation, wins = wins_of_two_states(states, size, margin, KEYS)
        condition = {"states": states, "size": size, "margin": margin}
        shares = {key: round(float(share), 3) for key, share in wins.items()}
        rows.append(condition | {"deviation": round(float(deviation), 2)} | shares)
    path = Path(__file__).with_name("fairness.json")
    path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
