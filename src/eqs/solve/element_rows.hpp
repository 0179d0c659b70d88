// The discrete equations without their matrices, on one device: evaluation by elements.
#pragma once

#include <vector>

#include "eqs/solve/element_matrix.hpp"
#include "eqs/solve/level.hpp"
#include "eqs/solve/row_sum_plan.hpp"

namespace umov::eqs {

/// What a row's sums become: charge and conduction, or their size.
struct StoreCharges {
  double *q, *i;
  UMOV_HD void operator()(index_t row, const double* s) const {
    q[row] = s[0];
    i[row] = s[1];
  }
};
struct StoreSize {
  Weights w;
  double* size;
  UMOV_HD void operator()(index_t row, const double* s) const { size[row] = combine(w, s[0], s[1]); }
};
struct StoreSum {
  double* out;
  UMOV_HD void operator()(index_t row, const double* s) const { out[row] = s[0]; }
};
/// Parts of (K + j omega M) (a + j b): first of a, then of b with the sums of x . y (bilinear).
struct HarmonicOfReal {
  double omega;
  index_t n;
  double* y;
  UMOV_HD void operator()(index_t row, const double* s) const {
    y[row] = s[1];
    y[n + row] = omega * s[0];
  }
};
struct HarmonicOfImaginary {
  double omega;
  index_t n;
  const double* x;
  double* y;
  template <class S>
  UMOV_HD void operator()(index_t row, const double* s, S& sums) const {
    const double re = y[row] - omega * s[0], im = y[n + row] + s[1], a = x[row], b = x[n + row];
    y[row] = re;
    y[n + row] = im;
    sums.v[0] += a * re - b * im;
    sums.v[1] += a * im + b * re;
  }
};
/// (n |A| |x|)^2 as SquareOfRounding has it, n the terms of a row.
struct SquareOfMagnitude {
  RowSumsView rows;
  template <class S>
  UMOV_HD void operator()(index_t row, const double* s, S& sums) const {
    const int terms = rows.start[row + 1] - rows.start[row];
    const double v = s[0] * (terms > 16 ? terms : 16);
    sums.v[0] += v * v;
  }
};

template <class Device>
class ElementRows {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  void allocate(Device& dev, const Problem& p, const ModelView& model, const std::vector<int>& nonlinear) {
    dev_ = &dev;
    order_ = p.order;
    const RowSumPlan plan = make_row_sum_plan(touching_elements(p, p.order));
    rows_ = int(plan.start.size()) - 1;
    start_ = to_device(dev, plan.start), list_ = to_device(dev, plan.list);
    chunk_start_ = to_device(dev, plan.chunk_start), chunk_list_ = to_device(dev, plan.chunk_list);
    chunk_row_ = to_device(dev, plan.chunk_row);
    chunk_ = dev.template allocate<double>(2 * plan.chunk_row.size());
    sums_ = dev.template allocate<double>(2);
    zero_ = dev.template allocate<double>(p.electrodes.size());
    dev.fill_zero(zero_.data(), p.electrodes.size());
    at_electrodes_ = to_device(dev, elements_at_electrodes(p));
    work_ = dev.template allocate<double>(p.mesh.tets.size() * (p.order == 1 ? 4 : 10));
    tables_.make(dev, model, p.order, p.unknowns);
    if (nonlinear.empty()) return;
    std::vector<int> place(p.mesh.tets.size(), -1);
    for (std::size_t k = 0; k < nonlinear.size(); ++k) place[nonlinear[k]] = int(k);
    place_ = to_device(dev, place);
  }
  bool there() const { return order_ != 0; }
  std::size_t bytes() const {
    return start_.bytes() + list_.bytes() + chunk_start_.bytes() + chunk_list_.bytes() + chunk_row_.bytes() +
           chunk_.bytes() + at_electrodes_.bytes() + work_.bytes() + place_.bytes() + tables_.bytes();
  }

  /// Newton's matrix with the tensors of nonlinear elements (nullptr: its constant parts alone).
  ElementMatrix<Device> matrix(const ModelView& model, const Tensor* tensor, const Weights& w) const {
    return {order_, {model, place_.data(), tensor, w}, rows(), work_.data(), &tables_};
  }

