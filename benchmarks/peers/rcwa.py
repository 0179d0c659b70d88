"""Rigorous coupled-wave analysis of a lamellar grating on a half-space: efficiencies of all orders.

usage: python3 rcwa.py [ORDERS]
Moharam et al. 1995, J. Opt. Soc. Am. A 12, 1068, with the inverse rule of Li 1996, J. Opt. Soc. Am. A 13, 1870, for H along
the grooves. Prints the grating of examples/phase_grating and of tests/fdtd/orders_test.cpp at two angles.
"""
import sys

import numpy as np


def toeplitz(ridge, groove, fill, orders):
    """Matrix of the Fourier coefficients of a profile that is `ridge` over `fill` of the period."""
    h = np.arange(-2 * orders, 2 * orders + 1)
    safe = np.where(h == 0, 1, h)
    c = np.where(h == 0, fill * ridge + (1 - fill) * groove, (ridge - groove) * np.sin(np.pi * h * fill) / (np.pi * safe))
    n = 2 * orders + 1
    return np.array([[c[i - j + 2 * orders] for j in range(n)] for i in range(n)], complex)


def outgoing(eps, kx):
    kz = np.sqrt((eps - kx**2).astype(complex))
    return np.where(kz.imag < 0, -kz, kz)


def lamellar(frequency, period, height, ridge, groove, n_in, n_out, fill, angle, along, orders):
    """Orders, reflected and transmitted efficiencies; `along` the grooves lies E ("E") or H ("H")."""
    k0, n = 2 * np.pi * frequency, 2 * orders + 1
    m = np.arange(-orders, orders + 1)
    kx = n_in * np.sin(angle) + m / (period * frequency)
    K, one = np.diag(kx.astype(complex)), np.eye(n)
    E, A = toeplitz(ridge**2, groove**2, fill, orders), toeplitz(1 / ridge**2, 1 / groove**2, fill, orders)
    yr, yt = outgoing(n_in**2, kx), outgoing(n_out**2, kx)
    if along == "E":
        q2, W = np.linalg.eig(K @ K - E)
    else:
        q2, W = np.linalg.eig(np.linalg.inv(A) @ (K @ np.linalg.inv(E) @ K - one))
        yr, yt = yr / n_in**2, yt / n_out**2
    q = np.sqrt(q2.astype(complex))
    q = np.where(q.real < 0, -q, q)
    V = (W if along == "E" else A @ W) @ np.diag(q)
    X, d, zero = np.diag(np.exp(-k0 * q * height)), (m == 0).astype(complex), np.zeros((n, n))
    # Fields W (exp(-k0 q z) c + exp(-k0 q (height - z)) c'), continuous with their slopes at both ends.
    matrix = np.block([
        [-one, W, W @ X, zero],
        [1j * np.diag(yr), -V, V @ X, zero],
        [zero, W @ X, W, -one],
        [zero, -V @ X, V, -1j * np.diag(yt)],
    ])
    x = np.linalg.solve(matrix, np.concatenate([d, 1j * yr * d, np.zeros(2 * n)]))
    incident = yr[orders].real
    return m, np.abs(x[:n])**2 * yr.real / incident, np.abs(x[3 * n:])**2 * yt.real / incident


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    for along in "EH":
        for degrees in (0, 20):
            m, R, T = lamellar(1.0, 1.6, 0.5, 1.5, 1.0, 1.0, 1.5, 0.4, np.radians(degrees), along, wanted)
            shown = slice(wanted - 3, wanted + 4)
            print(f"{along} along the grooves, {degrees} degrees, sum {R.sum() + T.sum():.12f}")
            for order, r, t in zip(m[shown], R[shown], T[shown]):
                print(f"  {order:3d}  R {r:.6f}  T {t:.6f}")
