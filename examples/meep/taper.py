"""Reflection of a linear taper between two waveguides, by mode coefficients and by fluxes."""

import umov.meep as mp

resolution, narrow, wide, guide, taper, layer, air = 15, 1.0, 2.0, 5.0, 2.0, 2.0, 2.0
size = mp.Vector3(2 * layer + 2 * guide + taper, 2 * layer + 2 * air + wide)
silicon = mp.Medium(epsilon=12.0)
fcen = 1 / 6.67
parity = mp.ODD_Z + mp.EVEN_Y
source = mp.EigenModeSource(mp.GaussianSource(fcen, fwidth=0.2 * fcen), center=mp.Vector3(-0.5 * size.x + layer + 1),
                            size=mp.Vector3(y=size.y - 2 * layer), eig_match_freq=True, eig_parity=parity)
place = mp.Vector3(-0.5 * size.x + layer + 3.5)
far = 0.5 * size.x + 1


def run(outline, kept=None):
    corners = [mp.Vector3(x, y) for x, y in outline] + [mp.Vector3(x, -y) for x, y in outline[::-1]]
    sim = mp.Simulation(resolution=resolution, cell_size=size, boundary_layers=[mp.PML(layer)], sources=[source],
                        geometry=[mp.Prism(corners, height=mp.inf, material=silicon)], symmetries=[mp.Mirror(mp.Y)])
    flux = sim.add_flux(fcen, 0, 1, mp.FluxRegion(center=place, size=mp.Vector3(y=size.y - 2 * layer)))
    if kept is not None:
        sim.load_minus_flux_data(flux, kept)
    sim.run(until_after_sources=mp.stop_when_fields_decayed(50, mp.Ez, place, 1e-9))
    found = sim.get_eigenmode_coefficients(flux, [1], eig_parity=parity)
    return sim, flux, found.alpha[0, 0]


sim, flux, incident = run([(-far, narrow / 2), (far, narrow / 2)])
sent, kept = mp.get_fluxes(flux)[0], sim.get_flux_data(flux)
sim, flux, back = run([(-far, narrow / 2), (-taper / 2, narrow / 2), (taper / 2, wide / 2), (far, wide / 2)], kept)
print(f"taper:, guide, {abs(incident[0]) ** 2 / sent:.6f}, {sent:.6f}")
print(f"taper:, reflected, {abs(back[1]) ** 2 / abs(incident[0]) ** 2:.8f}, {-mp.get_fluxes(flux)[0] / sent:.8f}")
