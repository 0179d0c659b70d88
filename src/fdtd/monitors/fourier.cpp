// Monitors of kind fourier: running Fourier transforms of fields over a region. Their volumes are files of
// their own (output/fourier_files.cpp, output/results.cpp).
#include "fdtd/monitors/fourier.hpp"

#include "fdtd/monitors/kind.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/spelled.hpp"

namespace umov::fdtd {
namespace {

class FourierKind : public MonitorKind {
 public:
  FourierKind()
      : MonitorKind({.title = "Fourier fields",
                     .reads = {"fields", "center", "size", "frequencies", "interval"},
                     .spectrum = true,
                     .on_nodes = true,
                     .dashed = true,
                     .fields_at = FieldsAt::nodes}) {}

  void declare(ParameterTable<MonitorCase>& t) const override {
    t.add(
        cases::item("per_source_spectrum", "",
                    "fourier: divide by the spectrum of the first source: fields per unit amplitude of it."),
        boolean(), UMOV_OWN(FourierSpec, per_source_spectrum));
  }

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_fourier(m, at.sim, at.problem);
  }
};

}  // namespace

const MonitorKind& fourier_monitor() {
  static const FourierKind kind;
  return kind;
}

}  // namespace umov::fdtd
