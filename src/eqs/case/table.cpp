// Parameters of `umov eqs`: analysis, time, Newton's method and the linear solver. Each is declared once.
#include "cases/declare.hpp"
#include "eqs/case/case.hpp"
#include "eqs/case/readers.hpp"

namespace umov::eqs {

using cases::declare;

namespace {

using Table = ParameterTable<Case>;

void add_run(Table& t) {
  const char* s = "run";
  t.add(declare(s, "analysis", {"--analysis"}, "",
                "transient: currents and charges over time; electrostatic: permittivity only; conduction: "
                "conductivity only; harmonic: one frequency, linear materials."),
        choice<Analysis>({{"transient", Analysis::transient},
                          {"electrostatic", Analysis::electrostatic},
                          {"conduction", Analysis::conduction},
                          {"harmonic", Analysis::harmonic}}),
        UMOV_SIM(analysis));
}

void add_time(Table& t) {
  const char* s = "time";
  t.add(declare(s, "end", {"--end"}, "s",
                "transient: where time ends; static analyses: the moment they are for.",
                "by periods; static analyses without either: amplitudes"),
        optional_number(Range::at_least(0)), UMOV_SIM(time.end));
  t.add(declare(s, "periods", {"--periods"}, "", "The same in periods of the frequency.", "by end"),
        optional_number(Range::at_least(0)), UMOV_SIM(time.periods));
  t.add(declare(s, "frequency", {"--frequency"}, "Hz",
                "Of the periods, and of sines without one of their own."),
        number(Range::above(0)), UMOV_SIM(time.frequency));
  t.add(declare(s, "steady_state", {"--steady-state"}, "",
                "transient: one period of the frequency, of the state that repeats itself, found without "
                "marching to it (implicit schemes)."),
        boolean(), UMOV_SIM(time.steady_state));
  t.add(declare(s, "most_periods", {"--most-periods"}, "",
                "steady_state: periods marched to find it, at most; the last one is the result."),
        integer<int>(Range::between(3, 100000)), UMOV_SIM(time.most_periods));
  t.add(
      declare(
          s, "scheme", {"--scheme"}, "",
          "sdirk3: third order, four stages (Cameron, Palmroth and Piche 2002); esdirk3; implicit_euler: "
          "first order. Explicit, second order, without Newton's method: rkc (Sommeijer, Shampine and Verwer "
          "1998), rkl2 (Meyer, Balsara and Aslam 2014). auto: sdirk3 and rkc, whichever costs less."),
      choice<Scheme>({{"sdirk3", Scheme::sdirk3},
                      {"esdirk3", Scheme::esdirk3},
                      {"implicit_euler", Scheme::implicit_euler},
                      {"rkc", Scheme::rkc},
                      {"rkl2", Scheme::rkl2},
                      {"auto", Scheme::automatic}}),
      UMOV_SIM(time.scheme));
  t.add(declare(
            s, "spectral_radius", {}, "",
            "rkc, rkl2: how the fastest decay is found, which sets the number of stages. bound: the largest "
            "(dJ/dE) / (dD/dE) of the model; power: the power method; rayleigh: from quotients of the stages "
            "themselves; richter: not at all, the number follows from the error of steps (Richter 2019)."),
        choice<SpectralRadius>({{"bound", SpectralRadius::bound},
                                {"power", SpectralRadius::power},
                                {"rayleigh", SpectralRadius::rayleigh},
                                {"richter", SpectralRadius::richter}}),
        UMOV_SIM(time.spectral_radius));
  t.add(declare(s, "power_steps", {}, "",
                "power: accepted steps from one power iteration to the next; a rejected step asks for one, "
                "too. With fixed steps every step has one."),
        integer<int>(Range::between(1, 1000000)), UMOV_SIM(time.power_steps));
  t.add(declare(s, "max_stages", {}, "",
                "rkc, rkl2, auto: stages of a step, at most; where more would be needed, steps are shorter."),
        integer<int>(Range::between(3, 10000)), UMOV_SIM(time.max_stages));
  t.add(declare(s, "step", {"--step"}, "s",
                "Fixed time step (shorter only where a step failed); 0: chosen by the error."),
        number(Range::at_least(0)), UMOV_SIM(time.step));
  t.add(declare(s, "first_step", {"--first-step"}, "s",
                "First step under control of the error; 0: end / 1000."),
        number(Range::at_least(0)), UMOV_SIM(time.first_step));
  t.add(declare(s, "min_step", {}, "s",
                "Smallest step, to which one that failed may be cut; 0: end * 1e-9, less beside short fronts "
                "and where charges decay fast at the start (a millionth of that time)."),
        number(Range::at_least(0)), UMOV_SIM(time.min_step));
  t.add(declare(s, "max_step", {"--max-step"}, "s",
                "Largest step; 0: a tenth of the end. Waveforms ask for shorter ones, whatever stands here."),
        number(Range::at_least(0)), UMOV_SIM(time.max_step));
  t.add(declare(s, "tolerance", {"--tolerance"}, "",
                "Error of a step in the field, of all and of each material, relative to the largest so far."),
        number(Range::above_to(0, 1)), UMOV_SIM(time.tolerance));
}

void add_newton(Table& t) {
  const char* s = "newton";
  t.add(declare(s, "tolerance", {"--newton-tolerance"}, "", "Relative nonlinear residual."),
        number(Range::above_to(0, 0.1)), UMOV_SIM(newton.tolerance));
  t.add(declare(s, "max_iterations", {}, "", "Iterations after which a stage has failed."),
        integer<int>(Range::between(1, 10000)), UMOV_SIM(newton.max_iterations));
  t.add(
      declare(
          s, "forcing", {"--forcing"}, "",
          "How exactly each linear system is solved. fixed: to solver.tolerance of the fluxes; adaptive: no "
          "further than the nonlinear residual would follow (after Eisenstat and Walker 1996)."),
      choice<ForcingTerm>({{"fixed", ForcingTerm::fixed}, {"adaptive", ForcingTerm::adaptive}}),
      UMOV_SIM(newton.forcing));
}

void add_solver(Table& t) {
  const char* s = "solver";
  t.add(declare(s, "tolerance", {"--epsilon"}, "", "Relative residual of the conjugate gradients."),
        number(Range::above_to(0, 0.1)), UMOV_SIM(linear.tolerance));
  t.add(declare(s, "max_iterations", {"--max-iterations"}, "", "Iterations after which a solve has failed."),
        integer<int>(Range::between(1, 1000000)), UMOV_SIM(linear.max_iterations));
  t.add(declare(s, "preconditioner", {"--preconditioner"}, "",
                "amg: smoothed aggregation; p-multigrid: second order over first, then amg; jacobi; auto: by "
                "the order."),
        word_of([] {
          return std::vector<std::string>{"auto", "amg", "p-multigrid", "jacobi"};
        }),
        UMOV_SIM(linear.preconditioner));
  t.add(
      declare(s, "operator", {"--operator"}, "",
              "How systems are multiplied with. assembled: by a matrix; matrix-free: element by element, of "
              "second order in a fraction of the memory; auto: by order and preconditioner."),
      choice<OperatorForm>({{"auto", OperatorForm::automatic},
                            {"assembled", OperatorForm::assembled},
                            {"matrix-free", OperatorForm::matrix_free}}),
      UMOV_SIM(linear.form));
  t.add(
      declare(
          s, "start_vector", {"--start-vector"}, "",
          "Where the conjugate gradients of time steps begin. last: at the straight line through the states "
          "before; spe: projected on the last 10 solutions; pod: on the first 20; pod-renewed: on the last "
          "20."),
      choice<StartVector>({{"last", StartVector::last},
                           {"spe", StartVector::spe},
                           {"pod", StartVector::pod},
                           {"pod-renewed", StartVector::pod_renewed}}),
      UMOV_SIM(linear.start_vector));
  t.add(declare(s, "start_solutions", {"--start-solutions"}, "",
                "Solutions that start vectors are made of (snapshots); 0: those of the name, 10 or 20."),
        integer<int>(Range::between(0, 31)), UMOV_SIM(linear.start_solutions));
  t.add(declare(s, "start_directions", {"--start-directions"}, "",
                "Directions kept of so many solutions, the most important ones; 0: all."),
        integer<int>(Range::between(0, 31)), UMOV_SIM(linear.start_directions));
  t.add(declare(s, "smoother", {}, "", "Smoother of the multigrid."),
        choice<amg::Smoother>({{"chebyshev", amg::Smoother::chebyshev}, {"jacobi", amg::Smoother::jacobi}}),
        UMOV_SIM(linear.amg.smoother));
  t.add(declare(s, "degree", {}, "", "Degree of the Chebyshev polynomial, or sweeps of Jacobi."),
        integer<int>(Range::between(1, 100)), UMOV_SIM(linear.amg.degree));
  t.add(declare(s, "eigenvalue_ratio", {}, "",
                "chebyshev: largest over smallest eigenvalue that is damped; 0: the default."),
        number(Range::at_least(0)), UMOV_SIM(linear.amg.eigenvalue_ratio));
  t.add(declare(s, "strength", {}, "", "Threshold theta of strong couplings."), number(Range::between(0, 1)),
        UMOV_SIM(linear.amg.strength));
  t.add(declare(s, "coarsest", {}, "", "Unknowns at which coarsening ends; 0: the default."),
        integer<int>(Range::between(0, 1000000)), UMOV_SIM(linear.amg.coarsest));
  t.add(declare(s, "max_levels", {}, "", "Levels, at most."), integer<int>(Range::between(1, 100)),
        UMOV_SIM(linear.amg.max_levels));
  t.add(declare(s, "single_precision", {}, "",
                "Compute the preconditioner in single precision; the iteration is in double."),
        boolean(), UMOV_SIM(linear.amg.single_precision));
  t.add(declare(s, "reuse", {}, "", "Keep the multigrid's levels while the matrix changes little."),
        boolean(), UMOV_SIM(linear.reuse));
  t.add(declare(s, "reuse_growth", {}, "",
                "Iterations over those after the last set-up past which the levels are renewed."),
        number(Range::at_least(1)), UMOV_SIM(linear.reuse_growth));
}

}  // namespace

void add_method_parameters(Table& t) {
  add_run(t);
  add_mesh_parameters(t);
  add_time(t);
  add_newton(t);
  add_solver(t);
}

const ParameterTable<Case>& parameters() {
  static const Table table = [] {
    Table t;
    add_call_parameters(t);
    add_method_parameters(t);
    add_run_parameters(t);
    add_batch_parameters(t);
    add_compare_parameters(t);
    t.add_list("part", "A solid of the geometry. Later parts cover earlier ones.", part_parameters(),
               UMOV_CASE(geometry.parts));
    t.add_list("layer", "A layer of a structured geometry, from the bottom or from the inside.",
               layer_parameters(), UMOV_CASE(geometry.layers));
    t.add_list("material", "A material and the regions it fills.", material_parameters(),
               UMOV_CASE(materials));
    t.add_list("electrode", "A conductor. Where there is none, no current leaves the model.",
               electrode_parameters(), UMOV_CASE(electrodes));
    add_places(t);
    declare_case_readers(t);
    return t;
  }();
  return table;
}

}  // namespace umov::eqs
