// What a finished row is made of, for files and messages: visit_finished(writer or reader, row).
#pragma once

#include "harmonic/run/sweep_state.hpp"

namespace umov::harmonic {

template <class File, class Point>
void visit_point(File& f, Point& p) {
  f(p.budget.reflection);
  f(p.budget.transmission);
  f(p.budget.absorption);
  f.each(p.budget.density, [&](auto& medium) { f(medium); });
  f(p.grid_error);
  f(p.iterations);
  f(p.residual);
  f(p.converged);
  f.each(p.orders, [&](auto& o) {
    f(o.transmitted);
    f(o.m);
    f(o.n);
    f(o.angle);
    f(o.azimuth);
    f(o.s);
    f(o.p);
  });
}

template <class File, class R>
void visit_place(File& f, R& row) {
  f(row.wavelength);
  f(row.incidence.angle);
  f(row.incidence.azimuth);
}

template <class File, class Cut>
void visit_cut(File& f, Cut& c) {
  visit_place(f, c.row);
  f(c.polarization);
  f(c.number);
  f(c.plane);
  f(c.at);
  f(c.rows);
  f(c.columns);
  f(c.intensity);
  f(c.absorption);
}

/// `Finished`: FinishedRow, constant for a writer.
template <class File, class Finished>
void visit_finished(File& f, Finished& r) {
  visit_place(f, r.row);
  f.each(r.points, [&](auto& p) { visit_point(f, p); });
  f.each(r.cuts, [&](auto& c) { visit_cut(f, c); });
}

}  // namespace umov::harmonic
