#!/usr/bin/env python3
"""Andrews' squeezer (A03 of IFToMM's benchmark) a second time, without lissom, and that its angles are those of squeezer_angles.txt.

usage: squeezer_test.py [--write]        --write: writes the file instead

Points are complex numbers, a link's motion is Newton's, loops are closed by Lagrange multipliers, steps are those of plain RK4: only the table of
lengths and masses is shared with models/iftomm. iftomm_test.cpp compares lissom's motion with the file.
"""
import cmath
import pathlib
import sys

FILE = pathlib.Path(__file__).with_name("squeezer_angles.txt")
TOLERANCE = 2e-11

# Lengths (m), masses (kg), moments of inertia (kg m²), as the IVP test set names them.
d, da, e, ea, rr, ra = 28e-3, 115e-4, 2e-2, 1421e-5, 7e-3, 92e-5
ss, sa, sb, sc, sd = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2
zt, ta, tb, u, ua, ub, zf, fa = 4e-2, 2308e-5, 916e-5, 4e-2, 1228e-5, 449e-5, 2e-2, 1421e-5
A, B, C = complex(-6934e-5, -227e-5), complex(-3635e-5, 3273e-5), complex(14e-3, 72e-3)
MASSES = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
INERTIAS = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
TORQUE, STIFFNESS, REST = 0.033, 4530, 0.07785  # of the motor, and of the spring from C

# The angles: beta, Theta, gamma, Phi, delta, Omega, epsilon. A link's orientation is a sum of some of them.
N = 7
START = [-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842550, -0.222668390165885884, 1.23054744454982119]
K1, K2, K3, K4, K5, K6, K7 = (0,), (0, 1), (2,), (4, 3), (4,), (6, 5), (6,)

# A point: where its chain begins, and vectors, each rotated by the angles of a link. Centers of mass; four ends that meet in P; the spring's end D.
LINKS = [(K1, 0, [(ra, K1)]), (K2, 0, [(rr, K1), (-da, K2)]), (K3, B, [(complex(sa, -sb), K3)]), (K4, A, [(zt, K5), (-1j * (e - ea), K4)]),
         (K5, A, [(complex(ta, -tb), K5)]), (K6, A, [(-1j * u, K7), (zf - fa, K6)]), (K7, A, [(complex(ua, -ub), K7)])]
P = [(0, [(rr, K1), (-d, K2)]), (B, [(-1j * ss, K3)]), (A, [(zt, K5), (-1j * e, K4)]), (A, [(-1j * u, K7), (zf, K6)])]
D = (B, [(complex(sd, -sc), K3)])


def point(origin, vectors, q, v):
    """A point's position, its derivatives by the angles, and its acceleration where those of the angles are zero."""
    p, J, bias = origin, [0j] * N, 0j
    for vector, link in vectors:
        rotated = vector * cmath.exp(1j * sum(q[k] for k in link))
        p += rotated
        for k in link:
            J[k] += 1j * rotated
        bias -= sum(v[k] for k in link)**2 * rotated
    return p, J, bias


def solve(K, b):
    """Gaussian elimination with row pivots; K and b are overwritten."""
    n = len(b)
    for c in range(n):
        pivot = max(range(c, n), key=lambda i: abs(K[i][c]))
        K[c], K[pivot], b[c], b[pivot] = K[pivot], K[c], b[pivot], b[c]
        for i in range(c + 1, n):
            factor = K[i][c] / K[c][c]
            if factor:
                row, above = K[i], K[c]
                for j in range(c, n):
                    row[j] -= factor * above[j]
                b[i] -= factor * b[c]
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - sum(K[i][j] * b[j] for j in range(i + 1, n))) / K[i][i]
    return b


def acceleration(q, v):
    rows = 6  # three ends are where the first one is
    K = [[0.0] * (N + rows) for _ in range(N + rows)]
    b = [0.0] * (N + rows)
    b[0] = TORQUE
    for mass, inertia, (link, origin, vectors) in zip(MASSES, INERTIAS, LINKS):
        _, J, bias = point(origin, vectors, q, v)
        for i in range(N):
            weighted = mass * J[i].conjugate()
            b[i] -= (weighted * bias).real
            for j in range(N):
                K[i][j] += (weighted * J[j]).real
        for i in link:
            for j in link:
                K[i][j] += inertia
    end, J, _ = point(*D, q, v)
    pull = STIFFNESS * (1 - REST / abs(C - end)) * (C - end)
    for i in range(N):
        b[i] += (J[i].conjugate() * pull).real
    _, J0, bias0 = point(*P[0], q, v)
    for k in (1, 2, 3):
        _, Jk, bias = point(*P[k], q, v)
        for row, part in ((N + 2 * k - 2, lambda z: z.real), (N + 2 * k - 1, lambda z: z.imag)):
            for j in range(N):
                K[row][j] = K[j][row] = part(J0[j] - Jk[j])
            b[row] = -part(bias0 - bias)
    return solve(K, b)[:N]


def angles(steps, end=0.03):
    """The angles after 30 ms, by so many steps."""
    q, v, h = START, [0.0] * N, end / steps
    ahead = lambda x, rate, h: [a + h * c for a, c in zip(x, rate)]
    mean = lambda x, k1, k2, k3, k4: [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]
    for _ in range(steps):
        v1, a1 = v, acceleration(q, v)
        v2 = ahead(v, a1, h / 2)
        a2 = acceleration(ahead(q, v1, h / 2), v2)
        v3 = ahead(v, a2, h / 2)
        a3 = acceleration(ahead(q, v2, h / 2), v3)
        v4 = ahead(v, a3, h)
        a4 = acceleration(ahead(q, v3, h), v4)
        q, v = mean(q, v1, v2, v3, v4), mean(v, a1, a2, a3, a4)
    return q


def main():
    coarse, fine = angles(3000), angles(6000)
    found = [b + (b - a) / 15 for a, b in zip(coarse, fine)]  # the error is of fourth order
    if sys.argv[1:] == ["--write"]:
        FILE.write_text("".join(f"{x:.14g}\n" for x in found))
        return 0
    written = [float(line) for line in FILE.read_text().split()]
    worst = [abs(a - b) for a, b in zip(found, written, strict=True)]
    print("angles", *(f"{x:.12f}" for x in found), "differ by", *(f"{x:.0e}" for x in worst))
    return 0 if all(x <= TOLERANCE for x in worst) else 1


if __name__ == "__main__":
    sys.exit(main())
