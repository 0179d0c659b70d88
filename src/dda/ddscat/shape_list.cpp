// DDSCAT's names of shapes.
#include "dda/ddscat/shape_list.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/text.hpp"
#include "dda/ddscat/parameters.hpp"

namespace umov::dda::ddscat {

namespace {

const std::vector<Shape> shapes{
    {"ANIELLIPS", 3, false, 3}, {"ANIFRMFIL", 0, false, 0}, {"ANIRCTNGL", 3, false, 3},
    {"ANI_ELL_2", 3, false, 6}, {"ANI_ELL_3", 3, false, 9}, {"CONELLIPS", 6, false, 2},
    {"CYLINDER1", 3, false, 1}, {"CYLNDRCAP", 2, false, 1}, {"ELLIPSOID", 3, false, 1},
    {"ELLIPSO_2", 3, false, 2}, {"ELLIPSO_3", 3, false, 3}, {"EL_IN_RCT", 6, false, 2},
    {"FROM_FILE", 0, false, 0}, {"HEX_PRISM", 3, false, 1}, {"RCTGLPRSM", 3, false, 1},
    {"SPHERES_N", 2, true, 1},  {"SUPELLIPS", 5, false, 1}, {"TETRAHDRN", 1, false, 1},
    {"UNIAXICYL", 2, false, 2}};

/// Shapes of DDSCAT that are not there, with what to do.
const std::vector<std::pair<std::string, std::string>> absent{
    {"DSKRCTNGL", ""},
    {"LAYRDSLAB", ""},
    {"DW1996TAR", ""},
    {"GAUSS_SPH", ""},
    {"MLTBLOCKS", ""},
    {"OCTHEDRON", ""},
    {"ONIONSHEL", "its material turns from site to site"},
    {"RCTGLBLK2", ""},
    {"RCTGLBLK3", ""},
    {"SLAB_HOLE", ""},
    {"SPHROID_2", ""},
    {"SPH_ANI_N", "its materials are turned"},
    {"TRNGLPRSM", ""},
    {"UNIAXIHEX", ""},
    {"ANIFILPBC", "periodic"},
    {"BISLINPBC", "periodic"},
    {"CYLNDRPBC", "periodic"},
    {"DSKBLYPBC", "periodic"},
    {"DSKRCTPBC", "periodic"},
    {"ELLIPSPBC", "periodic"},
    {"FRMFILPBC", "periodic"},
    {"HEXGONPBC", "periodic"},
    {"HEXUNIPBC", "periodic"},
    {"LYRSLBPBC", "periodic"},
    {"RCTGL_PBC", "periodic"},
    {"RECRECPBC", "periodic"},
    {"SLBHOLPBC", "periodic"},
    {"SPHRN_PBC", "periodic"},
    {"TRILYRPBC", "periodic"}};

}  // namespace

const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Shape& s : shapes) all.emplace_back(s.name);
    return all;
  }();
  return names;
}

const Shape* find_shape(const std::string& name) {
  for (const Shape& s : shapes)
    if (name == s.name) return &s;
  return nullptr;
}

std::string why_no_shape(const std::string& name) {
  for (const auto& [absent_name, why] : absent)
    if (absent_name == name && why == "periodic")
      return fmt::format(
          "{}: periodic targets are not computed; take an isolated one (umov fdtd has layered periodic "
          "cells)",
          name);
    else if (absent_name == name)
      return fmt::format(
          "{}: this shape is not there{}; write its target.out by DDSCAT's calltarget and give FROM_FILE, or "
          "take "
          "one of {}",
          name, why.empty() ? "" : " (" + why + ")", join(shape_names(), ", "));
  return fmt::format("'{}' is no shape of DDSCAT 7.3; {}", shortened(name), [&] {
    const std::string close = did_you_mean(name, shape_names());
    return close.empty() ? "there are " + join(shape_names(), ", ") : close;
  }());
}

}  // namespace umov::dda::ddscat
