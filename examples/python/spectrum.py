"""The extinction of a small sphere over the wavelength: dipoles beside the exact series."""

import numpy as np

import umov

wavelengths = np.linspace(0.5, 0.8, 4)  # um
ball = umov.dda.case(shape={"name": "sphere", "grid": 20, "size": 0.4}, m=1.5 + 0.01j)
table = umov.sweep(ball, {"wavelength": wavelengths}, arrays=0).tables["sweep"]
dipoles = table["cross_sections/Y/Qext"]
exact = [float(umov.mie(radius=0.2, wavelength=w, m=1.5 + 0.01j)["Qext"]) for w in wavelengths]
for w, found, true in zip(wavelengths, dipoles, exact):
    print(f"{w:.1f} um: Qext {found:.3f} by dipoles, {true:.3f} exactly")
print(f"largest difference: {100 * np.max(np.abs(np.array(dipoles) / exact - 1)):.1f} %")
