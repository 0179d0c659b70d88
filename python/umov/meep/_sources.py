"""Sources as scripts for Meep write them."""

import math

import numpy as np

from ._names import AUTOMATIC, NO_PARITY, Dielectric, Vector3, inf, vector
from ._refusals import refuse


class SourceTime:
    def __init__(self, is_integrated=False):
        self.is_integrated = is_integrated


def _frequency(frequency, wavelength):
    if (frequency is None) == (wavelength is None):
        raise ValueError("a source has a frequency or a wavelength; give one of them")
    return float(frequency) if frequency is not None else 1 / wavelength


def _width(width, fwidth):
    """The temporal width that one of them gives."""
    for name, value in (("width", width), ("fwidth", fwidth)):
        if not value >= 0:
            raise ValueError(f"a source of {name} {value}; give it above 0")
    return max(width, 0 if fwidth >= inf else 1 / fwidth if fwidth else inf)


def _current(dipole, t, dt):
    """Meep's current over the step that begins at t: the difference of the dipole moments at its ends."""
    return (dipole(t + dt) - dipole(t)) / dt


def _samples(frame, value, t):
    """A waveform of samples, its file written; value: the real part."""
    text = "time,value\n" + "\n".join(f"{a:.17g},{b:.17g}" for a, b in zip(t, value)) + "\n"
    return {"waveform": "samples", "file": frame.file(text, ".csv")}


class ContinuousSource(SourceTime):
    """A wave from start_time to end_time, that rises as (1 + tanh(t / width - cutoff)) / 2 and falls so."""

    def __init__(self, frequency=None, start_time=0, end_time=inf, width=0, fwidth=inf, cutoff=3.0, wavelength=None,
                 is_integrated=False):
        super().__init__(is_integrated)
        self.frequency = _frequency(frequency, wavelength)
        self.start_time, self.end_time = start_time, end_time
        self.width, self.cutoff = _width(width, fwidth), cutoff

    def last_time(self):
        return inf if self.end_time > inf / 10 else self.end_time

    def first_time(self):
        return self.start_time

    def dipole(self, t):
        """Meep's moment at the times t, whose derivative is the current."""
        rise = fall = np.ones(len(t))
        if self.width > 0:
            rise = (1 + np.tanh((t - self.start_time) / self.width - self.cutoff)) / 2
            fall = (1 + np.tanh((self.end_time - t) / self.width - self.cutoff)) / 2
        inside = (t >= self.start_time - 1e-9) & (t <= self.end_time + 1e-9)
        omega = 2 * math.pi * self.frequency
        return np.where(inside, rise * fall * np.exp(-1j * omega * t) / (-1j * omega), 0)

    def waveform(self, frame, unit=1):
        """Where it ends samples, else an endless wave, with samples `besides` of what the start is less than that."""
        # Currents of Meep are those of half a step later than umov's.
        found = {"waveform": "continuous", "frequency": self.frequency, "phase": 180 * self.frequency * frame.dt, "ramp": 0}
        if frame.complex_fields:
            if self.start_time > 0:
                refuse("start_time of a ContinuousSource with k_point", "leave it out, and begin to measure later")
            found["ramp"] = (self.cutoff + 1) * self.width * self.frequency
            return found | ({"end": self.end_time} if self.last_time() < inf else {})
        half = math.pi * self.frequency * frame.dt
        if self.last_time() < inf:
            t = np.arange(0, self.end_time + 2 * frame.dt, frame.dt / 2)
            return _samples(frame, (unit * _current(self.dipole, t, frame.dt)).real * half / math.sin(half), t)
        if self.width > 0 or self.start_time > 0:
            t = np.arange(0, self.start_time + (self.cutoff + 12) * self.width + 2 * frame.dt, frame.dt / 2)
            whole = np.exp(-2j * math.pi * self.frequency * (t + frame.dt / 2))
            less = _current(self.dipole, t, frame.dt) * half / math.sin(half) - whole
            found["besides"] = _samples(frame, (unit * less).real, t)
        return found


