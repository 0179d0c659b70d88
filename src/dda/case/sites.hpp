// The sites of a target that another program describes, on their way into a case.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "dda/case/translation.hpp"

namespace umov::dda {

using Axes3 = std::array<int, 3>;

/// Occupied sites in lattice units, in any order and from any origin, and the composition of each: the number
/// of the material (from 0) along x, y and z.
struct Sites {
  std::vector<Axes3> site, composition;

  void add(const Axes3& at, const Axes3& materials = {0, 0, 0}) {
    site.push_back(at);
    composition.push_back(materials);
  }
  std::size_t size() const { return site.size(); }
};

/// The distinct compositions, in ascending order: each is a domain of umov, with a tensor where its axes
/// differ.
std::vector<Axes3> domains_of(const Sites&);

/// Sets the shape of the case: a shape of the catalogue where one has just these sites (it is then known to
/// be symmetric), else a file `target.dat` in ADDA's format.
void set_sites(Translation&, const Sites&, const std::string& origin);

/// Index of each material (from 0) at each wavelength of the case, as that program reads it.
using IndexOf = std::vector<std::vector<cplx>>;  ///< [material][wavelength]

/// Sets the materials of the case, one per domain: plain indices where they are one for all wavelengths, else
/// files material_N.csv, of seven columns for a tensor. `origin`: the line of their number; `places`: the
/// line of each material.
void set_materials(Translation&, const std::vector<Axes3>& domains, const std::vector<double>& wavelengths,
                   const IndexOf& m, const std::string& origin, const std::vector<std::string>& places);

}  // namespace umov::dda
