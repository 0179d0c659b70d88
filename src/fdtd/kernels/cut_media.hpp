// Work on the edges of cells that several materials share, some with poles (see CutMedia).
#pragma once

#include "fdtd/kernels/lists.hpp"

namespace umov::fdtd {

/// E of one edge: less what the polarization of its halves, and of those the permittivity couples to it,
/// changed by.
template <class T, class F>
struct SubtractFlows {
  FieldPointers<F> fields;
  const std::uint8_t* component;  // [edge]
  const index_t *cell, *first;    // [edge], [edge + 1]
  const index_t* half;            // [tap]
  const F* weight;                // [tap]
  const F* flow;                  // [half]

  UMOV_HD void operator()(index_t e) const {
    F* const f = fields.of[component[e]] + cell[e];
    F sum = *f;
    for (index_t t = first[e]; t < first[e + 1]; ++t) sum = sum - weight[t] * flow[half[t]];
    *f = sum;
  }
};

template <class T>
struct CutSite {
  int half, first_pole, poles;
  index_t state;  // of its first pole
  T weight, jump;
};

/// One node: the discontinuity from the new E, the local fields, the poles, and what the polarization of each
/// half changes by. State [site, pole][2]: (j, p), or of Debye poles (unused, q).
template <class T, class F>
struct PolarizeNode {
  FieldPointers<F> fields;
  const index_t *first_half, *first_site;  // [node + 1]
  const T* compliance;                     // [node]
  const std::uint8_t* component;           // [half]
  const index_t* cell;                     // [half]
  const T* coupling;                       // [half]
  const F *turn, *back;                    // [half] phase of an edge as the node sees it; null: none
  const CutSite<T>* sites;
  const PoleNumbers<T>* pole;
  F* state;
  F* flow;  // [half]
  T dt;

  UMOV_HD void operator()(index_t n) const {
    const index_t half = first_half[n], halves = first_half[n + 1] - half;
    F field[6], change[6];
    F balance(0), shift(0);
    for (index_t h = 0; h < halves; ++h) {
      field[h] = fields.of[component[half + h]][cell[half + h]];
      if (turn) field[h] = turn[half + h] * field[h];
      change[h] = F(0);
      balance = balance + coupling[half + h] * field[h];
    }
    for (index_t i = first_site[n]; i < first_site[n + 1]; ++i)
      balance = balance + sites[i].weight * sites[i].jump * known(sites[i]);
    const F delta = F(0) - compliance[n] * balance;
    for (index_t i = first_site[n]; i < first_site[n + 1]; ++i) {
      const CutSite<T>& s = sites[i];
      const F by = s.weight * step(s, field[s.half] + s.jump * delta);
      change[s.half] = change[s.half] + by;
      shift = shift + s.jump * by;
    }
    for (index_t h = 0; h < halves; ++h) {
      const F by = change[h] - coupling[half + h] * compliance[n] * shift;
      flow[half + h] = back ? back[half + h] * by : by;
    }
  }

 private:
  UMOV_HD F known(const CutSite<T>& s) const {
    F sum(0);
    for (int m = 0; m < s.poles; ++m) sum = sum + state[s.state + 2 * m + 1];
    return sum;
  }
  /// Takes the poles of a site on and returns by how much what is known of the polarization changes.
  UMOV_HD F step(const CutSite<T>& s, const F& local) const {
    F sum(0);
    for (int m = 0; m < s.poles; ++m) {
      const PoleNumbers<T> k = pole[s.first_pole + m];
      F *const j = state + s.state + 2 * m, *const p = j + 1;
      if (k.debye) {
        const F next = k.a * (*p + k.b * local) + k.b * local;
        sum = sum + (next - *p);
        *p = next;
      } else {
        *j = k.a * *j + k.b * local - k.c * *p;
        *p = *p + dt * *j;
        sum = sum + dt * *j;
      }
    }
    return sum;
  }
};

}  // namespace umov::fdtd
