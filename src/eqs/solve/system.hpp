// The discrete equations on one device: charge and conduction of every unknown, Newton's matrix, sums.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/halo.hpp"
#include "comm/ranked_device.hpp"
#include "eqs/kernels/relaxation.hpp"
#include "eqs/model/rank_share.hpp"
#include "eqs/solve/element_integrals.hpp"
#include "eqs/solve/element_rows.hpp"
#include "eqs/solve/level.hpp"
#include "eqs/solve/linear_solver.hpp"

namespace umov::eqs {

template <class Device>
class System {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  System(Device& dev, const Problem& p)
      : dev_(dev),
        order_(p.order),
        model_(dev, p),
        electrodes_(p.electrodes.size()),
        materials_(p.materials.size()) {
    for (const Material& m : p.materials) constant_eps_ = constant_eps_ && !m.permittivity.nonlinear();
    for (const Material& m : p.materials)
      conducting_ = conducting_ || (!m.conductivity.nonlinear() && m.conductivity.value > 0);
    const NonlinearPart part = nonlinear_part(p, p.order);
    element_ = to_device(dev_, part.element);
    everywhere_nonlinear_ = !part.element.empty();
    if constexpr (comm::is_ranked<Device>)
      everywhere_nonlinear_ = comm::any(dev_.comm(), everywhere_nonlinear_);
    fine_.take_nonlinear(dev_, part);
    const bool multigrid = preconditioner_of(p) != "jacobi", free = matrix_free(p);
    columns_ = p.unknowns;
    own_elements_ = p.own_elements();
    own_nonlinear_ =
        std::lower_bound(part.element.begin(), part.element.end(), own_elements_) - part.element.begin();
    if constexpr (comm::is_ranked<Device>)
      halo_ = std::make_unique<comm::Halo<Device, double>>(dev_, dev_.channel(), p.share->neighbours);
    if (free) {
      fine_.order = p.order;
      fine_.rows = p.own_unknowns();
      elements_.allocate(dev_, p, model(), part.element);
    } else {
      fill_level(dev_, p, p.order, model_.view(), conducting_, fine_, &at_fixed_);
      block_ = fixed_block(p);
      if constexpr (comm::is_ranked<Device>)
        for (auto* list : {&block_.m, &block_.k}) comm::sum(dev_.comm(), std::span<double>(*list));
    }
    // with their matrix, ranks have first-order elements by products
    if (free ? multigrid : !p.share && preconditioner_of(p) == "p-multigrid") {
      fill_level<Device>(dev_, p, 1, model_.view(), conducting_, coarse_, nullptr);
      coarse_.take_nonlinear(dev_, nonlinear_part(p, 1));
    }
    for (auto* l : {&fine_, &coarse_}) l->find_places(dev_, model(), element_);
    if (!p.share && preconditioner_of(p) == "p-multigrid")
      parents_ = to_device(dev_, edge_parents(p, per_edge_));
    const int nodes = p.order == 1 ? 4 : 10, points = p.order == 1 ? 1 : 4;
    charge_ = dev_.template allocate<double>(nonlinear_elements() * nodes);
    current_ = dev_.template allocate<double>(nonlinear_elements() * nodes);
    tensor_ = dev_.template allocate<Tensor>(nonlinear_elements() * points);
    if (coarse_.filled() && p.order == 2) mean_ = dev_.template allocate<Tensor>(nonlinear_elements());
    fixed_ = dev_.template allocate<double>(electrodes_);
    bodies_ = p.share ? p.share->bodies && !p.good.empty() : !p.base.empty();
    if (bodies_) held_.allocate(dev_, p);
  }

  Device& device() const { return dev_; }
  int unknowns() const { return fine_.rows; }
  int order() const { return order_; }
  /// Whether any element's material depends on the field, of any rank.
  bool nonlinear() const { return everywhere_nonlinear_; }
  index_t nonlinear_elements() const { return index_t(element_.size()); }
  ModelView model() const { return model_.view(); }
  /// Of the unknowns and, behind them, those of other ranks that rows and elements here see.
  Array<double> vector() const { return dev_.template allocate<double>(stride()); }
  index_t stride() const { return columns_; }
  /// What other ranks have of u, to its places behind the unknowns; nothing on one rank, or of nullptr. Every
  /// member below that reads potentials does it.
  void update(const double* u) const {
    if constexpr (comm::is_ranked<Device>) {
      if (!u) return;
      halo_->start(u, const_cast<double*>(u) + unknowns());
      halo_->finish();
    }
  }

