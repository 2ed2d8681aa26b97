"""Make tails.json: log upper tails of chi-squared to 40 digits, computed with mpmath.

Run ``python tests/reference/make_tails.py`` to write the file anew.  Below the mean the
lower tail is summed as a power series, above it the upper tail as a continued fraction,
both until the 38th digit no longer changes.
"""

import json
from pathlib import Path

import mpmath as mp

DOFS = (1, 2, 3, 9, 100, 10**4, 10**6)
DEVIATIONS = (-30, -12, -8, -6, -5, -4.6, -4.4, -4, -3.9, -2, -1, -0.1, 0)
DEVIATIONS += (*(-value for value in DEVIATIONS[:-1]), 60)


def log_tail(dof: int, chi2: float) -> mp.mpf:
    a, x = mp.mpf(dof) / 2, mp.mpf(chi2) / 2
    if x < a:
        return mp.log1p(-mp.exp(log_lower(a, x)))
    return a * mp.log(x) - x - mp.loggamma(a) - mp.log(upper_fraction(a, x))


def log_lower(a: mp.mpf, x: mp.mpf) -> mp.mpf:
    term = total = mp.mpf(1)
    n = 0
    while term > total * mp.mpf(10) ** -40:
        n += 1
        term *= x / (a + n)
        total += term
    return a * mp.log(x) - x - mp.loggamma(a + 1) + mp.log(total)


def upper_fraction(a: mp.mpf, x: mp.mpf) -> mp.mpf:
    tiny = mp.mpf(10) ** -200
    value = c = x + 1 - a or tiny
    d = mp.mpf(0)
    for k in range(1, 10**6):
        numerator, denominator = k * (a - k), x + 2 * k + 1 - a
        d = 1 / (denominator + numerator * d or tiny)
        c = denominator + numerator / c or tiny
        value *= c * d
        if abs(c * d - 1) < mp.mpf(10) ** -45:
            return value
    raise ArithmeticError(f"no convergence at {a}, {x}")


def main() -> None:
    mp.mp.dps = 60
    rows = []
    for dof in DOFS:
        points = {m * 10.0**e for m in (1, 3) for e in range(-3, 9)} | {1e9}
        points |= {dof + s * (2 * dof) ** 0.5 for s in DEVIATIONS}
        for chi2 in sorted(point for point in points if point >= 1e-3):
            rows.append([dof, chi2, float(log_tail(dof, chi2))])
    path = Path(__file__).with_name("tails.json")
    path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