class GaussianSource(SourceTime):
    """A pulse exp(-t^2 / (2 w^2)) of w = width = 1 / fwidth, whose middle is cutoff widths after start_time."""

    def __init__(self, frequency=None, width=0, fwidth=inf, start_time=0, cutoff=5.0, is_integrated=False, wavelength=None):
        super().__init__(is_integrated)
        self.frequency = _frequency(frequency, wavelength)
        self.width = _width(width, fwidth)
        self.start_time, self.cutoff = start_time, cutoff
        if not self.width > 1e-15:
            raise ValueError("a GaussianSource has a width or an fwidth; give one of them")

    @property
    def fwidth(self):
        return 1 / self.width

    def peak_time(self):
        return self.start_time + self.cutoff * self.width

    def last_time(self):
        return self.start_time + 2 * self.cutoff * self.width

    def dipole(self, t):
        """Meep's moment at the times t, whose derivative is the current."""
        u, omega = t - self.peak_time(), 2 * math.pi * self.frequency
        moment = np.exp(-u**2 / (2 * self.width**2) - 1j * omega * u) / (-1j * omega)
        return np.where(abs(u) <= self.cutoff * self.width + 1e-9, moment, 0)

    def waveform(self, frame, unit=1):
        """umov's own pulse; samples where Meep's has not faded at its ends, which it leaves at once, umov smoothly."""
        if self.cutoff < 5 and not frame.complex_fields:
            t = np.arange(0, self.last_time() + 2 * frame.dt, frame.dt / 2)
            half = math.pi * self.frequency * frame.dt
            return _samples(frame, (unit * _current(self.dipole, t, frame.dt)).real * half / math.sin(half), t)
        delay = (self.peak_time() - frame.dt / 2) / self.width  # Meep's currents are those of half a step later
        if delay < 1.9:
            refuse(f"a pulse whose middle is {delay:g} widths after the start", "give cutoff 2 or more")
        return {"waveform": "gaussian", "frequency": self.frequency,
                "width": 1 / (2 * math.pi * self.frequency * self.width), "delay": max(delay, 2)}

    def fourier_transform(self, freq):
        """Of the envelope and the carrier, as Meep has it; that of the current has a factor freq / frequency besides."""
        w, shift = self.width, 2 * math.pi * (freq - self.frequency)
        return w * math.exp(-((shift * w) ** 2) / 2) * np.exp(2j * math.pi * freq * self.peak_time())


class CustomSource(SourceTime):
    """A current src_func(t)."""

    def __init__(self, src_func, start_time=-inf, end_time=inf, is_integrated=False, center_frequency=0, fwidth=0):
        super().__init__(is_integrated)
        self.src_func, self.start_time, self.end_time = src_func, start_time, end_time
        self.frequency, self.fwidth = center_frequency, fwidth

    def last_time(self):
        return inf if self.end_time > inf / 10 else self.end_time

    def waveform(self, frame):
        """Samples twice a step until its end, or until the end of the run."""
        if frame.complex_fields:
            refuse("CustomSource with complex fields", "write GaussianSource, or leave k_point and force_complex_fields out")
        end = self.end_time if self.end_time < inf / 10 else frame.run_end
        if not end < inf / 10:
            refuse("CustomSource without an end", "give end_time")
        t = np.arange(0, end + frame.dt, frame.dt / 2)
        value = np.array([complex(self.src_func(s + frame.dt / 2)) if s >= self.start_time else 0 for s in t])
        if self.is_integrated:
            value = np.gradient(value, t)
        value[t > self.end_time] = 0
        value = value * frame.factor
        return _samples(frame, value.real, t)


class Source:
    """A current: src (its course over time), component, center and size, amplitude, amp_func(place from the center)."""

    def __init__(self, src, component, center=None, volume=None, size=Vector3(), amplitude=1.0, amp_func=None,
                 amp_func_file="", amp_data=None):
        if volume is not None:
            center, size = volume.center, volume.size
        if center is None:
            raise ValueError("a source has a center or a volume; give one of them")
        if amp_func_file or amp_data is not None:
            refuse("amp_func_file and amp_data of a source", "give amp_func")
        self.src, self.component, self.amplitude, self.amp_func = src, component, complex(amplitude), amp_func
        if isinstance(component, str) or component is None:
            raise TypeError(f"the component of a source is a number, not {component!r}; write mp.{component or 'Ez'}")
        self.center, self.size = vector(center), vector(size)


class EigenModeSource(Source):
    """The mode eig_band of a cross-section, or a plane wave of a homogeneous one."""

    def __init__(self, src, center=None, volume=None, eig_lattice_size=None, eig_lattice_center=None, component=Dielectric,
                 direction=AUTOMATIC, eig_band=1, eig_kpoint=Vector3(), eig_match_freq=True, eig_parity=NO_PARITY,
                 eig_resolution=0, eig_tolerance=1e-12, eig_vol=None, **keywords):
        super().__init__(src, component, center=center, volume=volume, **keywords)
        self.direction, self.eig_band, self.eig_kpoint = direction, eig_band, vector(eig_kpoint)
        self.eig_match_freq, self.eig_parity = eig_match_freq, eig_parity

    def eig_power(self, freq):
        """Of the mode at a frequency, by the spectrum of src; of a source without fourier_transform |amplitude|^2."""
        spectrum = getattr(self.src, "fourier_transform", None)
        return abs(self.amplitude * (spectrum(freq) if spectrum else 1)) ** 2


class GaussianBeamSource(Source):
    """A beam of waist radius beam_w0 at center + beam_x0, along beam_kdir, with E along beam_E0."""

    def __init__(self, src, center=None, volume=None, component=Dielectric, beam_x0=Vector3(), beam_kdir=Vector3(),
                 beam_w0=None, beam_E0=Vector3(), **keywords):
        super().__init__(src, component, center=center, volume=volume, **keywords)
        self.beam_x0, self.beam_kdir, self.beam_w0, self.beam_E0 = vector(beam_x0), vector(beam_kdir), beam_w0, vector(beam_E0)


class DiffractedPlanewave:
    """The order g of a cell's periods: s and p polarised amplitudes about an axis."""

    def __init__(self, g=None, axis=None, s=None, p=None):
        self.g, self.axis, self.s, self.p = list(g), vector(axis), s, p