  /// Potentials of the electrodes (floating ones are not read) for all that follows.
  void set_fixed(const std::vector<double>& potential) {
    host_fixed_ = potential;
    dev_.upload(fixed_.data(), potential.data(), potential.size());
  }
  const double* fixed() const { return fixed_.data(); }
  const std::vector<double>& host_fixed() const { return host_fixed_; }
  /// The next assemble() does all of it.
  void forget_matrix() { assembled_ = false; }

  /// Charge q, conduction i and the size of their contributions at potentials u.
  void evaluate(const double* u, const Evaluation& out) {
    update(u);
    evaluate_constant(u, out);
    if (!nonlinear()) return;
    flux(u);
    for_each_row(dev_, index_t(fine_.nl_row.size()),
                 GatherNonlinear{list(fine_), charge_.data(), current_.data(), out},
                 fine_.chunks_of_nonlinear());
  }

  /// Conduction alone: i(u). Without matrices the curves are evaluated inside of the product; else q and size
  /// are computed, too.
  void conduct(const double* u, const Evaluation& out) {
    if (elements_.there()) {
      update(u);
      return elements_.flux(model(), u, fixed_.data(), {0, 1}, out.i);
    }
    evaluate(u, {out.q, out.i, out.size, {0, 1}});
  }

  /// Only what constant coefficients give: with constant permittivities all of the charge.
  void evaluate_linear(const double* u, const Evaluation& out) {
    update(u);
    evaluate_constant(u, out);
  }

  /// The same for a small change v of the potentials, with the tensors of the last assemble() and the
  /// electrodes' changes in set_fixed: charge * out.q + current * out.i is the matrix' product, for weights
  /// of one kind only. With the electrodes' own.
  ElectrodeSums evaluate_linearised(const double* v, const Evaluation& out) {
    const bool as_charge = out.w.charge != 0;
    update(v);
    evaluate_constant(v, out);
    ElectrodeSums s = constant_electrode_sums(v);
    if (!nonlinear()) return without_bodies(s, out.q, out.i);
    by_order([&](auto order) {
      constexpr int n = decltype(order)::value;
      dev_.for_each(nonlinear_elements(),
                    TensorFlux<n>{model_.view(), list(fine_), tensor_.data(), v, fixed_.data(),
                                  as_charge ? charge_.data() : current_.data(),
                                  as_charge ? current_.data() : charge_.data()});
    });
    for_each_row(dev_, index_t(fine_.nl_row.size()),
                 GatherNonlinear{list(fine_), charge_.data(), current_.data(), out},
                 fine_.chunks_of_nonlinear());
    add_nonlinear_sums(s);
    return without_bodies(s, out.q, out.i);
  }

