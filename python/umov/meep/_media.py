"""Media: permittivities, conductivities, susceptibilities, and what umov calls the same."""

import math

import numpy as np

from ._names import FreqRange, Vector3, inf, vector
from ._refusals import refuse

_zero, _one = Vector3(), Vector3(1, 1, 1)


class Susceptibility:
    """A term of the permittivity; sigma is its strength, or sigma_diag along x, y and z."""

    def __init__(self, sigma_diag=_zero, sigma_offdiag=_zero, sigma=None):
        if any(vector(sigma_offdiag)):
            refuse("sigma_offdiag", "a medium's axes are x, y and z; write sigma_diag")
        self.sigma_diag = Vector3(sigma, sigma, sigma) if sigma is not None else vector(sigma_diag)
        self.sigma_offdiag = _zero


class LorentzianSusceptibility(Susceptibility):
    """sigma f0^2 / (f0^2 - f^2 - i f gamma): frequency f0 and gamma in units of c / length."""

    def __init__(self, frequency=0.0, gamma=0.0, **keywords):
        super().__init__(**keywords)
        self.frequency, self.gamma = frequency, gamma

    def at(self, f):
        return self.frequency**2 / (self.frequency**2 - f * f - 1j * f * self.gamma)

    def pole(self, strength):
        return {"kind": "lorentz", "strength": strength, "omega": 2 * math.pi * self.frequency,
                "gamma": 2 * math.pi * self.gamma}


class DrudeSusceptibility(LorentzianSusceptibility):
    """- sigma f0^2 / (f^2 + i f gamma)."""

    def at(self, f):
        return -(self.frequency**2) / (f * f + 1j * f * self.gamma)

    def pole(self, strength):
        return {"kind": "drude", "strength": strength * (2 * math.pi * self.frequency) ** 2, "gamma": 2 * math.pi * self.gamma}


class Medium:
    """A material, as Meep's Medium: epsilon or index, mu, conductivities, E_susceptibilities."""

    def __init__(self, epsilon_diag=_one, epsilon_offdiag=_zero, mu_diag=_one, mu_offdiag=_zero, E_susceptibilities=None,
                 H_susceptibilities=None, E_chi2_diag=_zero, E_chi3_diag=_zero, H_chi2_diag=_zero, H_chi3_diag=_zero,
                 D_conductivity_diag=_zero, D_conductivity_offdiag=_zero, B_conductivity_diag=_zero,
                 B_conductivity_offdiag=_zero, epsilon=None, index=None, mu=None, chi2=None, chi3=None, D_conductivity=None,
                 B_conductivity=None, E_chi2=None, E_chi3=None, H_chi2=None, H_chi3=None, valid_freq_range=FreqRange()):
        for name, value in (("epsilon", epsilon), ("index", index), ("mu", mu), ("D_conductivity", D_conductivity),
                            ("B_conductivity", B_conductivity)):
            if isinstance(value, str):
                raise TypeError(f"{name} = {value!r} of a Medium; give a number")

        def diagonal(of_all, along):
            return Vector3(of_all, of_all, of_all) if of_all is not None else vector(along)

        if index is not None:
            epsilon = index**2
        self.epsilon_diag, self.mu_diag = diagonal(epsilon, epsilon_diag), diagonal(mu, mu_diag)
        self.D_conductivity_diag = diagonal(D_conductivity, D_conductivity_diag)
        self.B_conductivity_diag = diagonal(B_conductivity, B_conductivity_diag)
        self.E_susceptibilities = list(E_susceptibilities or [])
        self.H_susceptibilities = list(H_susceptibilities or [])
        self.epsilon_offdiag = self.mu_offdiag = _zero
        self.valid_freq_range = valid_freq_range
        if any(abs(v) for offdiag in (epsilon_offdiag, mu_offdiag, D_conductivity_offdiag, B_conductivity_offdiag)
               for v in vector(offdiag)):
            refuse("epsilon_offdiag, mu_offdiag", "a medium's axes are x, y and z; write epsilon_diag and turn the geometry")
        if self.H_susceptibilities:
            refuse("H_susceptibilities", "permeabilities do not depend on the frequency; write mu")
        nonlinear = [chi2, chi3, E_chi2, E_chi3, H_chi2, H_chi3, *E_chi2_diag, *E_chi3_diag, *H_chi2_diag, *H_chi3_diag]
        if any(nonlinear):
            refuse("chi2, chi3", "media are linear; leave them out")

    @property
    def perfect(self):
        """Whether E vanishes inside."""
        return min(v.real for v in self.epsilon_diag) <= -inf

    def epsilon_along(self, f):
        """The complex permittivities along x, y, z at a frequency; with f = 0 those far above all resonances."""
        along = np.array(list(self.epsilon_diag), complex)
        if f == 0 or self.perfect:
            return along
        for term in self.E_susceptibilities:
            along = along + np.array(list(term.sigma_diag)) * term.at(f)
        return along * (1 + 1j * np.array(list(self.D_conductivity_diag)) / (2 * math.pi * f))

    def epsilon(self, freq):
        """The tensor at a frequency, or at several: [frequency][3][3]."""
        if np.ndim(freq) == 0:
            return np.diag(self.epsilon_along(freq))
        return np.array([np.diag(self.epsilon_along(f)) for f in np.asarray(freq)])

    def mu(self, freq):
        return np.diag(np.array(list(self.mu_diag), complex)) if np.ndim(freq) == 0 else np.array(
            [np.diag(np.array(list(self.mu_diag), complex))] * len(freq))

    def table(self, name, axes):
        """The material of a case; axes: which of x, y, z each axis of the case is."""
        if self.perfect:
            return {"name": name, "perfect_conductor": True}
        along = lambda v: [float(np.real(v[a])) for a in axes]
        eps, mu = along(self.epsilon_diag), along(self.mu_diag)
        found = {"name": name, "eps": _short(eps)}
        if mu != [1, 1, 1]:
            found["mu"] = _short(mu)
        sigma, magnetic = along(self.D_conductivity_diag), along(self.B_conductivity_diag)
        if any(sigma):
            if self.E_susceptibilities:
                refuse("D_conductivity beside E_susceptibilities",
                       "write the conductivity as a DrudeSusceptibility of small frequency, or leave one out")
            found["sigma"] = _short([s * e for s, e in zip(sigma, eps)])
        if any(magnetic):
            found["sigma_magnetic"] = _short([s * m for s, m in zip(magnetic, mu)])
        poles = []
        for term in self.E_susceptibilities:
            strength = along(term.sigma_diag)
            if not isinstance(term, LorentzianSusceptibility):
                refuse(type(term).__name__, "write LorentzianSusceptibility or DrudeSusceptibility")
            if len(set(strength)) > 1:
                refuse("sigma_diag of several strengths", "terms are the same along x, y and z; write sigma")
            if strength[0] != 0:
                poles.append(term.pole(strength[0]))
        if poles:
            found["pole"] = poles
        return found

    def key(self):
        """Media with the same key are the same."""
        return (tuple(self.epsilon_diag), tuple(self.mu_diag), tuple(self.D_conductivity_diag),
                tuple(self.B_conductivity_diag),
                tuple((type(t).__name__, t.frequency, t.gamma, tuple(t.sigma_diag)) for t in self.E_susceptibilities))


def _short(values):
    return values[0] if len(set(values)) == 1 else values


def medium(value):
    if not isinstance(value, Medium):
        if value is None:
            return vacuum
        refuse(f"a material that is a {type(value).__name__}", "write a Medium")
    return value


vacuum = air = Medium(epsilon=1)
metal = perfect_electric_conductor = Medium(epsilon=-inf)
