"""Fields far from a surface, of the fields on it: Green's functions of a homogeneous medium, no approximation for distance."""

import math

import numpy as np

_s, _w = np.polynomial.hermite.hermgauss(100)


def hankel(x):
    """H0 and H1 of the first kind at x > 0.

    From 30 on by the asymptotic series, from 3 on by the integral 2 exp(-s^2) (1 + i s^2 / (2 x))^(nu - 1/2) of steepest
    descent (Watson, Bessel functions, 6.12), below by the power series; all to 1e-12.
    """
    x = np.asarray(x, float)
    h0, h1 = np.empty(x.shape, complex), np.empty(x.shape, complex)
    remote, far = x >= 30, (x >= 3) & (x < 30)
    if remote.any():
        y = x[remote]
        sums = [np.ones(y.shape, complex), np.ones(y.shape, complex)]
        terms = [np.ones(y.shape, complex), np.ones(y.shape, complex)]
        for k in range(1, 14):
            for nu in (0, 1):
                terms[nu] = terms[nu] * (1j * (4 * nu * nu - (2 * k - 1) ** 2) / (8 * k)) / y
                sums[nu] = sums[nu] + terms[nu]
        front = np.sqrt(2 / (math.pi * y)) * np.exp(1j * (y - math.pi / 4))
        h0[remote], h1[remote] = front * sums[0], -1j * front * sums[1]
    if far.any():
        y = x[far]
        q = 1 + 1j * _s**2 / (2 * y[..., None])
        front = np.sqrt(2 / (math.pi * y)) / math.sqrt(math.pi)
        h0[far] = front * np.exp(1j * (y - math.pi / 4)) * (_w / np.sqrt(q)).sum(-1)
        h1[far] = 2 * front * np.exp(1j * (y - 3 * math.pi / 4)) * (_w * _s**2 * np.sqrt(q)).sum(-1)
    near = x < 3
    if near.any():
        y = x[near]
        z, gamma = -(y**2) / 4, 0.5772156649015329
        j0, j1, y0, y1 = [np.zeros_like(y) for _ in range(4)]
        term, harmonic = np.ones_like(y), 0.0
        for k in range(40):
            j0 += term
            j1 += term / (k + 1)
            y0 += -term * harmonic
            y1 += term / (k + 1) * (2 * harmonic + 1 / (k + 1))
            harmonic += 1 / (k + 1)
            term = term * z / (k + 1) ** 2
        j1 *= y / 2
        log = np.log(y / 2) + gamma
        h0[near] = j0 + 2j / math.pi * (log * j0 + y0)
        h1[near] = j1 + 1j * (2 / math.pi * log * j1 - 2 / (math.pi * y) - y / (2 * math.pi) * y1)
    return h0, h1


def radial(dimensions, k, R):
    """G, G' and G'' of the outgoing wave at the distances R."""
    if dimensions == 3:
        G = np.exp(1j * k * R) / (4 * math.pi * R)
        slope = (1j * k - 1 / R) * G
    elif dimensions == 2:
        h0, h1 = hankel(k * R)
        G, slope = 0.25j * h0, -0.25j * k * h1
    else:
        G = 0.5j / k * np.exp(1j * k * R)
        slope = 1j * k * G
    return G, slope, -k * k * G - (dimensions - 1) * slope / R


def fields(dimensions, omega, eps, places, J, M, points):
    """E and H [point][6] at points [point][3] of currents J and M [3][place] (weights included) at places [place][3]."""
    k = omega * math.sqrt(eps)
    found = np.zeros((len(points), 6), complex)
    for i, x in enumerate(points):
        r = x - places
        R = np.sqrt((r * r).sum(1))
        n = (r / R[:, None]).T
        G, slope, curve = radial(dimensions, k, R)

        def direct(current):
            return current * (G + slope / R / k**2) + n * ((n * current).sum(0) * (curve - slope / R) / k**2)

        def curl(current):
            return np.cross(n.T, current.T).T * slope

        found[i, :3] = (1j * omega * direct(J) - curl(M)).sum(1)
        found[i, 3:] = (1j * omega * eps * direct(M) + curl(J)).sum(1)
    return found