  /// Newton's matrix at u. Nothing is done when it would be the one that is there; says whether it changed.
  bool assemble(const double* u, const Weights& w) {
    const bool same_weights = assembled_ && w.charge == weights_.charge && w.current == weights_.current;
    if (same_weights && !nonlinear()) return false;
    weights_ = w;
    if (everywhere_nonlinear_) update(u);
    if (nonlinear()) find_tensors(u, w, held_tensors_, tensor_.data());
    if (mean_.size() && nonlinear())
      dev_.for_each(nonlinear_elements(), MeanTensor{tensor_.data(), element_points<2>, mean_.data()});
    if (!elements_.there()) fill_matrix(dev_, model(), work(tensor_.data()), w, same_weights, fine_);
    if (coarse_.filled()) fill_matrix(dev_, model(), work(coarse_tensor()), w, same_weights, coarse_);
    assembled_ = true;
    return true;
  }
  /// The tensors of nonlinear elements at u, [element][point]; or, where that is not nullptr, a copy of
  /// `held`.
  void find_tensors(const double* u, const Weights& w, const Tensor* held, Tensor* out) const {
    if (held) return dev_.for_each(index_t(tensor_.size()), AddTensors{held, 0, out});
    by_order([&](auto order) {
      constexpr int n = decltype(order)::value;
      dev_.for_each(nonlinear_elements(),
                    DifferentialTensor<n>{model_.view(), list(fine_), u, fixed_.data(), w, out});
    });
  }
  Array<Tensor> tensors() const { return dev_.template allocate<Tensor>(tensor_.size()); }  ///< room for them
  /// From here on assemble() takes these in place of those at u and its weights; nullptr: no longer.
  void hold_tensors(const Tensor* held) { held_tensors_ = held; }
  MatrixSet<Device> matrices() const {
    MatrixSet<Device> set{{}, {}, parents_.data(), per_edge_, {}};
    if (coarse_.filled()) set.first_order = coarse_.view();
    if (elements_.there())
      set.elements = elements_.matrix(model(), nonlinear() ? tensor_.data() : nullptr, weights_);
    else
      set.a = fine_.view();
    return set;
  }
  /// The matrices of the permittivities where these are constant.
  MatrixSet<Device> charge_matrices() const {
    MatrixSet<Device> set{{}, {}, parents_.data(), per_edge_, {}};
    if (coarse_.filled()) set.first_order = coarse_.charge_view();
    if (elements_.there())
      set.elements = elements_.matrix(model(), nullptr, {1, 0});
    else
      set.a = fine_.charge_view();
    return set;
  }
  /// Sum over the rows of the square of what rounding may leave of A x (SquareOfRounding).
  double square_of_rounding(const MatrixSet<Device>& set, const double* x) const {
    update(x);
    if (elements_.there()) return elements_.square_of_rounding(set.elements, x);
    return dev_.template map_reduce<1, double>(unknowns(), SquareOfRounding{set.a, x}).v[0];
  }
  /// K of constant conductivities in the rows of these; null where none conducts.
  const double* conduction_values() const { return fine_.kappa(); }
  bool constant_permittivity() const { return constant_eps_; }
  /// The fastest decay, 1/s, of the elements whose material depends on the field (kernels/relaxation.hpp).
  double largest_rate(const double* u) const {
    double most = 0;
    update(u);
    by_order([&](auto order) {
      constexpr int n = decltype(order)::value;
      if (everywhere_nonlinear_)
        most = dev_.map_max(nonlinear_elements(),
                            LargestRate<n>{model_.view(), element_.data(), u, fixed_.data()});
    });
    return most;
  }
  /// y = (K + j omega M) x of constant coefficients, x and y real parts and then, stride() behind, imaginary
  /// ones; x . y (bilinear).
  backend::Sums<double, 2> harmonic_product(double omega, const double* x, double* y) const {
    for (const double* part : {x, x + stride()}) update(part);
    if (elements_.there()) return elements_.harmonic(model(), omega, stride(), x, y);
    return dev_.template map_reduce<2, double>(
        unknowns(), HarmonicProduct{fine_.start.data(), fine_.column.data(), fine_.m.data(), fine_.kappa(),
                                    omega, stride(), x, y});
  }

  /// Charge on and conduction current into the material from every electrode at fixed potential.
  ElectrodeSums electrode_sums(const double* u) {
    update(u);
    ElectrodeSums s = constant_electrode_sums(u);
    if (nonlinear()) {
      flux(u);
      add_nonlinear_sums(s);
    }
    if (!has_bodies()) return s;
    evaluate(u, {held_.q.data(), held_.i.data(), held_.magnitude.data(), {1, 0}});
    return without_bodies(s, held_.q.data(), held_.i.data());
  }
  HeldView held() const { return held_.view(); }
  bool has_bodies() const { return bodies_; }
  /// Per electrode, the charge and current of the nodes whose base it is.
  ElectrodeSums held_sums(const double* q, const double* i) {
    ElectrodeSums s{std::vector<double>(electrodes_, 0.0), std::vector<double>(electrodes_, 0.0)};
    for (int first = 0; has_bodies() && first < electrodes_; first += electrodes_at_once) {
      const auto sums = dev_.template map_reduce<2 * electrodes_at_once, double>(
          fine_.rows, HeldSums{held(), held_.code.data(), first, electrodes_, q, i});
      for (int k = 0; k < electrodes_at_once && first + k < electrodes_; ++k) {
        s.charge[first + k] = sums.v[2 * k];
        s.conduction[first + k] = sums.v[2 * k + 1];
      }
    }
    return s;
  }

  /// Integrals over the elements at u and its electrodes' potentials (element_integrals.hpp).
  Forms forms(const double* u) const {
    update(u);
    return integrals().forms(u, fixed_.data());
  }
  FieldSize field_size(const double* u) const {
    update(u);
    return integrals().field_size(u, fixed_.data());
  }
  /// Of the materials, m³.
  std::vector<double> volumes() const { return integrals().volumes(); }

  std::size_t bytes() const {
    return model_.bytes() + fine_.bytes() + coarse_.bytes() + parents_.bytes() + element_.bytes() +
           charge_.bytes() + current_.bytes() + tensor_.bytes() + mean_.bytes() + at_fixed_.bytes() +
           held_.bytes() + elements_.bytes();
  }

  /// f(std::integral_constant<int, order>)
  template <class F>
  void by_order(const F& f) const {
    with_order(order_, f);
  }