  /// What constant coefficients give to charge, conduction and size, as EvaluateRows and EvaluateFixed do.
  void evaluate(const ModelView& model, const double* u, const double* fixed, const Evaluation& out) const {
    with_order(order_, [&](auto order) {
      constexpr int n = decltype(order)::value;
      dev_->for_each(model.elements, ElementLaplace<n>{model, u, fixed, work_.data()});
      sum_rows(*dev_, rows(), MaterialShare<n>{model, work_.data()}, StoreCharges{out.q, out.i});
      dev_->for_each(model.elements, ElementLaplaceSize<n>{model, u, fixed, work_.data()});
      sum_rows(*dev_, rows(), MaterialShare<n>{model, work_.data()}, StoreSize{out.w, out.size});
    });
  }
  /// charge * q(u) + current * i(u) of all coefficients, curves evaluated on the way.
  void flux(const ModelView& model, const double* u, const double* fixed, const Weights& w,
            double* out) const {
    if (tables_.flux(*dev_, model, u, fixed, w, rows_, out)) return;
    with_order(order_, [&](auto order) {
      constexpr int n = decltype(order)::value;
      dev_->for_each(model.elements, ElementFlux<n>{model, u, fixed, w, work_.data()});
      sum_rows(*dev_, rows(), Share<double>{work_.data()}, StoreSum{out});
    });
  }
  /// y = (K + j omega M) x of constant coefficients, imaginary parts n behind the real ones; x . y
  /// (bilinear).
  backend::Sums<double, 2> harmonic(const ModelView& model, double omega, index_t n, const double* x,
                                    double* y) const {
    backend::Sums<double, 2> sums{};
    with_order(order_, [&](auto order) {
      constexpr int o = decltype(order)::value;
      dev_->for_each(model.elements, ElementLaplace<o>{model, x, zero_.data(), work_.data()});
      sum_rows(*dev_, rows(), MaterialShare<o>{model, work_.data()}, HarmonicOfReal{omega, n, y});
      dev_->for_each(model.elements, ElementLaplace<o>{model, x + n, zero_.data(), work_.data()});
      sum_rows_reduced<2>(*dev_, rows(), MaterialShare<o>{model, work_.data()},
                          HarmonicOfImaginary{omega, n, x, y}, sums_.data());
    });
    dev_->download(sums.v, sums_.data(), 2);
    return sums;
  }
  /// Sum of (n |A| |x|)^2: what rounding may leave of a product.
  double square_of_rounding(const ElementMatrix<Device>& m, const double* x) const {
    with_order(order_, [&](auto order) {
      constexpr int n = decltype(order)::value;
      dev_->for_each(m.elements.model.elements, ElementMagnitude<n>{m.elements, x, work_.data()});
      sum_rows_reduced<1>(*dev_, rows(), Share<double>{work_.data()}, SquareOfMagnitude{rows()},
                          sums_.data());
    });
    double square = 0;
    dev_->download(&square, sums_.data(), 1);
    return square;
  }
  /// What constant coefficients give to each electrode at fixed potential.
  ElectrodeSums electrode_sums(const ModelView& model, const double* u, const double* fixed,
                               int electrodes) const {
    ElectrodeSums s{std::vector<double>(electrodes, 0.0), std::vector<double>(electrodes, 0.0)};
    with_order(order_, [&](auto order) {
      constexpr int n = decltype(order)::value;
      for (int first = 0; first < electrodes; first += electrodes_at_once) {
        const auto sums = dev_->template map_reduce<2 * electrodes_at_once, double>(
            index_t(at_electrodes_.size()),
            ElectrodeLaplace<n>{model, at_electrodes_.data(), u, fixed, first});
        for (int k = 0; k < electrodes_at_once && first + k < electrodes; ++k) {
          s.charge[first + k] = sums.v[2 * k];
          s.conduction[first + k] = sums.v[2 * k + 1];
        }
      }
    });
    return s;
  }

 private:
  RowSumsView rows() const {
    return {rows_,
            int(chunk_row_.size()),
            start_.data(),
            list_.data(),
            chunk_start_.data(),
            chunk_list_.data(),
            chunk_row_.data(),
            chunk_.data()};
  }

  Device* dev_ = nullptr;
  int order_ = 0, rows_ = 0;
  Array<int> start_, list_, chunk_start_, chunk_list_, chunk_row_, at_electrodes_, place_;
  ElementTables<Device> tables_;
  mutable Array<double> chunk_, work_, sums_, zero_;
};

}  // namespace umov::eqs