  /// Flux sums of nonlinear elements at u, into the arrays that sums read.
  void flux(const double* u) {
    by_order([&](auto order) {
      constexpr int n = decltype(order)::value;
      dev_.for_each(nonlinear_elements(), NonlinearFlux<n>{model_.view(), list(fine_), u, fixed_.data(),
                                                           charge_.data(), current_.data()});
    });
  }

 private:
  void evaluate_constant(const double* u, const Evaluation& out) {
    if (elements_.there()) return elements_.evaluate(model_.view(), u, fixed_.data(), out);
    for_each_row(dev_, fine_.rows,
                 EvaluateRows{fine_.start.data(), fine_.column.data(), fine_.m.data(), fine_.kappa(), u,
                              fixed_.data(), held(), out},
                 fine_.chunks_of_rows());
    dev_.for_each(at_fixed_.size(),
                  EvaluateFixed{at_fixed_.row.data(), at_fixed_.start.data(), at_fixed_.electrode.data(),
                                at_fixed_.m.data(), at_fixed_.k.data(), u, fixed_.data(), held(), out});
  }
  ElementIntegrals<Device> integrals() const {
    return {dev_, model_.view(), order_, own_elements_, materials_};
  }
  /// Flux sums are formed anew wherever they are read: their places are free.
  NonlinearWork work(const Tensor* tensor) {
    return {element_.data(), nonlinear_elements(), tensor,
            charge_.data(),  current_.data(),      order_ == 1 ? 4 : 10};
  }
  NonlinearView list(const Level<Device>& l) const { return l.nonlinear(element_.data()); }
  /// For the coarse level, whose elements have one point.
  const Tensor* coarse_tensor() const { return order_ == 2 ? mean_.data() : tensor_.data(); }

  ElectrodeSums constant_electrode_sums(const double* u) {
    if (elements_.there()) return elements_.electrode_sums(model_.view(), u, fixed_.data(), electrodes_);
    ElectrodeSums s = at_fixed_.sums(dev_, electrodes_, u, fixed_.data(), held());
    for (int e = 0; e < electrodes_; ++e)
      for (int f = 0; f < electrodes_; ++f) {
        if (e == f) continue;
        const double d = host_fixed_[f] - host_fixed_[e];
        s.charge[e] += block_.m[e * electrodes_ + f] * d;
        s.conduction[e] += block_.k[e * electrodes_ + f] * d;
      }
    return s;
  }
  void add_nonlinear_sums(ElectrodeSums& s) {
    by_order([&](auto order) {
      constexpr int n = decltype(order)::value;
      for (int first = 0; first < electrodes_; first += electrodes_at_once) {
        const auto sums = dev_.template map_reduce<2 * electrodes_at_once, double>(
            own_nonlinear_,
            NonlinearFixedSums<n>{model_.view(), list(fine_), charge_.data(), current_.data(), first});
        for (int k = 0; k < electrodes_at_once && first + k < electrodes_; ++k) {
          s.charge[first + k] += sums.v[2 * k];
          s.conduction[first + k] += sums.v[2 * k + 1];
        }
      }
    });
  }

  /// An electrode's row is that of its bodies, too; what leaves the electrode itself is less by theirs.
  ElectrodeSums without_bodies(ElectrodeSums s, const double* q, const double* i) {
    if (!has_bodies()) return s;
    const ElectrodeSums bodies = held_sums(q, i);
    for (int e = 0; e < electrodes_; ++e) {
      s.charge[e] -= bodies.charge[e];
      s.conduction[e] -= bodies.conduction[e];
    }
    return s;
  }

  Device& dev_;
  int order_;
  index_t columns_ = 0, own_elements_ = 0, own_nonlinear_ = 0;
  bool everywhere_nonlinear_ = false, bodies_ = false;
  DeviceModel<Device> model_;
  int electrodes_, materials_;
  bool conducting_ = false, assembled_ = false, constant_eps_ = true;
  Level<Device> fine_, coarse_;
  ElementRows<Device> elements_;  // in place of the fine level's matrices
  FixedRows<Device> at_fixed_;
  Array<int> parents_, element_;
  Array<double> fixed_;  // potentials of the electrodes
  int per_edge_ = 2;
  HeldRows<Device> held_;
  Array<double> charge_, current_;  // of nonlinear elements
  Array<Tensor> tensor_, mean_;
  const Tensor* held_tensors_ = nullptr;
  FixedBlock block_;
  std::vector<double> host_fixed_;
  struct NoHalo {};
  std::conditional_t<comm::is_ranked<Device>, std::unique_ptr<comm::Halo<Device, double>>, NoHalo> halo_;
  Weights weights_;
};

}  // namespace umov::eqs
